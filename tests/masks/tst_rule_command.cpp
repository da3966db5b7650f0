// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/rule_command.h"

#include <QtTest>

using namespace permafrost::masks;

class TestRuleCommand : public QObject {
    Q_OBJECT

  private slots:
    void what_is_usual_is_left_out() {
        QCOMPARE(shell_line(rule_arguments({})), std::string("--rule variance+gradient"));
    }

    void each_number_and_range_is_named() {
        FreezeRule rule = parse_rule("impact:0.25").value();
        rule.guard = false;
        rule.layers = {24, 31};
        rule.variance_threshold = 0.02;
        rule.layer_rules[25].included = false;
        rule.layer_rules[26].quantile = 0.1;
        QCOMPARE(shell_line(rule_arguments(rule)),
                 std::string("--rule impact:0.25 --var 0.02 --no-guard --layers 24-31 --layer-rule 25:off "
                             "--layer-rule 26:quantile=0.1"));
    }

    void words_are_quoted_as_a_shell_needs_it() {
        QCOMPARE(shell_line({"a b", "it's", "", "plain/x.gguf", "$HOME", "variance|activity"}),
                 std::string("'a b' 'it'\\''s' '' plain/x.gguf '$HOME' 'variance|activity'"));
    }
};

QTEST_APPLESS_MAIN(TestRuleCommand)
#include "tst_rule_command.moc"
