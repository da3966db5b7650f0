// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/benchmark_store.h"
#include "core/formats/model_file.h"
#include "core/verdict/decision.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace permafrost::gui {

/// What is to be timed of a model.
struct BenchmarkPlan {
    formats::ModelFilePtr file;
    std::shared_ptr<const verdict::Decision> decision; ///< whose mask is timed; null: no mask
    std::vector<widgets::BenchmarkConditions> conditions;
    bool mask_alone = false; ///< without shares frozen by chance and without widths
    std::size_t repeats = 11;
};

struct BenchmarkObserver {
    std::function<void(double share)> progress;
    /// All rows of the present conditions so far.
    std::function<void(const std::vector<widgets::BenchmarkRow>& rows, double ffn_share)> measured;
};

/// Times one set of conditions after the other. Errors: as speed::layers_of() and speed::measure_ffn_speed(). Cancelled soon after
/// `stop`; what was told to the observer before stays true.
Result<void> measure(const BenchmarkPlan& plan, const BenchmarkObserver& observer,
                     const std::stop_token& stop);

} // namespace permafrost::gui
