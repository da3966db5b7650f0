// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/rule_json.h"

#include <QtTest>

using namespace permafrost::masks;
using nlohmann::json;

class TestRuleJson : public QObject {
    Q_OBJECT

  private slots:
    void every_rule_comes_back_data() {
        QTest::addColumn<QString>("rule");
        for (const char* rule : {"variance+gradient", "all", "any", "activity", "variance|activity",
                                 "quantile:0.123456789", "impact:0.3"})
            QTest::newRow(rule) << rule;
    }
    void every_rule_comes_back() {
        QFETCH(QString, rule);
        FreezeRule made = parse_rule(rule.toStdString()).value();
        made.variance_threshold = 0.1 + 0.2;
        made.guard_ratio = 3;
        made.guard = false;
        made.layers = {{2, 5}};
        const auto back = rule_from_json(json::parse(rule_to_json(made).dump()));
        QVERIFY2(back.ok(), back.message().c_str());
        QVERIFY(back.value() == made);
        made.layers.reset();
        QVERIFY(rule_from_json(json::parse(rule_to_json(made).dump())).value() == made);
    }

    void what_is_absent_is_the_default() {
        QVERIFY(rule_from_json(json::object()).value() == FreezeRule());
        QVERIFY(rule_from_json(json{{"future", 1}}).value() == FreezeRule());
    }

    void nonsense_is_refused_data() {
        QTest::addColumn<QString>("content");
        for (const char* content : {"[]", "null", "{\"rule\": 3}", "{\"rule\": \"frosty\"}", "{\"guard\": 1}",
                                    "{\"variance_threshold\": \"x\"}", "{\"variance_threshold\": -1}",
                                    "{\"inactive_share\": 2}", "{\"layers\": \"5-2\"}", "{\"layers\": 5}"})
            QTest::newRow(content) << content;
    }
    void nonsense_is_refused() {
        QFETCH(QString, content);
        QVERIFY(!rule_from_json(json::parse(content.toStdString())).ok());
    }
};

QTEST_APPLESS_MAIN(TestRuleJson)
#include "tst_rule_json.moc"
