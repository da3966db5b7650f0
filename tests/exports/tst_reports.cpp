// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/exports.h"
#include "tests/support/synthetic_profile.h"

#include <QtTest>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <sstream>

using namespace permafrost;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    return cells;
}

bool has_line(const std::string& text, const std::string& line) {
    for (const auto& each : lines_of(text))
        if (each == line) return true;
    return false;
}

std::string table_of(const profile::Profile& profile) {
    return exports::report_table(profile, verdict::decide(profile, {}));
}

} // namespace

class TestReports : public QObject {
    Q_OBJECT

  private slots:
    void the_csv_begins_with_the_seeds_columns() {
        const auto profile = test::profile_with_frozen({{2, 8}, {4, 8}});
        const auto lines = lines_of(exports::report_csv(*profile, verdict::decide(*profile, {})));
        QCOMPARE(lines.size(), std::size_t{3});
        QVERIFY(lines[0].starts_with("layer,neurons,saturated_pct,avg_var_gate,avg_var_up,speedup,"));
        QVERIFY(lines[1].starts_with("0,8,25.0000,0.000000,0.000000,1.3333,25.0000,"));
        QVERIFY(lines[2].find(",4,4,0,") != std::string::npos);
        QCOMPARE(std::count(lines[2].begin(), lines[2].end(), ','),
                 std::count(lines[0].begin(), lines[0].end(), ',')); // the last cell may be empty
    }

    void the_table_has_the_seeds_columns_and_frozen() {
        const auto text = table_of(*test::profile_with_frozen({{1, 8}, {4, 8}}));
        QVERIFY(text.starts_with("=== phi3-mini Saturation Profile ===\n\n"
                                 "Layer  Neurons  Saturated%  AvgVarGate  AvgVarUp  Speedup  Frozen%\n"
                                 "0      8        12.5        0.000000    0.000000  1.14x    12.5\n"
                                 "1      8        50.0        0.000000    0.000000  2.00x    50.0\n"));
    }

    void the_table_ends_with_summary_bands_trend_and_verdict() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> layers;
        for (std::uint32_t layer = 0; layer < 32; ++layer)
            layers.push_back({layer < 8 ? 1 : layer < 16 ? 2 : 5, 10});
        const auto text = table_of(*test::profile_with_frozen(layers));
        QVERIFY(has_line(text, "=== Summary Statistics ==="));
        QVERIFY(has_line(text, "Average saturated neurons: 32.5%"));
        QVERIFY(text.find("Average estimated speedup: 1.59x (an upper bound") != std::string::npos);
        QVERIFY(has_line(text, "=== Saturation by Depth ==="));
        QVERIFY(has_line(text, "Early layers (0-7):    10.0% saturated, 10.0% frozen"));
        QVERIFY(has_line(text, "Mid layers (8-15):     20.0% saturated, 20.0% frozen"));
        QVERIFY(has_line(text, "Late layers (16-31):   50.0% saturated, 50.0% frozen"));
        QVERIFY(has_line(text, "Trend: Saturation INCREASES with depth (10.0% -> 50.0% frozen)"));
        QVERIFY(has_line(text, "Interpretation: Deeper layers have more redundancy, potentially prunable."));
        QVERIFY(has_line(text, "PROCEED: Apply selective pruning; estimated improvement warranted"));
        QVERIFY(has_line(text, "Quality: not measured"));
    }

    void an_unfinished_profile_is_called_provisional() {
        auto profile = std::make_shared<profile::Profile>(*test::profile_with_frozen({{1, 8}, {1, 8}}));
        profile->layers[1] = nullptr;
        const auto text = table_of(*profile);
        QVERIFY(has_line(text, "1      8        -           -           -         -        -"));
        QVERIFY(has_line(text, "Provisional: the profile is not complete."));
    }

    void a_hostile_name_cannot_steer_the_terminal() {
        auto profile = std::make_shared<profile::Profile>(*test::profile_with_frozen({{1, 8}}));
        profile->info.model_name = "evil\x1b[2J\nname";
        QVERIFY(table_of(*profile).find('\x1b') == std::string::npos);
    }

    void neurons_have_the_contracts_columns() {
        const auto profile = test::synthetic_profile(1, 50, 2);
        const auto& layer = *profile->layers[0];
        const auto mask = masks::freeze_layer(layer, {});
        const auto lines = lines_of(exports::neurons_csv(layer, mask, {}));
        QCOMPARE(lines.size(), std::size_t{51});
        QCOMPARE(
            lines[0],
            std::string(
                "neuron,count,mean,variance,min,max,low_activity,gate_mean,gate_variance,up_mean,up_variance,"
                "temporal_gradient,down_norm,frozen,reason"));
        for (std::size_t i = 0; i < 50; ++i) {
            const auto cells = cells_of(lines[i + 1]);
            QCOMPARE(cells[0], std::to_string(i));
            QCOMPARE(cells[1], std::string("4096"));
            QCOMPARE(std::strtof(cells[2].c_str(), nullptr), layer.mean()[i]);
            QCOMPARE(std::strtof(cells[3].c_str(), nullptr), layer.variance()[i]);
            QCOMPARE(std::strtof(cells[5].c_str(), nullptr), layer.statistics().maximum[i]);
            QCOMPARE(std::strtof(cells[12].c_str(), nullptr), layer.down_norm()[i]);
            QCOMPARE(cells[13], std::string(mask.frozen.test(i) ? "1" : "0"));
            QVERIFY(cells[14].starts_with("\""));
        }
    }

    void numbers_do_not_follow_the_locale() {
        const auto profile = test::profile_with_frozen({{1, 8}});
        const auto before = table_of(*profile);
        if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr)
            QSKIP("no locale with a decimal comma is installed");
        const auto after = table_of(*profile);
        std::setlocale(LC_NUMERIC, "C");
        QCOMPARE(after, before);
    }
};

QTEST_APPLESS_MAIN(TestReports)
#include "tst_reports.moc"
