// SPDX-License-Identifier: GPL-3.0-or-later
//
// Integration kits, as far as they run here: C with the compiler, Rust with cargo. Python: packaging/python/tests.
#include "core/base/atomic_file.h"
#include "core/exports/embed_masks.h"
#include "core/exports/integration_kit.h"
#include "core/masks/mask_files.h"
#include "core/model/model_config.h"
#include "tests/support/temporary_folder.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <random>

using namespace permafrost;
namespace fs = std::filesystem;

namespace {

struct Ran {
    int code = -1;
    QByteArray out, errors;
};

Ran run(const QString& program, const QStringList& arguments, const fs::path& folder,
        const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(folder.string()));
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    Ran ran;
    if (process.waitForFinished(600'000) && process.exitStatus() == QProcess::NormalExit)
        ran.code = process.exitCode();
    ran.out = process.readAllStandardOutput();
    ran.errors = process.readAllStandardError();
    return ran;
}

} // namespace

class TestIntegrationKit : public QObject {
    Q_OBJECT

    test::TemporaryFolder folder_;
    formats::ModelFilePtr model_;
    masks::SaturationMaps maps_;

    fs::path write(const std::string& kit) {
        const auto target = folder_ / kit;
        const auto written = exports::write_kit(kit, "a model.gguf", maps_, target);
        if (!written.ok()) qFatal("%s", written.message().c_str());
        return target;
    }

  private slots:
    void initTestCase() {
        model_ = formats::open_model_file("demo").value();
        const auto config = model::read_model_config(*model_).value();
        std::mt19937 random(9);
        maps_.model_name = config.name;
        for (std::uint32_t layer = 0; layer < config.layers; ++layer) {
            masks::Bitmask mask(config.intermediate[layer]);
            for (std::size_t i = 0; i < mask.size(); ++i) mask.set(i, random() % 5 == 0 || layer == 2);
            maps_.layers.emplace(layer, mask);
        }
    }

    void every_kit_has_a_readme_and_masks() {
        for (const auto& kit : exports::kit_names()) {
            const auto target = write(kit);
            const auto readme = read_text_file(target / "README.md").value();
            QVERIFY(readme.find("{{") == std::string::npos);
            QVERIFY(readme.find(maps_.model_name) != std::string::npos);
            QCOMPARE(masks::read_saturation_maps(target / "masks.saturation.json")->layers, maps_.layers);
            QVERIFY(!exports::write_kit(kit, "model", maps_, target).ok()); // not over what is there
        }
        QVERIFY(!exports::write_kit("ollama", "model", maps_, folder_ / "none").ok());
        QVERIFY(!fs::exists(folder_ / "none"));
    }

    void hints_are_the_masks() {
        const auto hints = nlohmann::json::parse(exports::boundary_hints_json(maps_))["boundaries"];
        QCOMPARE(hints.size(), maps_.layers.size());
        for (const auto& hint : hints) {
            const auto& mask = maps_.layers.at(hint["layer_id"].get<std::uint32_t>());
            QCOMPARE(hint["frozen_indices"].size(), mask.count());
            for (const auto& neuron : hint["frozen_indices"]) QVERIFY(mask.test(neuron.get<std::size_t>()));
        }
        QVERIFY(hints[2]["estimated_speedup"].is_null()); // all of it
    }

    void the_c_example_reads_the_masks() {
        const auto compiler = QStandardPaths::findExecutable(QStringLiteral("cc"));
        if (compiler.isEmpty()) {
            std::puts("SKIPPED: no C compiler found");
            QSKIP("no C compiler found");
        }
        const auto target = exports::write_kit("llama.cpp", "m.gguf", maps_, folder_ / "c");
        QVERIFY(target.ok());
        const auto built = run(compiler,
                               {"-std=c99", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wpedantic",
                                "-Werror", "-o", "read_masks", "read_masks.c"},
                               folder_ / "c");
        QVERIFY2(built.code == 0, built.errors.constData());
        QVERIFY(exports::embed_masks(*model_, maps_, folder_ / "masked.gguf").ok());
        const auto program = QString::fromStdString((folder_ / "c/read_masks").string());
        const auto shown = run(program, {"../masked.gguf"}, folder_ / "c");
        QCOMPARE(shown.code, 0);
        QByteArray expected;
        for (const auto& [layer, mask] : maps_.layers) {
            expected += "layer " + QByteArray::number(layer) + ": " +
                        QByteArray::number(qulonglong{mask.count()}) + " of " +
                        QByteArray::number(qulonglong{mask.size()}) + " frozen:";
            for (std::size_t i = 0; i < mask.size(); ++i)
                if (mask.test(i)) expected += ' ' + QByteArray::number(qulonglong{i});
            expected += '\n';
        }
        QCOMPARE(shown.out, expected);
        // Cut anywhere it says so and does not crash.
        const auto whole = read_text_file(folder_ / "masked.gguf").value();
        std::mt19937 random(1);
        for (int i = 0; i < 20; ++i) {
            QVERIFY(write_file(folder_ / "cut.gguf", whole.substr(0, random() % 20000)).ok());
            QCOMPARE(run(program, {"../cut.gguf"}, folder_ / "c").code, 1);
        }
    }

    void the_rust_kits_pass_their_tests_data() {
        QTest::addColumn<QString>("kit");
        QTest::newRow("aether") << "aether";
        QTest::newRow("gnosis-uring") << "gnosis-uring";
    }
    void the_rust_kits_pass_their_tests() {
        QFETCH(QString, kit);
        const auto cargo = QStandardPaths::findExecutable(QStringLiteral("cargo"));
        if (cargo.isEmpty()) {
            std::puts("SKIPPED: cargo not found");
            QSKIP("cargo not found");
        }
        const auto target = folder_ / ("rust-" + kit.toStdString());
        QVERIFY(exports::write_kit(kit.toStdString(), "m.gguf", maps_, target).ok());
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("CARGO_TARGET_DIR",
                           QFileInfo("/proc/self/exe").canonicalPath() + QStringLiteral("/rust-kit-target"));
        auto tested = run(cargo, {"test", "--quiet", "--offline"}, target, environment);
        if (tested.code != 0 && run(cargo, {"fetch"}, target, environment).code != 0) {
            std::puts("SKIPPED: the crates that the kits need are neither cached nor reachable");
            QSKIP("crates not found");
        }
        if (tested.code != 0) tested = run(cargo, {"test", "--quiet", "--offline"}, target, environment);
        QVERIFY2(tested.code == 0, (tested.out + tested.errors).constData());
    }
};

QTEST_APPLESS_MAIN(TestIntegrationKit)
#include "tst_integration_kit.moc"
