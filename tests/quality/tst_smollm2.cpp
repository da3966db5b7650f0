// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real model against other programs. Needs PERMAFROST_SMOLLM2 = path of SmolLM2-135M-Instruct Q4_1 (GGUF);
// for the second check also PERMAFROST_ORACLE_PYTHON = a Python with numpy and gguf.
#include "core/base/atomic_file.h"
#include "core/base/embedded_files.h"
#include "core/model/model_config.h"
#include "core/quality/dense_evaluation.h"
#include "tests/support/temporary_folder.h"

#include <QProcess>
#include <QtTest>

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace permafrost;

namespace {

// `llama-perplexity -m MODEL -f resources/heldout/heldout.txt -c 512 --chunks 8`
constexpr double perplexity_of_llama_cpp = 42.5472;

} // namespace

class TestSmolLm2 : public QObject {
    Q_OBJECT

    formats::ModelFilePtr file_;
    text::Corpus corpus_;

  private slots:
    void initTestCase() {
        const auto path = qgetenv("PERMAFROST_SMOLLM2");
        if (path.isEmpty()) {
            std::puts("SKIPPED: PERMAFROST_SMOLLM2 does not name the model");
            QSKIP("PERMAFROST_SMOLLM2 does not name the model");
        }
        const auto file = formats::open_model_file(path.toStdString());
        QVERIFY2(file.ok(), file.message().c_str());
        file_ = file.value();
        const auto tokenizer = model::read_tokenizer(*file_);
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        auto corpus = text::cut_text(*tokenizer.value(), embedded::heldout_text(), 512);
        QVERIFY2(corpus.ok(), corpus.message().c_str());
        corpus_ = std::move(corpus).value();
        QVERIFY(corpus_.sequences.size() >= 8);
        corpus_.sequences.resize(8);
    }

    void perplexity_is_that_of_llama_cpp() {
        const auto found = quality::evaluate_dense(file_, corpus_, {512, 0, 4096});
        QVERIFY2(found.ok(), found.message().c_str());
        qInfo("perplexity %.4f, llama-perplexity %.4f", found->perplexity, perplexity_of_llama_cpp);
        QCOMPARE(found->tokens, std::uint64_t{8 * 255});
        QVERIFY(std::fabs(found->perplexity / perplexity_of_llama_cpp - 1) < 0.003);
    }

    void log_probabilities_equal_numpy() {
        const auto python = qgetenv("PERMAFROST_ORACLE_PYTHON");
        if (python.isEmpty()) QSKIP("PERMAFROST_ORACLE_PYTHON does not name a Python with numpy and gguf");
        const std::vector<text::TokenId> ids(corpus_.sequences[0].tokens.begin(),
                                             corpus_.sequences[0].tokens.begin() + 64);
        const test::TemporaryFolder folder;
        QVERIFY(write_file(folder / "ids.i32", text_of(bytes_of(std::span(ids)))).ok());
        const auto out = folder / "out.f32";
        QProcess oracle;
        oracle.setProcessChannelMode(QProcess::ForwardedChannels);
        oracle.start(QString::fromLocal8Bit(python), {PERMAFROST_TEST_DATA "/model/llama_oracle.py",
                                                      QString::fromStdString(file_->location()),
                                                      QString::fromStdString((folder / "ids.i32").string()),
                                                      QString::fromStdString(out.string())});
        QVERIFY(oracle.waitForFinished(300000));
        QCOMPARE(oracle.exitCode(), 0);
        const auto expected = read_text_file(out).value();
        const auto found = quality::next_token_log_probabilities(file_, ids, 0);
        QVERIFY2(found.ok(), found.message().c_str());
        QCOMPARE(expected.size(), found->size() * sizeof(float));
        double worst = 0;
        for (std::size_t i = 0; i < found->size(); ++i) {
            float value = 0;
            std::memcpy(&value, expected.data() + i * sizeof value, sizeof value);
            worst =
                std::max(worst, std::fabs(static_cast<double>(found->at(i)) - static_cast<double>(value)));
        }
        qInfo("largest difference of a log-probability: %.2g", worst);
        QVERIFY(worst < 1e-3);
    }
};

QTEST_APPLESS_MAIN(TestSmolLm2)
#include "tst_smollm2.moc"
