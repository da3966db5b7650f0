// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/exports/exports.h"
#include "core/formats/knot.h"
#include "tests/support/synthetic_profile.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/stat.h>

using namespace permafrost;
namespace fs = std::filesystem;

namespace {

const exports::ExportContext context{"2026-05-17T14:32:45.123456Z"};

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
    return names;
}

} // namespace

class TestExportAll : public QObject {
    Q_OBJECT

  private slots:
    void four_files_appear_in_a_new_folder() {
        const auto profile = test::profile_with_frozen({{3, 20}, {5, 20}});
        const auto decision = verdict::decide(*profile, {});
        const auto folder = folder_ / "new/inner";
        const auto paths = exports::export_all(*profile, decision, context, folder);
        QVERIFY2(paths.ok(), paths.message().c_str());
        QVERIFY((names_in(folder) == std::set<std::string>{"saturation-manifest.json", "saturation-maps.rs",
                                                           "saturation-report.csv", "phi3-mini.rknot"}));
        QCOMPARE(paths.value().size(), std::size_t{4});
        QCOMPARE(read_text_file(folder / "saturation-manifest.json").value(),
                 exports::manifest_json(*profile, decision, context));
        QCOMPARE(read_text_file(folder / "saturation-maps.rs").value(),
                 exports::rust_source(*profile, decision, context));
        QCOMPARE(read_text_file(folder / "saturation-report.csv").value(),
                 exports::report_csv(*profile, decision));
    }

    void the_rknot_carries_every_bit() {
        const auto profile = test::synthetic_profile(3, 21, 4);
        const auto decision = verdict::decide(*profile, {});
        QVERIFY(exports::export_all(*profile, decision, context, folder_.path()).ok());
        const auto path = folder_ / "random-statistics.rknot";
        const auto maps = nlohmann::json::parse(formats::read_saturation_maps(path).value());
        QCOMPARE(maps["model_name"], "random statistics");
        QCOMPARE(maps["profile_method"], "variance_gradient_tracking");
        QCOMPARE(maps["stats"].size(), std::size_t{0});
        for (std::uint32_t layer = 0; layer < 3; ++layer) {
            const auto& entry = maps["ffn_frozen_per_layer"][std::to_string(layer)];
            QCOMPARE(entry["layer_id"], layer);
            QCOMPARE(entry["num_neurons"], 21);
            const auto bytes = entry["frozen_mask"].get<std::vector<std::uint8_t>>();
            QVERIFY(masks::Bitmask(21, bytes) == decision.masks[layer].frozen);
        }
        const auto file = formats::open_model_file(path.string());
        QVERIFY2(file.ok(), file.message().c_str());
        QCOMPARE(*file.value()->metadata().string("general.architecture"), std::string("llama"));
    }

    void existing_files_are_replaced() {
        const auto profile = test::profile_with_frozen({{3, 20}});
        const auto folder = folder_ / "again";
        QVERIFY(exports::export_all(*profile, verdict::decide(*profile, {}), context, folder).ok());
        const auto before = read_text_file(folder / "saturation-maps.rs").value();
        const auto other = verdict::decide(*profile, masks::parse_rule("quantile:0.5").value());
        QVERIFY(exports::export_all(*profile, other, context, folder).ok());
        QVERIFY(read_text_file(folder / "saturation-maps.rs").value() != before);
        QCOMPARE(names_in(folder).size(), std::size_t{4});
    }

    void when_one_cannot_be_written_none_is_replaced() {
        const auto profile = test::profile_with_frozen({{3, 20}});
        const auto folder = folder_ / "blocked";
        fs::create_directories(folder / "phi3-mini.rknot"); // a folder where a file should go
        std::ofstream(folder / "saturation-manifest.json") << "old";
        const auto paths = exports::export_all(*profile, verdict::decide(*profile, {}), context, folder);
        QVERIFY(paths.message().find("phi3-mini.rknot") != std::string::npos);
        QCOMPARE(read_text_file(folder / "saturation-manifest.json").value(), std::string("old"));
        QCOMPARE(names_in(folder).size(), std::size_t{2});
    }

    void a_folder_that_cannot_be_made_is_named() {
        std::ofstream(folder_ / "file") << "x";
        const auto profile = test::profile_with_frozen({{3, 20}});
        const auto paths =
            exports::export_all(*profile, verdict::decide(*profile, {}), context, folder_ / "file/folder");
        QVERIFY(paths.message().find("file/folder") != std::string::npos);
    }

    void names_become_files_and_functions() {
        QCOMPARE(exports::file_stem("SmolLM2-135M-Instruct"), std::string("SmolLM2-135M-Instruct"));
        QCOMPARE(exports::file_stem("Llama 3.2 1B / Instruct"), std::string("Llama-3.2-1B-Instruct"));
        QCOMPARE(exports::file_stem("../../etc/passwd"), std::string("etc-passwd"));
        QCOMPARE(exports::file_stem(""), std::string("model"));
        QCOMPARE(exports::rust_function_name("phi3-mini"), std::string("phi3_saturation_maps"));
        QCOMPARE(exports::rust_function_name("SmolLM2 135M Instruct"),
                 std::string("smollm2_saturation_maps"));
        QCOMPARE(exports::rust_function_name("Qwen2.5-7B"), std::string("qwen2_5_saturation_maps"));
        QCOMPARE(exports::rust_function_name("7B"), std::string("model_7b_saturation_maps"));
        QCOMPARE(exports::rust_function_name("模型"), std::string("model_saturation_maps"));
    }

    void dates_have_the_seeds_form() {
        const auto path = folder_ / "dated";
        std::ofstream(path) << "x";
        const timespec moment{1779028365, 123456789}; // 2026-05-17 14:32:45 UTC
        const timespec times[2]{moment, moment};
        QCOMPARE(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
        QCOMPARE(exports::modification_date(path), std::string("2026-05-17T14:32:45.123456Z"));
        QCOMPARE(exports::modification_date(folder_ / "absent"), std::string());
    }

  private:
    test::TemporaryFolder folder_;
};

QTEST_APPLESS_MAIN(TestExportAll)
#include "tst_export_all.moc"
