// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include <QtTest>

#include <memory>

using namespace permafrost;

namespace {

Result<int> half_of_even(int number) {
    if (number == 0) return Cancelled{};
    if (number % 2 != 0) return Error{"odd"};
    return number / 2;
}

Result<int> quarter(int number) {
    PERMAFROST_TRY(const int half, half_of_even(number));
    return half_of_even(half);
}

Result<void> check_even(int number) {
    PERMAFROST_CHECK(half_of_even(number));
    return {};
}

} // namespace

class TestResult : public QObject {
    Q_OBJECT

  private slots:
    void holds_a_value() {
        const auto result = half_of_even(6);
        QVERIFY(result.ok());
        QCOMPARE(result.value(), 3);
        QVERIFY(result.message().empty());
    }

    void an_error_has_a_message_and_is_no_cancellation() {
        const auto result = half_of_even(3);
        QVERIFY(!result.ok());
        QVERIFY(!result.cancelled());
        QCOMPARE(result.message(), std::string("odd"));
    }

    void a_cancellation_is_no_error() {
        const auto result = half_of_even(0);
        QVERIFY(!result.ok());
        QVERIFY(result.cancelled());
        QCOMPARE(result.message(), std::string("cancelled"));
    }

    void try_hands_failures_on() {
        QCOMPARE(quarter(12).value(), 3);
        QCOMPARE(quarter(6).message(), std::string("odd"));
        QVERIFY(quarter(0).cancelled());
    }

    void check_hands_failures_on() {
        QVERIFY(check_even(2).ok());
        QCOMPARE(check_even(1).message(), std::string("odd"));
        QVERIFY(check_even(0).cancelled());
    }

    void a_value_can_be_moved_out() {
        Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
        const auto taken = std::move(result).value();
        QCOMPARE(*taken, 7);
    }
};

QTEST_APPLESS_MAIN(TestResult)
#include "tst_result.moc"
