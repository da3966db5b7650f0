// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real program doing what it is for, on the demo model.
#include "core/base/embedded_files.h"
#include "core/formats/model_file.h"
#include "tests/app/command_line.h"
#include "tests/support/gguf_builder.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QtTest>

using namespace permafrost;
using test::run;

namespace {

const QStringList quick_run{"--num-prompts", "3", "--context", "64", "--quiet"};

const QByteArray neuron_columns =
    "neuron,count,mean,variance,min,max,low_activity,gate_mean,gate_variance,up_mean,"
    "up_variance,temporal_gradient,down_norm,frozen,reason";

} // namespace

class TestCommands : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    test::Outcome here(const QStringList& arguments) const { return run(folder_.path(), arguments); }

  private slots:
    void initTestCase() {
        const auto profiled = here(QStringList{"profile", "demo", "-o", "demo.frost", "--json"} + quick_run);
        EXITS(profiled, 0);
        const auto json = profiled.json();
        QVERIFY2(!json.isEmpty(), profiled.out.constData());
        QCOMPARE(profiled.err, QByteArray());
        for (const char* key :
             {"tokens", "seconds", "tokens_per_second", "threads", "memory", "profile", "sha256"})
            QVERIFY2(json.contains(key), key);
        QVERIFY(json["tokens"].toInt() > 3);
        QVERIFY(json["memory"].toObject().contains("peak_rss"));
        QCOMPARE(json["profile"].toString(), "demo.frost");
        QCOMPARE(
            json["sha256"].toString(),
            QString(QCryptographicHash::hash(test::content(path("demo.frost")), QCryptographicHash::Sha256)
                        .toHex()));
        QCOMPARE(test::entries(folder_.path()), QStringList{"demo.frost"});
    }

    void equal_runs_write_equal_bytes() {
        for (const char* threads : {"1", "2"}) {
            EXITS(here(QStringList{"profile", "demo", "-o", "again.frost", "--threads", threads} + quick_run),
                  0);
            QVERIFY(test::content(path("again.frost")) == test::content(path("demo.frost")));
        }
    }

    void timings_add_up_to_the_threads_time() {
        const auto arguments =
            QStringList{"profile", "demo", "-o", "again.frost", "--threads", "2"} + quick_run;
        const auto told = here(arguments + QStringList{"--timings", "--json"});
        EXITS(told, 0);
        QVERIFY(test::content(path("again.frost")) == test::content(path("demo.frost")));
        const auto timings = told.json()["timings"].toObject();
        QCOMPARE(timings["threads"].toInt(), 2);
        const auto stages = timings["stages"].toObject();
        double sum = 0;
        for (const auto& stage : stages) sum += stage.toDouble();
        QVERIFY(std::abs(sum - timings["thread_seconds"].toDouble()) < 1e-6);
        QVERIFY(std::abs(sum - 2 * timings["wall_seconds"].toDouble()) < 1e-6);
        for (const char* key : {"opening", "tokenising", "weights", "attention_products", "attention_heads",
                                "ffn_products", "statistics", "merging", "writing"})
            QVERIFY2(stages[key].toDouble() > 0, key);
        QVERIFY(timings["share_of_gemm"].toDouble() > 0);

        const auto table = here(arguments + QStringList{"--timings"});
        EXITS(table, 0);
        for (const char* words : {"Time of 2 threads x ", "FFN products", "of this machine's own rate"})
            QVERIFY2(table.out.contains(words), table.out.constData());
        EXITS(here(arguments + QStringList{"--json"}), 0);
        QVERIFY(!here(arguments + QStringList{"--json"}).json().contains("timings"));
    }

    void a_run_until_stable_says_how_many_tokens_it_took() {
        const QStringList run{"profile",  "demo",           "-o",     "stable.frost",   "--num-prompts",
                              "60",       "--quiet",        "--json", "--until-stable", "--stable-rule",
                              "activity", "--stable-share", "0.2"};
        const auto told = here(run + QStringList{"--stable-waves", "2", "--stable-jaccard", "0.9"});
        EXITS(told, 0);
        QCOMPARE(told.err, QByteArray());
        const auto stability = told.json()["stability"].toObject();
        QVERIFY(stability["stable"].toBool());
        QVERIFY(told.json()["complete"].toBool());
        QCOMPARE(stability["tokens"].toInt(), told.json()["tokens"].toInt());
        QVERIFY(stability["tokens"].toInt() < stability["tokens_at_hand"].toInt());
        const auto curve = stability["curve"].toArray();
        QVERIFY(curve.size() >= 2);
        QVERIFY(curve.last().toObject()["jaccard"].toDouble() >= 0.9);
        QVERIFY(curve.last().toObject()["share_a"].toDouble() > 0);

        const auto inspected = here({"inspect", "stable.frost", "--json"});
        EXITS(inspected, 0);
        QCOMPARE(inspected.json()["stability"].toObject(), stability);
        QCOMPARE(inspected.json()["tokens"].toInt(), stability["tokens"].toInt());
        QVERIFY(here({"inspect", "stable.frost"}).out.contains("Adaptive sampling: stable after "));
        QVERIFY(!here({"inspect", "demo.frost"}).out.contains("Adaptive sampling"));
    }

    void a_run_that_never_gets_stable_says_so() {
        const auto told = here(QStringList{"profile", "demo", "-o", "stable.frost", "--until-stable",
                                           "--stable-rule", "variance", "--stable-jaccard", "1"} +
                               quick_run);
        EXITS(told, 0);
        QVERIFY2(told.err.startsWith("note: not stable after "), told.err.constData());
    }

    void a_shard_cannot_run_until_stable() {
        const auto refused =
            here({"profile", "demo", "-o", "shard.frost", "--until-stable", "--shard", "1/2", "--quiet"});
        EXITS(refused, 2);
        QVERIFY2(refused.err.contains("only in the statistics of all shards together"),
                 refused.err.constData());
        QVERIFY(!QFile::exists(path("shard.frost")));
        EXITS(here({"profile", "demo", "-o", "shard.frost", "--stable-waves", "3"}), 2);
        EXITS(here({"profile", "demo", "-o", "shard.frost", "--until-stable", "--stable-jaccard", "2"}), 2);
    }

    void progress_goes_to_stderr() {
        const auto told =
            here({"profile", "demo", "-o", "again.frost", "--num-prompts", "3", "--context", "64"});
        EXITS(told, 0);
        QVERIFY(told.err.contains("tokens/s"));
        QVERIFY(!told.err.contains('\r'));
        QVERIFY(told.out.contains("Profile: again.frost"));
    }

    void shards_merge_to_the_whole() {
        const QStringList all{"profile", "demo", "--num-prompts", "40", "--context", "64", "--quiet", "-o"};
        EXITS(here(all + QStringList{"whole.frost"}), 0);
        EXITS(here(all + QStringList{"one.frost", "--shard", "1/2"}), 0);
        EXITS(here(all + QStringList{"two.frost", "--shard", "2/2"}), 0);
        const auto merged = here({"merge", "two.frost", "one.frost", "-o", "merged.frost", "--json"});
        EXITS(merged, 0);
        QVERIFY(merged.json()["complete"].toBool());
        QVERIFY(test::content(path("merged.frost")) == test::content(path("whole.frost")));

        const auto twice = here({"merge", "one.frost", "one.frost", "-o", "twice.frost"});
        EXITS(twice, 1);
        QVERIFY(twice.err.contains("one.frost"));
        QVERIFY(!QFile::exists(path("twice.frost")));
    }

    void domains_and_texts_are_profiled() {
        test::write(path("code.txt"), "int main() { return 0; }\nfor (;;) {}\n");
        test::write(path("story.jsonl"), "{\"prompt\": \"Once upon a time\", \"domain\": \"tale\"}\n");
        EXITS(here({"profile", "demo", "--domain", "code=code.txt", "--domain", "x=story.jsonl", "-o",
                    "domains.frost", "--quiet"}),
              0);
        const auto domains = here({"inspect", "domains.frost", "--json"}).json()["domains"].toObject();
        QCOMPARE(domains.keys(), (QStringList{"code", "tale"}));

        test::write(path("long.txt"), QByteArray("One day a cat sat on a mat. ").repeated(40));
        const auto windows = here({"profile", "demo", "--text", "long.txt", "--context", "32", "-o",
                                   "text.frost", "--quiet", "--json"});
        EXITS(windows, 0);
        QCOMPARE(windows.json()["tokens"].toInt() % 32, 0);
    }

    void masks_are_written_with_every_rule_data() {
        QTest::addColumn<QStringList>("rule");
        QTest::newRow("default") << QStringList{};
        for (const char* rule : {"variance+gradient", "all", "any", "variance", "gradient", "activity",
                                 "quantile:0.25", "impact:0.1", "variance_gradient", "statistical:0.1"})
            QTest::newRow(rule) << QStringList{"--rule", rule};
        QTest::newRow("thresholds") << QStringList{"--var",        "0.5", "--grad",     "0.1",
                                                   "--activation", "0.2", "--inactive", "0.5"};
        QTest::newRow("layers") << QStringList{"--layers", "1-2", "--no-guard"};
        QTest::newRow("layer rules") << QStringList{"--layer-rule", "1-2:variance=0.5", "--layer-rule",
                                                    "0:off"};
        QTest::newRow("target share") << QStringList{"--target-share", "0.1"};
    }
    void masks_are_written_with_every_rule() {
        QFETCH(QStringList, rule);
        QTemporaryDir output;
        const auto masked = here(
            QStringList{"mask", "demo.frost", "--output-dir", output.filePath("masks"), "--json"} + rule);
        EXITS(masked, 0);
        const auto json = masked.json();
        QVERIFY2(!json.isEmpty(), masked.out.constData());
        for (const char* key : {"layers", "avg_speedup", "verdict", "trend"})
            QVERIFY2(json.contains(key), key);
        QVERIFY(json["layers"].toArray().size() > 2);
        for (const auto& layer : json["layers"].toArray())
            for (const char* key : {"layer", "neurons", "frozen", "saturated", "speedup"})
                QVERIFY2(layer.toObject().contains(key), key);
        const auto written = test::entries(output.filePath("masks"));
        QCOMPARE(written.size(), 4);
        for (const char* name : {"saturation-manifest.json", "saturation-maps.rs", "saturation-report.csv"})
            QVERIFY2(written.contains(name), name);
        QCOMPARE(written.filter(".rknot").size(), 1);
        QVERIFY(QJsonDocument::fromJson(test::content(output.filePath("masks/saturation-manifest.json")))
                    .isObject());

        const auto inspected =
            here({"inspect", output.filePath("masks/") + written.filter(".rknot")[0], "--json"});
        EXITS(inspected, 0);
        const auto layers = inspected.json()["layers"].toArray();
        for (const auto& layer : layers) {
            const auto index = layer.toObject()["layer"].toInt();
            QCOMPARE(layer.toObject()["frozen"], json["layers"].toArray()[index].toObject()["frozen"]);
        }
    }

    void layer_rules_and_target_shares_do_what_they_say() {
        QTemporaryDir output;
        const auto layers_of = [&](const QStringList& rule) {
            const auto masked = here(
                QStringList{"mask", "demo.frost", "--output-dir", output.filePath("masks"), "--json"} + rule);
            return masked.json()["layers"].toArray();
        };
        const auto plain = layers_of({});
        const auto own =
            layers_of({"--layer-rule", "3:off", "--layer-rule", "5:variance=10,gradient=10,guard=1000"});
        QCOMPARE(own.size(), plain.size());
        for (int layer = 0; layer < plain.size(); ++layer) {
            const int before = plain[layer].toObject()["frozen"].toInt(),
                      now = own[layer].toObject()["frozen"].toInt();
            if (layer == 3)
                QCOMPARE(now, 0);
            else if (layer == 5)
                QVERIFY(now > before);
            else
                QCOMPARE(now, before);
        }
        int frozen = 0, neurons = 0;
        for (const auto& layer : layers_of({"--target-share", "0.1", "--no-guard"})) {
            frozen += layer.toObject()["frozen"].toInt();
            neurons += layer.toObject()["neurons"].toInt();
        }
        QCOMPARE(frozen, neurons / 10);
        const auto manifest =
            QJsonDocument::fromJson(test::content(output.filePath("masks/saturation-manifest.json")));
        QVERIFY(manifest.toJson().contains("share (see layer_rules) of each layer"));
        QVERIFY(manifest.toJson().contains("layer_rules"));
    }

    void bad_rules_fail_before_anything_is_written_data() {
        QTest::addColumn<QStringList>("rule");
        QTest::addColumn<int>("code");
        QTest::newRow("unknown rule") << QStringList{"--rule", "frosty"} << 2;
        QTest::newRow("share beside a rule") << QStringList{"--rule", "any", "--target-share", "0.1"} << 2;
        QTest::newRow("share above one") << QStringList{"--target-share", "1.5"} << 2;
        QTest::newRow("quantile above one") << QStringList{"--rule", "quantile:1.5"} << 2;
        QTest::newRow("negative variance") << QStringList{"--var", "-1"} << 2;
        QTest::newRow("variance not a number") << QStringList{"--var", "nan"} << 2;
        QTest::newRow("share above one") << QStringList{"--inactive", "1.5"} << 2;
        QTest::newRow("layers the model does not have") << QStringList{"--layers", "2-200"} << 1;
        QTest::newRow("layers backwards") << QStringList{"--layers", "3-1"} << 2;
        QTest::newRow("threshold that is a word") << QStringList{"--var", "low"} << 2;
        QTest::newRow("unknown option") << QStringList{"--frost"} << 2;
    }
    void bad_rules_fail_before_anything_is_written() {
        QFETCH(QStringList, rule);
        QFETCH(int, code);
        QTemporaryDir output;
        const auto masked =
            here(QStringList{"mask", "demo.frost", "--output-dir", output.filePath("masks")} + rule);
        EXITS(masked, code);
        QVERIFY(masked.out.isEmpty());
        QVERIFY(!masked.err.isEmpty());
        if (code == 1) QVERIFY2(masked.one_sentence(), masked.err.constData());
        QCOMPARE(test::entries(output.path()), QStringList());
    }

    void inspect_shows_a_model_and_a_profile() {
        const auto model = here({"inspect", "demo", "--json"});
        EXITS(model, 0);
        QCOMPARE(model.json()["kind"].toString(), "model");
        QVERIFY(model.json()["supported"].toBool());
        EXITS(here({"inspect", "demo", "--layers"}), 0);
        const auto profile = here({"inspect", "demo.frost", "--json"});
        EXITS(profile, 0);
        QCOMPARE(profile.json()["kind"].toString(), "profile");
        QCOMPARE(profile.json()["model_sha256"], model.json()["model_sha256"]);
        QVERIFY(profile.json()["complete"].toBool());
    }

    void neurons_are_listed_under_the_agreed_columns() {
        const auto model = here({"inspect", "demo", "--json"}).json();
        const auto csv = here({"inspect", "demo.frost", "--layer", "1", "--neurons", "--csv"});
        EXITS(csv, 0);
        const auto lines = csv.out.trimmed().split('\n');
        QCOMPARE(lines[0], neuron_columns);
        QCOMPARE(lines.size() - 1, model["intermediate_sizes"].toArray()[1].toInt());
        for (int i = 1; i < lines.size(); ++i) QVERIFY(lines[i].startsWith(QByteArray::number(i - 1) + ","));
    }

    void wrong_layers_and_files_are_told_apart() {
        auto outcome = here({"inspect", "demo.frost", "--layer", "99", "--neurons", "--csv"});
        EXITS(outcome, 1);
        QVERIFY2(outcome.one_sentence() && outcome.err.contains("layer 99"), outcome.err.constData());
        outcome = here({"inspect", "demo", "--layer", "0", "--neurons", "--csv"});
        EXITS(outcome, 1);
        QVERIFY2(outcome.one_sentence(), outcome.err.constData());
        outcome = here({"inspect", "demo.frost", "--neurons", "--csv"});
        EXITS(outcome, 1);
        QVERIFY2(outcome.one_sentence() && outcome.err.contains("--layer"), outcome.err.constData());
    }

    void conversion_keeps_every_byte_of_every_tensor() {
        test::write_tiny_llama(folder_.path().toStdString());
        EXITS(here({"convert", "tiny.gguf", "tiny.knot"}), 0);
        EXITS(here({"convert", "tiny.knot", "back.gguf", "--json"}), 0);
        const auto original = formats::open_model_file(path("tiny.gguf").toStdString()).value();
        for (const char* name : {"tiny.knot", "back.gguf"}) {
            const auto converted = formats::open_model_file(path(name).toStdString());
            QVERIFY2(converted.ok(), converted.message().c_str());
            QCOMPARE(converted.value()->header_sha256(), original->header_sha256());
            QCOMPARE(converted.value()->tensors().size(), original->tensors().size());
            for (const auto& view : original->tensors()) {
                const auto* other = converted.value()->find(view.name);
                QVERIFY(other && other->type == view.type && other->shape == view.shape);
                QVERIFY(std::equal(view.bytes.begin(), view.bytes.end(), other->bytes.begin(),
                                   other->bytes.end()));
            }
        }
        // A converted model is the same model to a profile.
        EXITS(here(QStringList{"profile", "tiny.gguf", "-o", "a.frost"} + quick_run), 0);
        EXITS(here(QStringList{"profile", "tiny.knot", "-o", "b.frost"} + quick_run), 0);
        QVERIFY(test::content(path("a.frost")) == test::content(path("b.frost")));
    }

    void the_seeds_programs_are_reached_by_their_names() {
        const auto bitmasks = path("profile-saturation-bitmasks"), report = path("profile-phi3-saturation");
        QVERIFY(QFile::link(test::program(), bitmasks) && QFile::link(test::program(), report));
        const QStringList options{"--knot", "demo", "--num-prompts", "3", "--quiet"};
        EXITS(run(folder_.path(), options + QStringList{"--output-dir", "seed"}, bitmasks), 0);
        QCOMPARE(test::entries(path("seed")).size(), 4);
        EXITS(run(folder_.path(), options + QStringList{"--output", "seed.csv"}, report), 0);
        QVERIFY(test::content(path("seed.csv"))
                    .startsWith("layer,neurons,saturated_pct,avg_var_gate,avg_var_up,speedup"));
        EXITS(run(folder_.path(), {"--knot", "demo"}, bitmasks), 2);
    }

    void eval_prints_the_dense_figures() {
        const auto outcome = here(
            {"eval", "demo", "--text", "heldout", "--context", "64", "--windows", "2", "--json", "--quiet"});
        EXITS(outcome, 0);
        const auto dense = outcome.json()["dense"].toObject();
        QVERIFY2(dense["ppl"].toDouble() > 1, outcome.out.constData());
        QVERIFY(dense.contains("nll") && dense.contains("top1_accuracy"));
        QCOMPARE(outcome.json()["tokens"].toInt(), 2 * 31);
    }

    void measured_quality_goes_into_verdict_and_manifest() {
        const QStringList mask{"mask",       "demo.frost",   "--rule", "impact:0.3",
                               "--no-guard", "--output-dir", "gated"};
        const auto before = here(mask + QStringList{"--json"});
        EXITS(before, 0);
        QCOMPARE(before.json()["quality"].toString(), QString("not measured"));
        QCOMPARE(before.json()["blocked"].toBool(), false);
        const auto rknot = "gated/" + test::entries(path("gated")).filter(".rknot")[0];
        const QStringList eval{"eval",      "demo", "--text",  "heldout", "--context", "64",
                               "--windows", "8",    "--quiet", "--masks", rknot,       "-o"};
        EXITS(here(eval + QStringList{"quality.json"}), 0);
        const auto result = QJsonDocument::fromJson(test::content(path("quality.json"))).object();
        const auto entry = result["masked"].toArray()[0].toObject();
        QCOMPARE(entry["mask_sha256"].toString().size(), 64);
        QVERIFY(entry["accuracy_retained_error"].toDouble() > 0);

        const auto measured =
            here(mask + QStringList{"--quality", "quality.json", "--json", "--largest-kl", "0"});
        EXITS(measured, 0);
        QCOMPARE(measured.json()["quality"].toString(), QString("failed"));
        QCOMPARE(measured.json()["verdict"].toString(), QString("PROCEED")); // the seeds' word stays
        QCOMPARE(measured.json()["blocked"].toBool(), true);
        const auto manifest =
            QJsonDocument::fromJson(test::content(path("gated/saturation-manifest.json"))).object();
        QVERIFY(manifest["summary"].toObject()["recommendation"].toString().startsWith("PROCEED: "));
        const auto gate = manifest["permafrost"].toObject()["quality_gate"].toObject();
        QCOMPARE(gate["state"].toString(), QString("failed"));
        QCOMPARE(gate["kl_mean"].toDouble(), entry["kl_mean"].toDouble());
        QCOMPARE(gate["tokens"].toInt(), 8 * 31);
        const auto text = here(mask + QStringList{"--quality", "quality.json", "--largest-kl", "0"});
        QVERIFY(text.out.contains("BLOCKED") && text.out.contains("Quality failed"));
        const auto lenient = here(mask + QStringList{"--quality", "quality.json", "--json", "--largest-kl",
                                                     "1000", "--least-accuracy", "0"});
        QCOMPARE(lenient.json()["quality"].toString(), QString("passed"));

        // The measurement of one mask says nothing about another, nor about another model.
        const auto other = here({"mask", "demo.frost", "--rule", "impact:0.2", "--output-dir", "other",
                                 "--quality", "quality.json"});
        EXITS(other, 1);
        QVERIFY2(other.err.contains("no measurement of this mask"), other.err.constData());
        QVERIFY(!QFile::exists(path("other")));
        test::write_tiny_llama(folder_.path().toStdString());
        EXITS(here(QStringList{"profile", "tiny.gguf", "-o", "tiny.frost"} + quick_run), 0);
        const auto model = here({"mask", "tiny.frost", "--output-dir", "other", "--quality", "quality.json"});
        EXITS(model, 1);
        QVERIFY2(model.err.contains("another model"), model.err.constData());
        EXITS(here({"mask", "demo.frost", "--output-dir", "other", "--quality", "demo.frost"}), 1);
        EXITS(here(eval + QStringList{rknot}), 1); // never over its own input
    }

    void masks_travel_in_model_files() {
        EXITS(
            here(QStringList{"profile", "demo", "-o", "travel.frost", "--output-dir", "travel"} + quick_run),
            0);
        EXITS(here({"mask", "travel.frost", "--rule", "impact:0.2", "--no-guard", "--output-dir", "travel"}),
              0);
        const auto masks = "travel/" + test::entries(path("travel")).filter(".rknot")[0];
        const auto original = here({"decode", masks, "--json"});
        EXITS(original, 0);
        QVERIFY(original.json()["frozen"].toInt() > 500);
        const auto layers = original.json()["layers"].toArray();
        QCOMPARE(layers.size(), 10);
        for (const char* encoded : {"masked.gguf", "masked.rknot"}) {
            EXITS(here({"encode", "demo", "--masks", masks, "-o", encoded, "--json"}), 0);
            const auto decoded = here({"decode", encoded, "--json"});
            EXITS(decoded, 0);
            QCOMPARE(decoded.json(), original.json());
            // The same model: its tensors are untouched, and the profile fits it.
            const QStringList eval{"--text",    "heldout", "--context", "64",
                                   "--windows", "2",       "--json",    "--quiet"};
            const auto dense = here(QStringList{"eval", "demo", "--masks", masks} + eval);
            const auto again = here(QStringList{"eval", encoded, "--masks", encoded} + eval);
            QCOMPARE(again.json()["dense"], dense.json()["dense"]);
            QCOMPARE(again.json()["model_sha256"], dense.json()["model_sha256"]);
            QCOMPARE(again.json()["masked"].toArray()[0].toObject()["kl_mean"],
                     dense.json()["masked"].toArray()[0].toObject()["kl_mean"]);
        }
        EXITS(here({"encode", "demo", "--masks", masks, "-o", "m.saturation.json"}), 0);
        QCOMPARE(here({"decode", "m.saturation.json", "--json"}).json(), original.json());
        QVERIFY(layers[0].toObject().contains("cliff_score"));
        const auto inspected = here({"inspect", "m.saturation.json", "--json"});
        EXITS(inspected, 0);
        QCOMPARE(inspected.json()["layers"].toArray().size(), layers.size());
        const auto table = here({"decode", "masked.gguf", "--layer-summary", "--show-metadata"});
        QVERIFY(table.out.contains("cliff score"));
        QVERIFY(table.out.contains("model: Permafrost demo") && table.out.contains("10 layers"));
        // A file that has masks already gets the new ones.
        EXITS(here({"encode", "masked.gguf", "--masks", "masked.rknot", "-o", "again.gguf"}), 0);
        QCOMPARE(test::content(path("again.gguf")), test::content(path("masked.gguf")));

        auto bytes = test::content(path("masked.gguf"));
        const auto place = bytes.indexOf("PFMB") + 70;
        bytes[place] = static_cast<char>(bytes[place] ^ 1);
        test::write(path("damaged.gguf"), bytes);
        const auto damaged = here({"decode", "damaged.gguf"});
        EXITS(damaged, 1);
        QVERIFY2(damaged.err.contains("checksum"), damaged.err.constData());
        EXITS(here({"decode", "travel.frost"}), 1);
        EXITS(here({"encode", "demo", "--masks", masks, "-o", "masked.txt"}), 1);
        EXITS(here({"encode", "masked.gguf", "--masks", masks, "-o", "masked.gguf"}), 1);
        test::write_tiny_llama(folder_.path().toStdString());
        const auto other = here({"encode", "tiny.gguf", "--masks", masks, "-o", "other.gguf"});
        EXITS(other, 1);
        QVERIFY2(other.err.contains("another model"), other.err.constData());
        QVERIFY(!QFile::exists(path("other.gguf")));
    }

    void masks_of_known_shapes_are_measured() {
        const auto one = here({"bench", "masks", "--repeats", "1", "--json"});
        EXITS(one, 0);
        QVERIFY(one.out.contains("masks.decode_layer_us\""));
        const auto two =
            here({"bench", "masks", "--models", "phi3", "qwen", "--repeats", "1", "--output", "bench.json"});
        EXITS(two, 0);
        const auto written = QJsonDocument::fromJson(test::content(path("bench.json"))).object();
        QVERIFY(written["machine"].toObject().contains("cpu"));
        QCOMPARE(written["results"].toArray()[0].toObject()["name"].toString(), QString("masks.phi3.bytes"));
        EXITS(here({"bench", "masks", "--models", "mamba"}), 2);
    }

    void feed_forward_layers_are_measured() {
        const auto own = here({"bench", "ffn", "demo", "--repeats", "1", "--json"});
        EXITS(own, 0);
        QStringList names;
        for (const auto& figure : own.json()["results"].toArray())
            names << figure.toObject()["name"].toString();
        for (const char* name : {"machine.stream_gbps", "ffn.own.dense.us_per_token", "ffn.own.fused.gbps",
                                 "ffn.own.masked_20.us_per_token", "ffn.own.fused.speedup"})
            QVERIFY2(names.contains(QLatin1String(name)), name);
        EXITS(here({"bench", "ffn", "demo", "--shape", "qwen"}), 2);
        EXITS(here({"bench", "ffn", "--types", "q9"}), 2);
        EXITS(here({"bench", "ffn", "missing.gguf"}), 1);
    }

    void frozen_neurons_are_removed() {
        EXITS(here({"mask", "demo.frost", "--rule", "impact:0.3", "--no-guard", "--output-dir", "removal"}),
              0);
        const auto masks = "removal/" + test::entries(path("removal")).filter(".rknot")[0];
        const QStringList prune{"prune", "demo",      "--masks", masks,       "-o", "small.gguf", "--context",
                                "64",    "--windows", "2",       "--threads", "2",  "--json",     "--quiet"};
        const auto pruned = here(prune + QStringList{"--fold-mean", "demo.frost"});
        EXITS(pruned, 0);
        QCOMPARE(pruned.err, QByteArray());
        const auto json = pruned.json();
        QVERIFY(json["removed"].toInt() > 500 && json["removed"].toInt() <= json["frozen"].toInt());
        QVERIFY(json["weight_bytes"].toInt() < json["original_weight_bytes"].toInt());
        QVERIFY(std::abs(json["check"].toObject()["ratio"].toDouble() - 1) < 0.005);
        const auto inspected = here({"inspect", "small.gguf", "--json"});
        EXITS(inspected, 0);
        // The removed neurons are named, and the masks of the original do not fit any more.
        EXITS(here({"eval", "small.gguf", "--text", "heldout", "--masks", masks, "--windows", "1"}), 1);
        const auto bad = here(prune + QStringList{"--type", "Q9_9"});
        EXITS(bad, 1);
        QVERIFY2(bad.err.contains("Q8_0"), bad.err.constData());
        EXITS(here(prune + QStringList{"--widths", "narrow"}), 2);
        EXITS(here(prune + QStringList{"--handling", "mean"}), 1);
        EXITS(here(prune + QStringList{"--type", "Q4_0", "--most-difference", "0"}), 1);
        QVERIFY(QDir(folder_.path()).entryList({"*.unchecked"}, QDir::AllEntries | QDir::Hidden).isEmpty());
    }

    void a_sweep_goes_on_from_its_output() {
        EXITS(here(QStringList{"profile", "demo", "-o", "swept.frost"} + quick_run), 0);
        const QStringList sweep{"sweep",     "demo",   "--profile", "swept.frost", "--text", "heldout",
                                "--context", "64",     "--windows", "4",           "--rule", "impact:0.1",
                                "--quiet",   "--json", "-o",        "sweep.json"};
        const auto three = here(sweep + QStringList{"--over", "quantile=0.1:0.3:3"});
        EXITS(three, 0);
        const auto settings = three.json()["settings"].toArray();
        QCOMPARE(settings.size(), 3);
        QCOMPARE(settings[1].toObject()["rule"].toObject()["rule"].toString(), QString("impact:0.2"));
        QVERIFY(settings[2].toObject()["kl_mean"].toDouble() > settings[0].toObject()["kl_mean"].toDouble());
        const auto more = here(
            sweep + QStringList{"--over", "quantile=0.1,0.4", "--handling", "zero", "--handling", "mean"});
        EXITS(more, 0);
        QCOMPARE(more.json()["settings"].toArray().size(), 6); // four asked for, two kept
        QCOMPARE(more.json()["settings"].toArray()[0].toObject()["kl_mean"],
                 settings[0].toObject()["kl_mean"]);
        auto other_text = sweep;
        other_text.replace(other_text.indexOf("4"), "5");
        EXITS(here(other_text + QStringList{"--over", "quantile=0.1,0.2"}), 1);
        for (const char* bad : {"quantile", "warmth=1:2:3", "quantile=1:2", "quantile=0.1:0.2:1",
                                "variance=0:1:3", "quantile=0.5,2", "quantile=x"})
            EXITS(here(sweep + QStringList{"--over", bad}), 1);
    }

    void single_neurons_are_evaluated() {
        const QStringList eval{"eval", "demo",      "--text", "heldout", "--context",
                               "64",   "--windows", "2",      "--quiet", "--json"};
        const auto result = here(eval + QStringList{"--neuron", "0:3", "--neuron", "1:5"});
        EXITS(result, 0);
        const auto masked = result.json()["masked"].toArray();
        QCOMPARE(masked.size(), 2);
        QCOMPARE(masked[1].toObject()["name"].toString(), QString("layer 1, neuron 5"));
        QVERIFY(masked[0].toObject()["kl_mean"].toDouble() > 0);
        for (const char* bad : {"3", "0:x", "0:", ":1", "999:0", "0:99999999", "-1:0"})
            EXITS(here(eval + QStringList{"--neuron=" + QString(bad)}), 1);
        EXITS(here(eval + QStringList{"--handling", "warm"}), 1);
    }

    void masks_are_not_evaluated_on_the_text_they_were_made_from() {
        test::write(path("seen.txt"),
                    QByteArray::fromStdString(std::string(embedded::heldout_text().substr(0, 30000))));
        EXITS(
            here({"profile", "demo", "--text", "seen.txt", "--context", "64", "-o", "seen.frost", "--quiet"}),
            0);
        EXITS(here({"mask", "seen.frost", "--rule", "impact:0.2", "--output-dir", "seen"}), 0);
        const auto rknot = "seen/" + test::entries(path("seen")).filter(".rknot")[0];
        const QStringList eval{"eval",    "demo",   "--context", "64",  "--windows", "8",
                               "--quiet", "--json", "--masks",   rknot, "--text"};
        const auto refused = here(eval + QStringList{"heldout"});
        EXITS(refused, 1);
        QVERIFY2(refused.err.contains("--force"), refused.err.constData());
        const auto forced = here(eval + QStringList{"heldout", "--force"});
        EXITS(forced, 0);
        QVERIFY(forced.json()["overlap"].toDouble() > 0.9);
        // Text from another place was not seen.
        test::write(path("unseen.txt"),
                    QByteArray::fromStdString(std::string(embedded::heldout_text().substr(60000, 30000))));
        const auto fresh = here(eval + QStringList{"unseen.txt"});
        EXITS(fresh, 0);
        QVERIFY(fresh.json()["overlap"].toDouble() < 0.01);
    }

    void help_and_version_are_no_failure() {
        EXITS(here({"--help"}), 0);
        EXITS(here({"profile", "--help"}), 0);
        const auto version = here({"--version"});
        EXITS(version, 0);
        QVERIFY(version.out.contains(PERMAFROST_VERSION));
    }
};

QTEST_APPLESS_MAIN(TestCommands)
#include "tst_commands.moc"
