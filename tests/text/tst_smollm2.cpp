// SPDX-License-Identifier: GPL-3.0-or-later
//
// With the environment variable PERMAFROST_SMOLLM2 naming a SmolLM2 GGUF file: its whole vocabulary against
// the ids of Hugging Face's `tokenizers`, see make_fixtures.py.
#include "core/formats/model_file.h"
#include "core/model/model_config.h"
#include "tests/text/fixture.h"

#include <QTest>

using namespace permafrost;

class SmolLm2Test : public QObject {
    Q_OBJECT

  private slots:
    void ids_are_those_of_the_oracle() {
        const auto path = qEnvironmentVariable("PERMAFROST_SMOLLM2");
        if (path.isEmpty()) {
            std::puts("SKIPPED: set PERMAFROST_SMOLLM2 to a SmolLM2 GGUF file");
            QSKIP("needs a model file");
        }
        const auto file = formats::open_model_file(path.toStdString());
        QVERIFY2(file.ok(), file.message().c_str());
        const auto tokenizer = model::read_tokenizer(*file.value());
        QVERIFY2(tokenizer.ok(), tokenizer.message().c_str());
        const auto fixture = test::read_fixture("smollm2_ids.json");
        QVERIFY(fixture["cases"].size() > 40);
        for (const auto& item : fixture["cases"])
            test::check_ids(*tokenizer.value(), item["text"], item["ids"]);
    }
};

QTEST_APPLESS_MAIN(SmolLm2Test)
#include "tst_smollm2.moc"
