// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"
#include "tests/support/synthetic_profile.h"

#include <QSignalSpy>
#include <QTest>

using namespace permafrost;
using gui::Session;

class TestSession : public QObject {
    Q_OBJECT

    static masks::FreezeRule with_variance(double threshold) {
        masks::FreezeRule rule;
        rule.variance_threshold = threshold;
        return rule;
    }
    const QString what = QStringLiteral("Variance");

  private Q_SLOTS:
    void a_new_profile_is_decided_at_the_next_turn() {
        Session session;
        session.set_profile(test::profile_with_frozen({{3, 10}, {5, 10}}));
        QVERIFY(!session.decision());
        QTRY_VERIFY(session.decision());
        QCOMPARE(session.decision()->frozen, 8U);
    }

    void the_edits_of_one_gesture_are_one_undo_step() {
        Session session;
        session.begin_gesture();
        for (double threshold : {0.02, 0.03, 0.04}) session.edit_rule(with_variance(threshold), what);
        QCOMPARE(session.undo_stack()->count(), 1);
        session.undo_stack()->undo();
        QCOMPARE(session.rule(), masks::FreezeRule{});
        session.undo_stack()->redo();
        QCOMPARE(session.rule().variance_threshold, 0.04);
    }

    void two_gestures_are_two_undo_steps() {
        Session session;
        session.begin_gesture();
        session.edit_rule(with_variance(0.02), what);
        session.begin_gesture();
        session.edit_rule(with_variance(0.03), what);
        QCOMPARE(session.undo_stack()->count(), 2);
    }

    void many_edits_in_a_turn_are_decided_once() {
        Session session;
        session.set_profile(test::profile_with_frozen({{3, 10}}));
        QSignalSpy decided(&session, &Session::decision_changed);
        for (double threshold : {0.02, 0.03, 0.04}) session.edit_rule(with_variance(threshold), what);
        QTRY_COMPARE(decided.count(), 1);
        QCOMPARE(session.decision()->rule.variance_threshold, 0.04);
    }

    void undo_changes_the_decision() {
        Session session;
        session.set_profile(test::profile_with_frozen({{3, 10}}));
        session.edit_rule(with_variance(0), what);
        QCOMPARE(session.settle()->frozen, 0U);
        session.undo_stack()->undo();
        QCOMPARE(session.settle()->frozen, 3U);
    }

    void an_invalid_rule_changes_nothing() {
        Session session;
        session.edit_rule(with_variance(-1), what);
        QCOMPARE(session.rule(), masks::FreezeRule{});
        QCOMPARE(session.undo_stack()->count(), 0);
    }

    void the_selection_moves_into_a_smaller_profile() {
        Session session;
        session.set_profile(test::profile_with_frozen({{3, 10}, {3, 10}, {3, 10}}));
        session.select({2, 9U});
        session.set_profile(test::profile_with_frozen({{3, 10}, {3, 5}}));
        QCOMPARE(session.selection().layer, 1U);
        QVERIFY(!session.selection().neuron);
    }

    void selecting_the_same_again_is_silent() {
        Session session;
        session.select({1, 2U});
        QSignalSpy changed(&session, &Session::selection_changed);
        session.select({1, 2U});
        QCOMPARE(changed.count(), 0);
    }
};

QTEST_MAIN(TestSession)
#include "tst_session.moc"
