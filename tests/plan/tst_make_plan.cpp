// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's figures against the same variants evaluated one by one, and against sizes worked out by hand.
#include "core/plan/plan_text.h"
#include "core/profile/run.h"
#include "core/quality/masked_model.h"
#include "core/quality/paired_evaluation.h"
#include "tests/support/naive_llama.h"

#include <QtTest>

using namespace permafrost;

namespace {
constexpr std::uint32_t vocabulary = 96, context = 24;
} // namespace

class TestMakePlan : public QObject {
    Q_OBJECT

    plan::PlanRequest request_;
    plan::Plan plan_; ///< of it

    quality::Comparison alone(const masks::FreezeRule& rule) const {
        const auto decision = verdict::decide(*request_.profile, rule);
        quality::FrozenHandling handling;
        handling.all = quality::Handling::Mean;
        const auto variant =
            quality::masked_model("", quality::masks_of(decision), request_.profile->info.intermediate,
                                  handling, request_.profile.get());
        return quality::evaluate_paired(request_.model, request_.corpus, {variant.value()},
                                        request_.evaluation)
            ->masked[0];
    }

  private slots:
    void initTestCase() {
        request_.model =
            formats::open_model_file(PERMAFROST_TEST_DATA "/model/data/families/llama.gguf").value();
        request_.corpus = test::random_corpus(std::vector<std::size_t>(4, context), vocabulary, 5);
        request_.text_name = "some text";
        profile::RunSettings settings;
        settings.context = context;
        const auto text = test::random_corpus(std::vector<std::size_t>(5, context), vocabulary, 9);
        request_.profile = profile::run_profile(request_.model, text, settings)->profile;
        request_.evaluation = {context, 1, 4096, false};
        request_.deep_rule = masks::parse_rule("impact:0.25").value();
        request_.threads = 1;
        request_.repeats = 1;
        request_.prompt_tokens = 8;
        auto made = plan::make_plan(request_);
        QVERIFY2(made.ok(), made.message().c_str());
        plan_ = std::move(made).value();
    }

    void figures_are_those_of_each_variant_alone() {
        QCOMPARE(plan_.variants.size(), std::size_t{3});
        for (const auto& variant : plan_.variants) {
            const auto expected = alone(variant.rule);
            QCOMPARE(variant.text.masked.perplexity, expected.masked.perplexity);
            QCOMPARE(variant.text.accuracy_retained, expected.accuracy_retained);
            QCOMPARE(variant.speedups.size(), std::size_t{4});
            for (std::size_t i = 0; i < 4; ++i) {
                const auto& set = plan_.speed[i].frozen[static_cast<std::size_t>(variant.scenario)];
                QCOMPARE(variant.speedups[i], plan_.speed[i].fusion_speedup() * set.speedup());
            }
            if (variant.measured.tokens)
                QCOMPARE(variant.measured.tokens->loss, 1 - expected.accuracy_retained);
        }
        QCOMPARE(plan_.path.steps.back().taken, true);
    }

    void widths_and_bytes_are_those_of_the_scenario() {
        const auto& widths = request_.profile->info.intermediate;
        std::uint64_t neurons = 0;
        for (const auto width : widths) neurons += width;
        QCOMPARE(plan_.variants[0].frozen, neurons / 4);
        QCOMPARE(plan_.variants[1].frozen, neurons / 2);
        QVERIFY(plan_.variants[2].rule.layers == plan::deep_layers(request_.profile->info.layers));
        QVERIFY(plan_.variants[1].weight_bytes < plan_.variants[0].weight_bytes);
        QVERIFY(plan_.variants[0].weight_bytes < plan_.ffn_bytes);
    }

    void deep_layers_are_the_last_quarter() {
        QVERIFY((plan::deep_layers(32) == std::pair(24u, 31u)));
        QVERIFY((plan::deep_layers(30) == std::pair(23u, 29u)));
        QVERIFY((plan::deep_layers(2) == std::pair(1u, 1u)));
    }

    void the_text_names_every_scenario_and_command() {
        const auto text = plan::plan_text(plan_, request_, {"a model.gguf", "run.frost"});
        QVERIFY(text.find("Scenario ") != std::string::npos);
        const auto commands =
            plan::export_commands(plan_.variants[0], request_, {"a model.gguf", "run.frost"});
        QVERIFY(commands[0].starts_with(
            "permafrost-cli mask run.frost --rule impact:0.25 --no-guard --output-dir scenario-A"));
        QVERIFY(commands[1].starts_with("permafrost-cli prune 'a model.gguf' --masks scenario-A/"));
        const auto json = plan::plan_json(plan_, request_, {"a model.gguf", "run.frost"});
        QCOMPARE(json["variants"].size(), std::size_t{3});
        QCOMPARE(json["scenario"].get<std::string>().size(), std::size_t{1});
    }

    void what_does_not_fit_is_refused() {
        auto other = request_;
        other.model =
            formats::open_model_file(PERMAFROST_TEST_DATA "/model/data/families/gemma.gguf").value();
        const auto refused = plan::make_plan(other);
        QVERIFY(!refused.ok() && refused.message().find("another model") != std::string::npos);
        std::stop_source source;
        source.request_stop();
        QVERIFY(plan::make_plan(request_, {}, source.get_token()).cancelled());
    }
};

QTEST_APPLESS_MAIN(TestMakePlan)
#include "tst_make_plan.moc"
