// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the benchmarks share.
#pragma once

#include "app/cli/commands.h"

#include <functional>
#include <string>
#include <vector>

namespace permafrost::cli {

struct Figure {
    std::string name;
    double value;
    std::string unit;
};

/// {"machine": {"cpu", "threads"}, "results": [{"name", "value", "unit"}]}
nlohmann::ordered_json figures_json(const std::vector<Figure>& figures, std::size_t threads);
/// As a table, or as that object.
void print_figures(bool json, const std::vector<Figure>& figures, std::size_t threads);

/// Seconds of each call, sorted, after one call that does not count.
std::vector<double> sorted_seconds(std::size_t repeats, const std::function<void()>& work);
double quantile(const std::vector<double>& sorted, double q);

void add_bench_ffn(CLI::App& bench, Commands& commands);
void add_bench_masks(CLI::App& bench, Commands& commands);

} // namespace permafrost::cli
