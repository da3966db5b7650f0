// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command palette and the window's layouts.
#include "app/gui/actions.h"
#include "app/gui/command_palette.h"
#include "app/gui/docks.h"
#include "tests/gui/window_fixture.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QTest>

using namespace permafrost;
using gui::CommandPalette;
using gui::MainWindow;

class TestCommandsAndLayouts : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<MainWindow> window_;

    CommandPalette* open_palette() {
        window_->actions().commands->trigger();
        return window_->findChild<CommandPalette*>();
    }
    QStringList names(const CommandPalette& palette) {
        QStringList list;
        for (int row = 0; row < palette.list()->count(); ++row)
            list.append(palette.list()->item(row)->text());
        return list;
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }
    void cleanup() {
        window_.reset();
        settings_.reset();
    }

    void every_menu_entry_is_found() {
        auto* palette = open_palette();
        QVERIFY(palette);
        const auto all = names(*palette);
        QVERIFY(all.size() > 30);
        for (const char* name :
             {"File > Open", "View > Theme > Dark", "Window > Layout: review", "Profile > Start"})
            QVERIFY2(!all.filter(QString::fromLatin1(name)).isEmpty(), name);
    }

    void typing_and_enter_run_a_command() {
        auto* palette = open_palette();
        QTest::keyClicks(palette->search(), QStringLiteral("dark theme"));
        QCOMPARE(palette->list()->count(), 1);
        QTest::keyClick(palette->search(), Qt::Key_Return);
        QTRY_VERIFY(widgets::theme().dark);
        QTRY_VERIFY(!window_->findChild<CommandPalette*>());
    }

    void arrows_move_and_what_is_off_is_not_run() {
        auto* palette = open_palette();
        QTest::keyClicks(palette->search(), QStringLiteral("layout"));
        const int first = palette->list()->currentRow();
        QTest::keyClick(palette->search(), Qt::Key_Down);
        QCOMPARE(palette->list()->currentRow(), first + 1);
        palette->search()->setText(QStringLiteral("save profile"));
        QCOMPARE(palette->list()->count(), 1);
        QTest::keyClick(palette->search(), Qt::Key_Return); // there is none
        QVERIFY(palette->isVisible());
        palette->search()->setText(QStringLiteral("no such command"));
        QCOMPARE(palette->list()->count(), 0);
        QTest::keyClick(palette->search(), Qt::Key_Return);
    }

    void layouts_show_what_they_are_for() {
        auto& docks = window_->docks();
        window_->actions().layout_review->trigger();
        for (auto* dock : {docks.verdict, docks.layers, docks.quality, docks.notes})
            QVERIFY(!dock->isHidden());
        for (auto* dock : {docks.run, docks.neuron, docks.thresholds}) QVERIFY(dock->isHidden());
        window_->actions().layout_export->trigger();
        QVERIFY(docks.quality->isHidden() && !docks.layers->isHidden());
        window_->actions().layout_explore->trigger();
        for (auto* dock : docks.all()) QVERIFY(!dock->isHidden());
    }
};

QTEST_MAIN(TestCommandsAndLayouts)
#include "tst_commands_and_layouts.moc"
