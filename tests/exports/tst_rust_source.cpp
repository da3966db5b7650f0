// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/exports/embed_masks.h"
#include "core/exports/exports.h"
#include "core/formats/knot.h"
#include "core/masks/mask_files.h"
#include "core/model/model_config.h"
#include "tests/support/synthetic_profile.h"
#include "tests/support/temporary_folder.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <sstream>

using namespace permafrost;
namespace fs = std::filesystem;

namespace {

const exports::ExportContext context{"2026-05-17T14:32:45.123456Z"};

/// Where cargo keeps what it built, so that the next run of this test need not build it again.
QString cargo_target() { return QFileInfo("/proc/self/exe").canonicalPath() + "/rust-target"; }

struct CargoRun {
    bool ok = false;
    std::string output;
    std::string errors;
};

CargoRun run_cargo(const QString& cargo, const QProcessEnvironment& environment,
                   const QStringList& arguments) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(cargo, arguments);
    CargoRun run;
    run.ok = process.waitForFinished(15 * 60 * 1000) && process.exitStatus() == QProcess::NormalExit &&
             process.exitCode() == 0;
    run.output = process.readAllStandardOutput().toStdString();
    run.errors = process.readAllStandardError().toStdString();
    return run;
}

std::string bits_of(const masks::Bitmask& mask) {
    std::string bits;
    for (std::size_t i = 0; i < mask.size(); ++i) bits += mask.test(i) ? '1' : '0';
    return bits;
}

/// "layer neurons" -> bits, of the lines that begin with `title`; and the text after "json".
struct Printed {
    std::map<std::string, std::map<std::string, std::string>> masks;
    std::string json;
};

Printed parse_output(const std::string& output) {
    Printed printed;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("json ")) {
            printed.json = line.substr(5);
            continue;
        }
        std::istringstream words(line);
        std::string title, layer, neurons, bits;
        words >> title >> layer >> neurons >> bits;
        printed.masks[title][layer + " " + neurons] = bits;
    }
    return printed;
}

/// Layers of widths that are and are not multiples of 8, one with nothing frozen, one frozen entirely, one
/// not reached.
profile::ProfilePtr mixed_profile() {
    auto profile = std::make_shared<profile::Profile>(*test::synthetic_profile(6, 61, 11));
    profile->layers[1] = test::profile_with_frozen({{0, 64}})->layers[0];
    profile->layers[2] = test::profile_with_frozen({{13, 13}})->layers[0];
    profile->layers[3] = nullptr;
    profile->info.intermediate = {61, 64, 13, 61, 61, 61};
    profile->info.model_name = "phi3-mini \"quoted\" \\ back\nline é \xe2\x80\xae bidi \xff";
    return profile;
}

} // namespace

class TestRustSource : public QObject {
    Q_OBJECT

  private slots:
    void the_source_looks_as_in_the_seeds() {
        auto profile = std::make_shared<profile::Profile>(*test::profile_with_frozen({{3, 20}, {0, 16}}));
        const auto text = exports::rust_source(*profile, verdict::decide(*profile, {}), context);
        const std::string expected = R"(
use distributed_inference::rknot::saturation_metadata::{LayerFrozenBitmask, SaturationMaps};

pub fn phi3_saturation_maps() -> SaturationMaps {
    let mut maps = SaturationMaps::new(2, "variance_gradient_tracking".to_string())
        .with_model_name("phi3-mini".to_string());
    maps.profile_date = "2026-05-17T14:32:45.123456Z".to_string();

    // Layer 0: 15.0% frozen (3/20)
    {
        let mut mask = LayerFrozenBitmask::new(0, 20);
        mask.frozen_mask[0] = 0x07; // neurons 0-7
        maps = maps.insert_layer_mask(mask);
    }

    // Layer 1: 0.0% frozen (0/16)
    {
        let mask = LayerFrozenBitmask::new(1, 16);
        maps = maps.insert_layer_mask(mask);
    }

    maps
}
)";
        QVERIFY2(text.ends_with(expected), text.c_str());
    }

    void rust_compiles_it_and_reads_every_bit_and_the_header() {
        if (!prepare_cargo()) QSKIP("cargo or its crates not found");
        const auto profile = mixed_profile();
        const auto decision = verdict::decide(*profile, {});
        QVERIFY(exports::export_all(*profile, decision, context, folder_.path()).ok());
        const auto rknot = folder_ / (exports::file_stem(profile->info.model_name) + ".rknot");
        QVERIFY(write_file(folder_ / "maps.json", formats::read_saturation_maps(rknot).value()).ok());
        QVERIFY(write_file(folder_ / "call.rs",
                           "exported::" + exports::rust_function_name(profile->info.model_name) + "()")
                    .ok());
        environment_.insert("PERMAFROST_EXPORTED_SOURCE", path_of("saturation-maps.rs"));
        environment_.insert("PERMAFROST_EXPORTED_CALL", path_of("call.rs"));
        const auto run = cargo({"run", "--quiet", "--features", "exported", "--example", "exported"},
                               {"--", path_of("maps.json")});
        QVERIFY2(run.ok, run.errors.c_str());
        QVERIFY2(run.errors.find("warning") == std::string::npos, run.errors.c_str());

        const auto printed = parse_output(run.output);
        for (const auto& title : {"source", "header"}) {
            const auto& layers = printed.masks.at(title);
            QCOMPARE(layers.size(), std::size_t{5});
            for (const auto& layer : decision.layers) {
                if (!layer.profiled) continue;
                const auto key = std::to_string(layer.layer) + " " + std::to_string(layer.neurons);
                QCOMPARE(layers.at(key), bits_of(decision.masks[layer.layer].frozen));
            }
        }
        using nlohmann::json;
        QVERIFY(json::parse(printed.json) ==
                json::parse(exports::saturation_maps_json(*profile, decision, context)));
    }

    void rust_reads_every_container_and_writes_one() {
        if (!prepare_cargo()) QSKIP("cargo or its crates not found");
        const auto model =
            formats::open_model_file(PERMAFROST_TEST_DATA "/model/data/families/llama").value();
        const auto config = model::read_model_config(*model).value();
        std::mt19937 random(3);
        masks::SaturationMaps maps;
        maps.model_name = "tiny é";
        maps.method = "any";
        maps.date = "2026-05-17";
        for (std::uint32_t layer = 0; layer < config.layers; ++layer) {
            masks::Bitmask mask(config.intermediate[layer]);
            for (std::size_t i = 0; i < mask.size(); ++i) mask.set(i, random() % 3 == 0);
            maps.layers.emplace(layer, mask);
        }
        for (const char* name : {"m.gguf", "m.safetensors", "m.rknot", "m.saturation.json"}) {
            const auto written = exports::embed_masks(*model, maps, folder_ / name);
            QVERIFY2(written.ok(), written.ok() ? "" : written.message().c_str());
            const auto run = cargo({"run", "--quiet", "--example", "masks"},
                                   {"--", path_of(name), path_of("from-rust.rknot")});
            QVERIFY2(run.ok, run.errors.c_str());
            const auto printed = parse_output(run.output).masks.at("masks");
            QCOMPARE(printed.size(), maps.layers.size());
            for (const auto& [layer, mask] : maps.layers)
                QCOMPARE(printed.at(std::to_string(layer) + " " + std::to_string(mask.size())),
                         bits_of(mask));
            const auto back = masks::read_saturation_maps(folder_ / "from-rust.rknot");
            QVERIFY2(back.ok(), back.ok() ? "" : back.message().c_str());
            QCOMPARE(back->layers, maps.layers);
            QCOMPARE(back->model_name, maps.model_name);
            QCOMPARE(back->method, maps.method);
        }
    }

    void its_own_tests_pass() {
        if (!prepare_cargo()) QSKIP("cargo or its crates not found");
        const auto run = cargo({"test", "--quiet"}, {});
        QVERIFY2(run.ok, (run.output + run.errors).c_str());
    }

  private:
    // Whether cargo and the crates that it needs are there.
    bool prepare_cargo() {
        if (prepared_) return *prepared_;
        prepared_ = false;
        program_ = QStandardPaths::findExecutable("cargo");
        if (program_.isEmpty()) {
            std::puts("SKIPPED: cargo not found");
            return false;
        }
        environment_ = QProcessEnvironment::systemEnvironment();
        environment_.insert("CARGO_TARGET_DIR", cargo_target());
        prepared_ = cargo({"fetch"}, {}).ok ||
                    run_cargo(program_, environment_, {"fetch", "--locked", "--manifest-path", manifest}).ok;
        if (!*prepared_)
            std::puts("SKIPPED: the crates that the Rust package needs are neither cached nor reachable");
        return *prepared_;
    }
    CargoRun cargo(QStringList arguments, const QStringList& after) const {
        arguments += {"--locked", "--offline", "--manifest-path", manifest};
        return run_cargo(program_, environment_, arguments + after);
    }
    QString path_of(const std::string& name) const {
        return QString::fromStdString((folder_ / name).string());
    }

    inline static const QString manifest = PERMAFROST_TEST_DATA "/../packaging/rust/Cargo.toml";
    test::TemporaryFolder folder_;
    QProcessEnvironment environment_;
    QString program_;
    std::optional<bool> prepared_;
};

QTEST_APPLESS_MAIN(TestRustSource)
#include "tst_rust_source.moc"
