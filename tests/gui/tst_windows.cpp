// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several windows that keep out of each other's way, and shortcuts of a person's own.
#include "app/gui/actions.h"
#include "app/gui/session_keeper.h"
#include "app/gui/shortcuts.h"
#include "app/gui/windows.h"
#include "core/profile/profile_file.h"
#include "core/profile/sample_profile.h"
#include "tests/gui/window_fixture.h"
#include "widgets/message_bar.h"

#include <QDialogButtonBox>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

using namespace permafrost;
using gui::MainWindow;
using gui::ShortcutsDialog;

class TestWindows : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<test::TemporaryFolder> folder_;
    QPointer<MainWindow> window_;

    QString write_sample(const char* name, std::uint32_t layers) {
        const auto path = folder_->path() / name;
        if (!profile::write_profile(*profile::sample_profile(layers, 64, 5), path).ok())
            qFatal("the sample was not written");
        return QString::fromStdString(path.string());
    }
    static void open(MainWindow* window, const QString& profile) {
        window->open(profile);
        QTRY_VERIFY(widgets::has_statistics(window->workbench().session().profile()));
    }
    MainWindow* another() {
        window_->actions().new_window->trigger();
        for (auto* window : gui::all_windows())
            if (window != window_) return window;
        return nullptr;
    }
    ShortcutsDialog* open_shortcuts() {
        window_->actions().shortcuts->trigger();
        return window_->findChild<ShortcutsDialog*>();
    }
    static void choose(ShortcutsDialog* dialog, const char* command) {
        const auto found = dialog->list()->findItems(QString::fromLatin1(command),
                                                     Qt::MatchContains | Qt::MatchCaseSensitive);
        QVERIFY2(!found.isEmpty(), command);
        dialog->list()->setCurrentItem(found.first());
    }
    static void finish(ShortcutsDialog* dialog, QDialogButtonBox::StandardButton button) {
        dialog->findChild<QDialogButtonBox*>()->button(button)->click();
        QCoreApplication::sendPostedEvents(dialog, QEvent::DeferredDelete);
    }

    /// Two windows with profiles of 4 and 6 layers, gone as when the program was killed, and a new one.
    void leave_two() {
        QPointer<MainWindow> other = another();
        open(window_, write_sample("one.frost", 4));
        open(other, write_sample("two.frost", 6));
        for (auto* window : {window_.data(), other.data()}) {
            window->keeper().keep();
            QTRY_VERIFY(QFile::exists(window->workbench().place().session_path()));
        }
        qDeleteAll(gui::all_windows()); // without a close event, as when the program was killed
        window_ = gui::open_window();
    }
    QPushButton* offered(const QString& text) {
        for (auto* button : window_->findChild<widgets::MessageBar*>()->findChildren<QPushButton*>())
            if (button->text() == text) return button;
        return nullptr;
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
        window_ = gui::open_window();
    }
    void cleanup() {
        qDeleteAll(gui::all_windows());
        folder_.reset();
        settings_.reset();
    }

    void each_window_has_its_own_profile_and_thresholds() {
        QPointer<MainWindow> other = another();
        QVERIFY(other);
        open(window_, write_sample("one.frost", 4));
        open(other, write_sample("two.frost", 6));
        other->workbench().session().edit_rule(masks::parse_rule("any").value(), QStringLiteral("test"));
        QCOMPARE(window_->workbench().session().profile()->layers.size(), std::size_t{4});
        QCOMPARE(other->workbench().session().profile()->layers.size(), std::size_t{6});
        QVERIFY(window_->workbench().session().rule() == masks::FreezeRule{});
        QVERIFY(window_->workbench().place().run_path() != other->workbench().place().run_path());
        window_->set_theme(QStringLiteral("dark"), false);
        QTRY_VERIFY(other->actions().theme_dark->isChecked());
        other->actions().close->trigger();
        QTRY_VERIFY(!other);
        QVERIFY(window_->isVisible());
    }

    void quit_closes_all() {
        QPointer<MainWindow> other = another();
        other->actions().quit->trigger();
        QTRY_VERIFY(!other && !window_);
    }

    void what_two_windows_left_comes_back_in_two() {
        leave_two();
        QTRY_VERIFY(window_->findChild<widgets::MessageBar*>()->isVisible());
        auto* restore = offered(MainWindow::tr("Restore it"));
        QVERIFY(restore);
        restore->click();
        QCOMPARE(gui::all_windows().size(), 2);
        std::vector<std::size_t> layers;
        for (auto* window : gui::all_windows()) {
            QTRY_VERIFY(widgets::has_statistics(window->workbench().session().profile()));
            layers.push_back(window->workbench().session().profile()->layers.size());
        }
        std::sort(layers.begin(), layers.end());
        QVERIFY((layers == std::vector<std::size_t>{4, 6}));
    }

    void what_two_windows_left_is_discarded_together() {
        leave_two();
        auto* discard = offered(MainWindow::tr("Discard it"));
        QVERIFY(discard);
        discard->click();
        QVERIFY(!QFile::exists(window_->workbench().place().session_path()));
        QVERIFY(!gui::WindowPlace::another_leftover());
    }

    void new_keys_work_in_every_window_and_are_kept() {
        auto* other = another();
        auto* dialog = open_shortcuts();
        QVERIFY(dialog);
        choose(dialog, "File > Open the demo model");
        QTest::keyClick(dialog->keys(), Qt::Key_J, Qt::ControlModifier);
        finish(dialog, QDialogButtonBox::Ok);
        const QKeySequence keys(QStringLiteral("Ctrl+J"));
        for (auto* window : {window_.data(), other}) QCOMPARE(window->actions().open_demo->shortcut(), keys);
        QVERIFY(window_->actions().open_demo->toolTip().contains(keys.toString(QKeySequence::NativeText)));
        QCOMPARE(another()->actions().open_demo->shortcut(), keys);
    }

    void keys_of_another_command_are_taken_and_it_is_said() {
        auto* dialog = open_shortcuts();
        choose(dialog, "Profile > Start");
        QTest::keyClick(dialog->keys(), Qt::Key_E, Qt::ControlModifier);
        QVERIFY(dialog->remark()->text().contains(QStringLiteral("Export")));
        finish(dialog, QDialogButtonBox::Ok);
        QCOMPARE(window_->actions().start->shortcut(), QKeySequence(QStringLiteral("Ctrl+E")));
        QVERIFY(window_->actions().export_masks->shortcut().isEmpty());
        dialog = open_shortcuts();
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
        finish(dialog, QDialogButtonBox::Ok);
        QCOMPARE(window_->actions().start->shortcut(), QKeySequence(QStringLiteral("F5")));
        QVERIFY(gui::read_shortcuts().isEmpty());
    }

    void cancel_changes_nothing_and_none_takes_keys_away() {
        auto* dialog = open_shortcuts();
        choose(dialog, "Profile > Start");
        dialog->findChild<QPushButton*>(QStringLiteral("shortcuts.none"))->click();
        finish(dialog, QDialogButtonBox::Cancel);
        QCOMPARE(window_->actions().start->shortcut(), QKeySequence(QStringLiteral("F5")));
        dialog = open_shortcuts();
        choose(dialog, "Profile > Start");
        dialog->findChild<QPushButton*>(QStringLiteral("shortcuts.none"))->click();
        finish(dialog, QDialogButtonBox::Ok);
        QVERIFY(window_->actions().start->shortcut().isEmpty());
    }

    void the_list_is_searched_by_name_and_keys() {
        auto* dialog = open_shortcuts();
        const auto shown = [dialog] {
            int count = 0;
            for (int row = 0; row < dialog->list()->topLevelItemCount(); ++row)
                count += !dialog->list()->topLevelItem(row)->isHidden();
            return count;
        };
        const int all = shown();
        QVERIFY(all > 30);
        auto* search = dialog->findChild<QLineEdit*>(QStringLiteral("shortcuts.search"));
        QTest::keyClicks(search, QStringLiteral("Ctrl+E"));
        QCOMPARE(shown(), 1);
        search->setText(QStringLiteral("theme"));
        QCOMPARE(shown(), 4);
    }
};

QTEST_MAIN(TestWindows)
#include "tst_windows.moc"
