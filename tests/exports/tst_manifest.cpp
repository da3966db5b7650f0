// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/exports.h"
#include "tests/support/synthetic_profile.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace permafrost;
using nlohmann::ordered_json;

namespace {

const exports::ExportContext context{"2026-05-17T14:32:45.123456Z"};

ordered_json manifest_of(const profile::Profile& profile, const masks::FreezeRule& rule = {}) {
    return ordered_json::parse(exports::manifest_json(profile, verdict::decide(profile, rule), context));
}

std::vector<std::string> keys_of(const ordered_json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    return keys;
}

std::vector<std::string> first(std::vector<std::string> keys, std::size_t count) {
    keys.resize(std::min(keys.size(), count));
    return keys;
}

using Names = std::vector<std::string>;

/// The seeds' first layer: 671 of 8192 frozen.
profile::ProfilePtr phi3() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> layers(32, {991, 8192});
    layers[0] = {671, 8192};
    return test::profile_with_frozen(layers);
}

} // namespace

class TestManifest : public QObject {
    Q_OBJECT

  private slots:
    void keys_come_in_the_seeds_order() {
        const auto manifest = manifest_of(*phi3());
        QVERIFY((first(keys_of(manifest), 12) ==
                 Names{"model", "saturation_method", "profiling_date", "sampling_size", "intermediate_size",
                       "num_layers", "var_threshold", "grad_threshold", "activation_threshold", "layers",
                       "saturation_trend", "summary"}));
        QVERIFY(
            (first(keys_of(manifest["layers"][0]), 5) ==
             Names{"layer_id", "pct_frozen_ffn", "estimated_speedup", "avg_variance_ffn", "saturated_pct"}));
        QVERIFY((keys_of(manifest["saturation_trend"]) ==
                 Names{"early_layers_0_7_pct", "mid_layers_8_15_pct", "late_layers_16_31_pct", "trend"}));
        QVERIFY((keys_of(manifest["summary"]) == Names{"total_estimated_speedup", "total_bitmask_bytes",
                                                       "bytes_per_layer", "recommendation", "next_step"}));
    }

    void values_have_the_seeds_formats() {
        const auto manifest = manifest_of(*phi3());
        QCOMPARE(manifest["model"], "phi3-mini");
        QCOMPARE(manifest["saturation_method"], "variance + gradient tracking");
        QCOMPARE(manifest["profiling_date"], "2026-05-17T14:32:45.123456Z");
        QCOMPARE(manifest["sampling_size"], 100);
        QCOMPARE(manifest["intermediate_size"], 8192);
        QCOMPARE(manifest["num_layers"], 32);
        QCOMPARE(manifest["var_threshold"], 0.01);
        QCOMPARE(manifest["grad_threshold"], 0.001);
        QCOMPARE(manifest["activation_threshold"], 0.1);
        QCOMPARE(manifest["layers"].size(), std::size_t{32});
        QCOMPARE(manifest["layers"][0]["layer_id"], 0);
        QCOMPARE(manifest["layers"][0]["pct_frozen_ffn"], "8.2");
        QCOMPARE(manifest["layers"][0]["estimated_speedup"], "1.09x");
        QCOMPARE(manifest["layers"][0]["avg_variance_ffn"], "0.918099"); // (7521 * 1 + 671 * 1e-4) / 8192
        QCOMPARE(manifest["layers"][0]["saturated_pct"], "8.2");
        QCOMPARE(manifest["layers"][1]["pct_frozen_ffn"], "12.1");
        QCOMPARE(manifest["layers"][1]["estimated_speedup"], "1.14x");
        QCOMPARE(manifest["saturation_trend"]["trend"], "uniform_across_depth");
        QCOMPARE(manifest["saturation_trend"]["mid_layers_8_15_pct"], "12.1");
        QCOMPARE(manifest["summary"]["total_estimated_speedup"], "1.14x");
        QCOMPARE(manifest["summary"]["total_bitmask_bytes"], 32896);
        QCOMPARE(manifest["summary"]["bytes_per_layer"], "1028");
        QCOMPARE(manifest["summary"]["recommendation"],
                 "PROCEED: Apply selective pruning; estimated improvement warranted");
        QCOMPARE(manifest["summary"]["next_step"],
                 "Encode saturation_maps into .rknot header via encode-rknot pipeline");
    }

    void own_facts_stand_under_a_key_of_their_own() {
        const auto facts = manifest_of(*phi3())["permafrost"];
        QCOMPARE(facts["quality"], "not measured");
        QCOMPARE(facts["complete"], true);
        QCOMPARE(facts["rule"]["name"], "variance+gradient");
        QCOMPARE(facts["rule"]["guard"]["on"], true);
        QCOMPARE(facts["rule"]["guard"]["guarded"], 0);
        QCOMPARE(facts["tokens"], 1000);
        QCOMPARE(facts["verdict"], "PROCEED");
    }

    void band_keys_carry_the_real_layers() {
        const auto keys = [](std::uint32_t layers) {
            return keys_of(manifest_of(*test::synthetic_profile(layers, 16, 1))["saturation_trend"]);
        };
        QCOMPARE(keys(30)[2], std::string("late_layers_16_29_pct"));
        QCOMPARE(keys(12)[1], std::string("mid_layers_3_5_pct"));
        QVERIFY((keys(1) == Names{"early_layers_0_0_pct", "trend"}));
    }

    void layers_of_other_widths_are_listed() {
        const auto manifest = manifest_of(*test::profile_with_frozen({{1, 16}, {1, 24}}));
        QCOMPARE(manifest["intermediate_size"], 16);
        QVERIFY((manifest["intermediate_sizes"] == ordered_json{16, 24}));
        QCOMPARE(manifest["summary"]["total_bitmask_bytes"], 6 + 7);
        QVERIFY(!manifest_of(*phi3()).contains("intermediate_sizes"));
    }

    void a_name_that_is_not_utf8_still_gives_json() {
        auto profile = std::make_shared<profile::Profile>(*test::profile_with_frozen({{1, 16}}));
        profile->info.model_name = "bad \xff\xfe \" name\n";
        QVERIFY(manifest_of(*profile)["model"].is_string());
    }
};

QTEST_APPLESS_MAIN(TestManifest)
#include "tst_manifest.moc"
