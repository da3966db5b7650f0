// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/sweep.h"

#include "core/masks/mask_identity.h"
#include "core/quality/loss_estimate.h"
#include "core/quality/masked_model.h"
#include "core/verdict/decision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace permafrost::quality {
namespace {

struct Prepared {
    SweptSetting swept;
    MaskedModel variant;
    bool known = false;
};

Result<Prepared> prepare(const profile::Profile& profile, const SweepSetting& setting) {
    PERMAFROST_CHECK(masks::validate(setting.rule, profile.info.layers));
    const auto decision = verdict::decide(profile, setting.rule);
    const auto layers = masks_of(decision);
    Prepared prepared;
    PERMAFROST_TRY(prepared.variant, masked_model(masks::rule_name(setting.rule), layers,
                                                  profile.info.intermediate, setting.handling, &profile));
    auto& swept = prepared.swept;
    swept.setting = setting;
    swept.frozen_share = decision.frozen_share;
    swept.estimated_speedup = decision.average_speedup;
    swept.output_loss = output_loss(profile, decision, setting.handling);
    swept.mask_sha256 = masks::mask_identity(layers);
    swept.variant_sha256 = variant_identity(prepared.variant);
    swept.result.name = prepared.variant.name;
    return prepared;
}

// Equal variants have equal results.
void take_known(std::vector<Prepared>& prepared, const std::vector<SweptSetting>& known) {
    for (auto& entry : prepared)
        for (const auto& other : known)
            if (other.variant_sha256 == entry.swept.variant_sha256) {
                entry.swept.result = other.result;
                entry.known = true;
                break;
            }
}

} // namespace

std::vector<double> spread(double from, double to, std::size_t count, bool ratios) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double place = static_cast<double>(i) / static_cast<double>(count - 1);
        values.push_back(ratios ? from * std::pow(to / from, place) : from + place * (to - from));
    }
    return values;
}

Result<Sweep> evaluate_sweep(const formats::ModelFilePtr& file, const profile::Profile& profile,
                             const text::Corpus& corpus, const std::vector<SweepSetting>& settings,
                             Sweep begun, const EvaluationSettings& evaluation, std::size_t variants_a_pass,
                             const SweepObserver& observer, const std::stop_token& stop) {
    std::vector<Prepared> prepared;
    for (const auto& setting : settings) {
        if (stop.stop_requested()) return Cancelled{};
        PERMAFROST_TRY(auto entry, prepare(profile, setting));
        prepared.push_back(std::move(entry));
    }
    take_known(prepared, begun.settings);
    const auto before = begun.settings;
    const auto collect = [&] {
        begun.settings.clear();
        for (const auto& entry : prepared)
            if (entry.known) begun.settings.push_back(entry.swept);
        for (const auto& entry : before)
            if (std::none_of(prepared.begin(), prepared.end(), [&](const Prepared& other) {
                    return other.swept.variant_sha256 == entry.variant_sha256;
                }))
                begun.settings.push_back(entry);
    };
    const auto is_open = [](const Prepared& entry) { return !entry.known; };
    const auto all = std::count_if(prepared.begin(), prepared.end(), is_open);
    while (std::any_of(prepared.begin(), prepared.end(), is_open)) {
        std::vector<MaskedModel> variants;
        std::vector<SweptSetting> swept;
        for (const auto& entry : prepared) {
            const bool twice = std::any_of(swept.begin(), swept.end(), [&](const SweptSetting& other) {
                return other.variant_sha256 == entry.swept.variant_sha256;
            });
            if (entry.known || twice || variants.size() == variants_a_pass) continue;
            variants.push_back(entry.variant);
            swept.push_back(entry.swept);
        }
        const auto open = std::count_if(prepared.begin(), prepared.end(), is_open);
        const auto begin = static_cast<double>(all - open) / static_cast<double>(all);
        const auto width = static_cast<double>(variants.size()) / static_cast<double>(all);
        EvaluationObserver pass;
        pass.wave_done = observer.wave_done;
        if (observer.progress)
            pass.progress = [&](double share) { observer.progress(begin + share * width); };
        PERMAFROST_TRY(const auto measured, evaluate_paired(file, corpus, variants, evaluation, pass, stop));
        begun.dense = measured.dense;
        for (std::size_t i = 0; i < swept.size(); ++i) swept[i].result = measured.masked[i];
        take_known(prepared, swept);
        collect();
        if (observer.pass_done) observer.pass_done(begun);
    }
    collect();
    return begun;
}

std::vector<std::size_t> pareto_front(const std::vector<SweptSetting>& settings) {
    std::vector<std::size_t> order(settings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
        const auto& a = settings[one];
        const auto& b = settings[other];
        return a.estimated_speedup != b.estimated_speedup ? a.estimated_speedup > b.estimated_speedup
                                                          : a.result.kl_mean < b.result.kl_mean;
    });
    std::vector<std::size_t> front;
    double least = std::numeric_limits<double>::infinity();
    for (const auto index : order) {
        if (!(settings[index].result.kl_mean < least)) continue; // also what is not a number
        least = settings[index].result.kl_mean;
        front.push_back(index);
    }
    std::reverse(front.begin(), front.end());
    return front;
}

} // namespace permafrost::quality
