// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many settings of the freeze rule, each evaluated on the same text: a few variants to a pass, and what was measured is handed
// over after each pass, so that a sweep can be kept, shown while it runs, and taken up again.
#pragma once

#include "core/masks/freeze_rule.h"
#include "core/profile/profile.h"
#include "core/quality/handling.h"
#include "core/quality/paired_evaluation.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace permafrost::quality {

struct SweepSetting {
    masks::FreezeRule rule;
    FrozenHandling handling;
};

/// `count` (at least 2) values from one to the other, in equal ratios or equal steps; ratios need both above zero.
std::vector<double> spread(double from, double to, std::size_t count, bool ratios);

/// A setting and what it does.
struct SweptSetting {
    SweepSetting setting;
    double frozen_share = 0;      ///< of all neurons
    double estimated_speedup = 1; ///< mean of layers, an upper bound
    double output_loss = 0;       ///< output_loss(): what the instant estimate goes by
    std::string mask_sha256;      ///< masks::mask_identity()
    std::string variant_sha256;   ///< variant_identity()
    Comparison result;
};

/// What a sweep was measured on. Only points of equal subjects can be compared.
struct SweepSubject {
    std::string model_sha256;  ///< formats::ModelFile::header_sha256()
    std::string text;          ///< "held-out text", or the file's name
    std::string text_sha256;   ///< text::Corpus::sha256 of the whole text
    std::uint64_t windows = 0; ///< of its windows the first so many are evaluated
    std::uint32_t context = 0;
    double overlap = 0; ///< share of the text that is in the profiled one
    /// Of the same measurements; whether the text overlaps says nothing about that.
    bool operator==(const SweepSubject& other) const {
        return model_sha256 == other.model_sha256 && text_sha256 == other.text_sha256 &&
               windows == other.windows && context == other.context;
    }
};

struct Sweep {
    SweepSubject subject;
    Evaluation dense;
    std::vector<SweptSetting> settings;
};

struct SweepObserver {
    std::function<void(double share)> progress;
    /// Within a pass: what is known so far of the variants in it.
    std::function<void(const PairedEvaluation& so_far)> wave_done;
    /// After each pass; the sweep with all that is known.
    std::function<void(const Sweep& so_far)> pass_done;
};

/// `begun` may have settings already, of a sweep that was interrupted: those whose variant computes the same are not evaluated
/// again. The result has one entry for each of `settings`, in their order, then what `begun` has beyond them.
/// `variants_a_pass`: more share more work and take more memory (a wave's hidden states each).
/// Errors: as evaluate_paired(); a rule that makes no sense for the profile. Cancelled. The subject is the caller's business.
Result<Sweep> evaluate_sweep(const formats::ModelFilePtr& file, const profile::Profile& profile,
                             const text::Corpus& corpus, const std::vector<SweepSetting>& settings,
                             Sweep begun, const EvaluationSettings& evaluation,
                             std::size_t variants_a_pass = 4, const SweepObserver& observer = {},
                             const std::stop_token& stop = {});

/// Indices of the settings that no other one betters: more estimated speed-up for no more KL. Ascending speed-up.
std::vector<std::size_t> pareto_front(const std::vector<SweptSetting>& settings);

} // namespace permafrost::quality
