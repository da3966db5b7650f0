// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench.h"

#include "core/base/processor.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

namespace permafrost::cli {

nlohmann::ordered_json figures_json(const std::vector<Figure>& figures, std::size_t threads) {
    nlohmann::ordered_json json;
    json["machine"] = {{"cpu", processor_name()}, {"threads", threads}};
    json["results"] = nlohmann::ordered_json::array();
    for (const auto& figure : figures)
        json["results"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
    return json;
}

void print_figures(bool json, const std::vector<Figure>& figures, std::size_t threads) {
    if (json) return print_json(figures_json(figures, threads));
    std::cout << processor_name() << ", " << threads << " threads\n";
    for (const auto& figure : figures)
        std::printf("%-40s %12.4g %s\n", figure.name.c_str(), figure.value, figure.unit.c_str());
}

std::vector<double> sorted_seconds(std::size_t repeats, const std::function<void()>& work) {
    work();
    std::vector<double> seconds(std::max<std::size_t>(1, repeats));
    for (auto& each : seconds) {
        const auto began = std::chrono::steady_clock::now();
        work();
        each = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds;
}

double quantile(const std::vector<double>& sorted, double q) {
    return sorted[std::min(sorted.size() - 1,
                           static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
}

} // namespace permafrost::cli
