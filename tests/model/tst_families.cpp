// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every family of models against PyTorch's transformers (see make_family_fixtures.py).
#include "core/base/atomic_file.h"
#include "core/quality/dense_evaluation.h"

#include <QtTest>

#include <cmath>
#include <cstring>

using namespace permafrost;

namespace {

const std::string folder = PERMAFROST_TEST_DATA "/model/data/families/";

template <class T>
std::vector<T> read_fixture(const std::string& name) {
    const auto bytes = read_text_file(folder + name);
    if (!bytes.ok()) return {};
    std::vector<T> values(bytes->size() / sizeof(T));
    std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
    return values;
}

} // namespace

class TestFamilies : public QObject {
    Q_OBJECT

  private slots:
    void log_probabilities_equal_transformers_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"llama", "llama-biases", "llama-3.1", "mistral-window", "deci", "phi3-short", "phi3-long",
              "phi3-partial", "qwen2", "qwen3", "gemma", "gemma2", "gemma3"})
            QTest::newRow(name) << name;
    }
    void log_probabilities_equal_transformers() {
        QFETCH(QString, name);
        const auto stem = name.toStdString();
        const auto file = formats::open_model_file(folder + stem + ".gguf");
        QVERIFY2(file.ok(), file.message().c_str());
        const auto ids = read_fixture<text::TokenId>("ids.i32");
        const auto expected = read_fixture<float>(stem + ".f32");
        QCOMPARE(ids.size(), std::size_t{70});
        QCOMPARE(expected.size(), std::size_t{15 * 96});
        const auto found = quality::next_token_log_probabilities(file.value(), ids, 2);
        QVERIFY2(found.ok(), found.message().c_str());
        QCOMPARE(found->size(), ids.size() * 96);
        double worst = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst = std::max(worst,
                             std::fabs(static_cast<double>(found->at(found->size() - expected.size() + i)) -
                                       static_cast<double>(expected[i])));
        qInfo("largest difference of a log-probability: %.2g", worst);
        QVERIFY(worst < 1e-4);
    }
};

QTEST_APPLESS_MAIN(TestFamilies)
#include "tst_families.moc"
