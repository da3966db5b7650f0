// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/synthetic_profile.h"
#include "widgets/layers_model.h"
#include "widgets/layers_table.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTest>

using namespace permafrost;
using widgets::LayersModel;

class TestLayersModel : public QObject {
    Q_OBJECT

    static widgets::DecisionPtr decide(const profile::ProfilePtr& profile, double variance = 0.01) {
        masks::FreezeRule rule;
        rule.variance_threshold = variance;
        return std::make_shared<const verdict::Decision>(verdict::decide(*profile, rule));
    }

  private Q_SLOTS:
    void it_keeps_the_rules_of_item_models() {
        LayersModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set_decision(decide(test::profile_with_frozen({{1, 8}, {2, 8}})));
        model.set_decision(decide(test::profile_with_frozen({{1, 8}, {2, 8}}), 0));
        model.set_decision(decide(test::profile_with_frozen({{1, 8}, {2, 8}, {3, 8}})));
        model.set_decision(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void a_drag_changes_data_and_resets_nothing() {
        LayersModel model;
        const auto profile = test::profile_with_frozen({{1, 8}, {2, 8}});
        model.set_decision(decide(profile));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.set_decision(decide(profile, 0));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
    }

    void numbers_are_sorted_as_numbers() {
        widgets::LayersTable table;
        const auto profile = test::profile_with_frozen({{9, 100}, {11, 100}, {2, 100}});
        table.set_data(profile, decide(profile));
        table.view()->sortByColumn(LayersModel::Frozen, Qt::AscendingOrder);
        QStringList layers;
        for (int row = 0; row < 3; ++row)
            layers << table.view()->model()->index(row, LayersModel::Layer).data().toString();
        QCOMPARE(layers, (QStringList{QStringLiteral("2"), QStringLiteral("0"), QStringLiteral("1")}));
    }

    void a_layer_that_was_not_reached_shows_dashes() {
        auto profile = std::make_shared<profile::Profile>(*test::profile_with_frozen({{1, 8}, {2, 8}}));
        profile->layers[1] = nullptr;
        LayersModel model;
        model.set_decision(decide(profile));
        QCOMPARE(model.index(1, LayersModel::Frozen).data().toString(), QStringLiteral("–"));
        QCOMPARE(model.index(0, LayersModel::Frozen).data().toString(), QStringLiteral("12.5\u00a0%"));
    }

    void copied_text_has_a_header_and_raw_numbers() {
        widgets::LayersTable table;
        const auto profile = test::profile_with_frozen({{1, 8}});
        table.set_data(profile, decide(profile));
        const auto lines = table.as_text(false).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].split(u'\t').size(), int{LayersModel::ColumnCount});
        QCOMPARE(lines[1].split(u'\t')[LayersModel::Frozen], QStringLiteral("0.125"));
    }
};

QTEST_MAIN(TestLayersModel)
#include "tst_layers_model.moc"
