// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/make_plan.h"

#include "core/model/read_tokenizer.h"
#include "core/quality/masked_model.h"
#include "core/quality/paired_evaluation.h"
#include "core/verdict/decision.h"

#include <algorithm>

namespace permafrost::plan {
namespace {

using verdict::Scenario;
constexpr std::array measured_scenarios{Scenario::A, Scenario::B, Scenario::C};

class Planner {
  public:
    Planner(const PlanRequest& request, const PlanObserver& observer, const std::stop_token& stop)
        : request_(request), observer_(observer), stop_(stop) {}

    Result<Plan> run() {
        PERMAFROST_CHECK(make_variants());
        PERMAFROST_CHECK(measure_text());
        PERMAFROST_CHECK(measure_tasks());
        PERMAFROST_CHECK(measure_speed());
        walk();
        return std::move(plan_);
    }

  private:
    Result<void> make_variants() {
        const auto& profile = *request_.profile;
        if (profile.info.model_sha256 != request_.model->header_sha256())
            return Error{"the profile is of another model (" + profile.info.model_name + ") than " +
                         request_.model->location() + ": profile this one"};
        if (!profile.complete())
            return Error{
                "the profile is not complete, so its means are not known: finish it with --resume, or "
                "merge its shards"};
        const auto rules = scenario_rules(request_);
        for (std::size_t i = 0; i < rules.size(); ++i) {
            PERMAFROST_CHECK(masks::validate(rules[i], profile.info.layers));
            const auto decision = verdict::decide(profile, rules[i]);
            quality::FrozenHandling handling;
            handling.all = quality::Handling::Mean;
            const std::string name(1, verdict::facts(measured_scenarios[i]).letter);
            PERMAFROST_TRY(auto variant,
                           quality::masked_model(name, quality::masks_of(decision), profile.info.intermediate,
                                                 handling, &profile));
            speed::FrozenNeurons frozen{name, {}};
            for (const auto& layer : variant.layers) frozen.layers.push_back(layer.neurons);
            models_.push_back(std::move(variant));
            frozen_.push_back(std::move(frozen));
            auto& planned = plan_.variants.emplace_back();
            planned.scenario = measured_scenarios[i];
            planned.rule = rules[i];
            planned.frozen = planned.measured.frozen = decision.frozen;
            planned.frozen_share = decision.frozen_share;
        }
        return {};
    }

    std::function<void(double)> progress_of(const char* what) const {
        return [this, what](double share) {
            if (observer_.progress) observer_.progress(what, share);
        };
    }

    Result<void> measure_text() {
        quality::EvaluationObserver observer;
        observer.progress = progress_of("quality");
        PERMAFROST_TRY(auto evaluation, quality::evaluate_paired(request_.model, request_.corpus, models_,
                                                                 request_.evaluation, observer, stop_));
        plan_.dense = evaluation.dense;
        for (std::size_t i = 0; i < models_.size(); ++i) {
            auto& variant = plan_.variants[i];
            variant.text = evaluation.masked[i];
            if (plan_.dense.top1_accuracy <= 0) continue;
            const auto right = plan_.dense.top1_accuracy * static_cast<double>(plan_.dense.tokens);
            variant.measured.tokens = verdict::AccuracyLoss{
                1 - variant.text.accuracy_retained, variant.text.accuracy_retained_error, plan_.dense.tokens,
                static_cast<std::uint64_t>(right + 0.5)};
        }
        return {};
    }

    Result<void> measure_tasks() {
        if (!request_.tasks) return {};
        auto tasks = *request_.tasks;
        auto examples = request_.examples;
        if (examples.empty()) {
            if (tasks.questions.size() <= request_.shots)
                return Error{tasks.name + " has " + std::to_string(tasks.questions.size()) +
                             " questions, too few to give " + std::to_string(request_.shots) +
                             " of them as examples: name others with --dev, or use fewer --shots"};
            const auto first_asked = tasks.questions.begin() + static_cast<std::ptrdiff_t>(request_.shots);
            examples.assign(tasks.questions.begin(), first_asked);
            tasks.questions.erase(tasks.questions.begin(), first_asked);
        }
        PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*request_.model));
        auto settings = request_.evaluation;
        settings.context = quality::EvaluationSettings().context;
        PERMAFROST_TRY(auto result,
                       quality::evaluate_tasks(request_.model, *tokenizer, tasks, examples, models_, settings,
                                               progress_of("questions"), stop_));
        for (std::size_t i = 0; i < models_.size(); ++i) {
            auto& variant = plan_.variants[i];
            variant.tasks = result.masked[i];
            variant.measured.tasks = verdict::loss_of_answers(
                result.dense.hits, result.dense.count, variant.tasks->only_dense, variant.tasks->only_masked);
        }
        plan_.tasks = std::move(result);
        return {};
    }

    Result<void> measure_speed() {
        PERMAFROST_TRY(const auto layers, speed::layers_of(request_.model));
        speed::SpeedSettings settings;
        settings.repeats = request_.repeats;
        settings.conditions = {{request_.threads, 1},
                               {1, 1},
                               {request_.threads, request_.prompt_tokens},
                               {1, request_.prompt_tokens}};
        speed::SpeedObserver observer;
        observer.progress = progress_of("speed");
        PERMAFROST_TRY(plan_.speed, speed::measure_ffn_speed(layers, frozen_, settings, observer, stop_));
        plan_.ffn_bytes = layers.bytes();
        plan_.ffn_share = layers.ffn_share();
        for (const auto& measured : plan_.speed) {
            const double fusion = measured.fusion_speedup();
            plan_.fusion.push_back(fusion);
            for (std::size_t i = 0; i < plan_.variants.size(); ++i) {
                auto& variant = plan_.variants[i];
                const auto& set = measured.frozen[i];
                variant.speedups.push_back(fusion * set.speedup());
                variant.model_speedups.push_back(
                    speed::whole_model_speedup(plan_.ffn_share, variant.speedups.back()));
                variant.weight_bytes =
                    static_cast<std::uint64_t>((set.compacted ? *set.compacted : set.masked).bytes);
                variant.measured.speedup = variant.speedups.front();
            }
        }
        return {};
    }

    void walk() {
        const auto& variants = plan_.variants;
        plan_.path = verdict::walk_scenarios(variants[0].measured, variants[1].measured, variants[2].measured,
                                             plan_.fusion.front());
    }

    const PlanRequest& request_;
    const PlanObserver& observer_;
    const std::stop_token& stop_;
    std::vector<quality::MaskedModel> models_;
    std::vector<speed::FrozenNeurons> frozen_;
    Plan plan_;
};

} // namespace

std::pair<std::uint32_t, std::uint32_t> deep_layers(std::uint32_t layers) {
    const auto deep = std::max(1u, layers / 4);
    return {layers - deep, layers - 1};
}

std::vector<masks::FreezeRule> scenario_rules(const PlanRequest& request) {
    std::vector<masks::FreezeRule> rules;
    for (const double removed : {0.25, 0.5}) {
        auto& rule = rules.emplace_back();
        rule.method = masks::FreezeRule::Method::Impact;
        rule.quantile = removed;
        rule.guard = false;
    }
    rules.push_back(request.deep_rule);
    if (!rules.back().layers) rules.back().layers = deep_layers(request.profile->info.layers);
    return rules;
}

Result<Plan> make_plan(const PlanRequest& request, const PlanObserver& observer,
                       const std::stop_token& stop) {
    return Planner(request, observer, stop).run();
}

} // namespace permafrost::plan
