// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/decision.h"

#include <QtTest>

using namespace permafrost::verdict;

namespace {

/// "0-7 8-15 16-31"; "-" for an empty band
std::string bands_of(std::uint32_t layers) {
    std::string text;
    for (const auto& band : cut_bands(layers)) {
        if (!text.empty()) text += ' ';
        text += band.empty ? "-" : std::to_string(band.first) + "-" + std::to_string(band.last);
    }
    return text;
}

} // namespace

class TestVerdict : public QObject {
    Q_OBJECT

  private slots:
    void the_borders_belong_to_the_lower_verdict() {
        QCOMPARE(judge(1.0500001), Verdict::Proceed);
        QCOMPARE(judge(1.05), Verdict::Conditional);
        QCOMPARE(judge(1.0200001), Verdict::Conditional);
        QCOMPARE(judge(1.02), Verdict::Skip);
        QCOMPARE(judge(1), Verdict::Skip);
    }

    void recommendations_are_the_seeds() {
        QCOMPARE(recommendation(Verdict::Proceed),
                 std::string_view("PROCEED: Apply selective pruning; estimated improvement warranted"));
        QCOMPARE(
            recommendation(Verdict::Conditional),
            std::string_view("CONDITIONAL: Marginal improvement; consider if inference is latency-critical"));
        QCOMPARE(
            recommendation(Verdict::Skip),
            std::string_view("SKIP: Insufficient saturation detected; skip sparse inference for this model"));
        QCOMPARE(next_step(Verdict::Proceed),
                 std::string_view("Encode saturation_maps into .rknot header via encode-rknot pipeline"));
        for (const auto verdict : {Verdict::Proceed, Verdict::Conditional, Verdict::Skip})
            QVERIFY(recommendation(verdict).starts_with(word(verdict)));
    }

    void a_layers_speedup_is_bounded_by_its_neurons() {
        QCOMPARE(layer_speedup(0, 8192), 1.0);
        QCOMPARE(layer_speedup(4096, 8192), 2.0);
        QCOMPARE(layer_speedup(8192, 8192), 8192.0);
        QCOMPARE(layer_speedup(0, 0), 1.0);
    }

    void large_models_have_the_seeds_bands() {
        QCOMPARE(bands_of(24), std::string("0-7 8-15 16-23"));
        QCOMPARE(bands_of(30), std::string("0-7 8-15 16-29"));
        QCOMPARE(bands_of(32), std::string("0-7 8-15 16-31"));
        QCOMPARE(bands_of(80), std::string("0-7 8-15 16-79"));
    }

    void small_models_are_cut_in_the_same_proportions() {
        QCOMPARE(bands_of(4), std::string("0-0 1-1 2-3"));
        QCOMPARE(bands_of(12), std::string("0-2 3-5 6-11"));
        QCOMPARE(bands_of(23), std::string("0-5 6-11 12-22"));
    }

    void tiny_models_have_empty_bands() {
        QCOMPARE(bands_of(0), std::string("- - -"));
        QCOMPARE(bands_of(1), std::string("0-0 - -"));
        QCOMPARE(bands_of(2), std::string("0-0 - 1-1"));
        QCOMPARE(bands_of(3), std::string("0-0 1-1 2-2"));
    }

    void bands_cover_every_layer_once() {
        for (std::uint32_t layers = 1; layers <= 100; ++layers) {
            std::uint32_t next = 0;
            for (const auto& band : cut_bands(layers)) {
                if (band.empty) continue;
                QCOMPARE(band.first, next);
                QVERIFY(band.last >= band.first);
                next = band.last + 1;
            }
            QCOMPARE(next, layers);
        }
    }

    void within_one_point_the_trend_is_uniform() {
        QCOMPARE(trend_of(0.082, 0.223), Trend::Increases);
        QCOMPARE(trend_of(0.223, 0.082), Trend::Decreases);
        QCOMPARE(trend_of(0.04, 0.05), Trend::Uniform); // one point, though 0.05 - 0.04 > 0.01 in f64
        QCOMPARE(trend_of(0.05, 0.04), Trend::Uniform);
        QCOMPARE(trend_of(0.04, 0.0501), Trend::Increases);
        QCOMPARE(identifier(Trend::Increases), std::string_view("increases_with_depth"));
        QCOMPARE(identifier(Trend::Decreases), std::string_view("decreases_with_depth"));
        QCOMPARE(identifier(Trend::Uniform), std::string_view("uniform_across_depth"));
    }

    void the_sentence_gives_number_limit_and_share() {
        Decision decision;
        decision.average_speedup = 1.009;
        decision.frozen_share = 0.009;
        QCOMPARE(
            one_sentence(decision),
            std::string(
                "Mean layer speed-up 1.01x is not above 1.02x: too little is frozen (0.9 % of neurons)."));
    }

    void the_sentence_shows_as_many_digits_as_the_verdict_needs() {
        Decision decision;
        decision.average_speedup = 1.0503;
        decision.verdict = judge(decision.average_speedup);
        QVERIFY(one_sentence(decision).find("1.0503x is above 1.05x") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
