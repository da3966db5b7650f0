// SPDX-License-Identifier: GPL-3.0-or-later
//
// The forward pass against numpy (see make_fixtures.py). `tst_model_oracle --write-models FOLDER` writes the
// models.
#include "core/base/atomic_file.h"
#include "core/quality/dense_evaluation.h"
#include "tests/model/oracle_models.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <cmath>
#include <cstring>

using namespace permafrost;

namespace {

template <class T>
std::vector<T> read_fixture(const std::string& name) {
    const auto bytes = read_text_file(PERMAFROST_TEST_DATA "/model/data/" + name);
    if (!bytes.ok()) return {};
    std::vector<T> values(bytes->size() / sizeof(T));
    std::memcpy(values.data(), bytes->data(), values.size() * sizeof(T));
    return values;
}

} // namespace

class TestOracle : public QObject {
    Q_OBJECT

  private slots:
    void log_probabilities_equal_numpy_data() {
        QTest::addColumn<int>("model");
        const auto models = test::oracle_models();
        for (std::size_t i = 0; i < models.size(); ++i)
            QTest::newRow(models[i].file_name.c_str()) << static_cast<int>(i);
    }
    void log_probabilities_equal_numpy() {
        QFETCH(int, model);
        const auto options = test::oracle_models()[static_cast<std::size_t>(model)];
        const test::TemporaryFolder folder;
        const auto file = formats::open_model_file(test::write_tiny_llama(folder.path(), options).string());
        QVERIFY2(file.ok(), file.message().c_str());
        const auto ids = read_fixture<text::TokenId>("ids.i32");
        const auto expected =
            read_fixture<float>(options.file_name.substr(0, options.file_name.find('.')) + ".f32");
        QCOMPARE(ids.size(), test::oracle_tokens);
        QCOMPARE(expected.size(), test::oracle_positions * options.vocabulary);

        const auto found = quality::next_token_log_probabilities(file.value(), ids, 2);
        QVERIFY2(found.ok(), found.message().c_str());
        QCOMPARE(found->size(), ids.size() * options.vocabulary);
        double worst = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst = std::max(worst,
                             std::fabs(static_cast<double>(found->at(found->size() - expected.size() + i)) -
                                       static_cast<double>(expected[i])));
        qInfo("largest difference of a log-probability: %.2g", worst);
        QVERIFY(worst < 1e-4);
    }
};

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--write-models") == 0) {
        for (const auto& options : test::oracle_models()) test::write_tiny_llama(argv[2], options);
        return 0;
    }
    TestOracle tests;
    return QTest::qExec(&tests, argc, argv);
}
#include "tst_oracle.moc"
