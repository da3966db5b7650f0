// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/actions.h"
#include "app/gui/docks.h"
#include "app/gui/views.h"
#include "tests/gui/window_fixture.h"
#include "widgets/heatmap_view.h"
#include "widgets/message_bar.h"
#include "widgets/theme.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QLabel>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <qcustomplot.h>

using namespace permafrost;
using gui::MainWindow;

class TestMainWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;

    static bool has_name(const QWidget* widget) {
        if (!widget->accessibleName().isEmpty()) return true;
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            return !button->text().isEmpty();
        for (const auto* label : widget->window()->findChildren<QLabel*>())
            if (label->buddy() == widget) return true;
        return false;
    }
    /// Parts that Qt makes inside its own controls and speaks for.
    static bool is_inner_part(const QWidget* widget) {
        for (const auto* part = widget; part; part = part->parentWidget())
            if (part->objectName().startsWith(u"qt_") || part->inherits("QComboBoxPrivateContainer"))
                return true;
        return widget->inherits("QTabBar") || widget->inherits("QHeaderView") || widget->inherits("QMenu");
    }

  private Q_SLOTS:
    void init() { settings_ = std::make_unique<test::OwnSettings>(); }
    void cleanup() { settings_.reset(); }

    void every_focusable_control_has_a_name_for_screen_readers() {
        MainWindow window;
        QStringList nameless;
        for (const auto* widget : window.findChildren<QWidget*>())
            if ((widget->focusPolicy() & Qt::TabFocus) && !is_inner_part(widget) && !has_name(widget))
                nameless << QString::fromLatin1(widget->metaObject()->className()) + u' ' +
                                widget->objectName();
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u", ")));
    }

    void every_dock_has_a_name_of_its_own() {
        MainWindow window;
        QSet<QString> names;
        for (const auto* dock : window.docks().all()) {
            QVERIFY(!dock->objectName().isEmpty());
            names.insert(dock->objectName());
        }
        QCOMPARE(names.size(), window.docks().all().size());
    }

    void shortcuts_do_not_collide() {
        MainWindow window;
        QStringList shortcuts;
        for (const auto* action : window.actions().findChildren<QAction*>())
            for (const auto& key : action->shortcuts()) shortcuts << key.toString();
        const auto all = shortcuts.size();
        shortcuts.removeDuplicates();
        QCOMPARE(shortcuts.size(), all);
    }

    void the_layout_comes_back_after_a_restart() {
        {
            MainWindow window;
            window.show();
            window.addDockWidget(Qt::LeftDockWidgetArea, window.docks().history);
            window.docks().neuron->hide();
            window.close();
        }
        MainWindow window;
        window.show();
        QCOMPARE(window.dockWidgetArea(window.docks().history), Qt::LeftDockWidgetArea);
        QVERIFY(window.docks().neuron->isHidden());
        window.actions().reset_layout->trigger();
        QCOMPARE(window.dockWidgetArea(window.docks().history), Qt::RightDockWidgetArea);
        QVERIFY(!window.docks().neuron->isHidden());
    }

    void a_spoilt_layout_is_replaced_by_the_default() {
        gui::write_setting(gui::settings::layout, QByteArray("not a layout"));
        gui::write_setting(gui::settings::geometry, QByteArray("nor a geometry"));
        MainWindow window;
        window.show();
        QCOMPARE(window.dockWidgetArea(window.docks().verdict), Qt::TopDockWidgetArea);
        QCOMPARE(window.dockWidgetArea(window.docks().thresholds), Qt::RightDockWidgetArea);
    }

    void the_theme_changes_plots_and_icons_without_a_restart() {
        MainWindow window;
        window.show();
        const auto* axis = window.views().heatmap->plot()->xAxis;
        for (const auto choice :
             {widgets::ThemeChoice::Dark, widgets::ThemeChoice::HighContrast, widgets::ThemeChoice::Light}) {
            window.set_theme(widgets::name_of(choice), false);
            QTRY_COMPARE(axis->tickLabelColor(), widgets::theme().text);
            QCOMPARE(window.palette().color(QPalette::Window), widgets::theme().window);
        }
    }

    void text_has_enough_contrast_in_every_theme() {
        const auto luminance = [](const QColor& colour) {
            const auto linear = [](double c) {
                return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
                   0.0722 * linear(colour.blueF());
        };
        const auto contrast = [&](const QColor& a, const QColor& b) {
            const double x = luminance(a) + 0.05;
            const double y = luminance(b) + 0.05;
            return std::max(x, y) / std::min(x, y);
        };
        for (const auto* theme :
             {&widgets::Theme::light(), &widgets::Theme::dark_theme(), &widgets::Theme::high_contrast()}) {
            for (const auto& behind : {theme->window, theme->surface}) {
                QVERIFY(contrast(theme->text, behind) >= 4.5);
                QVERIFY(contrast(theme->muted, behind) >= 4.5);
                QVERIFY(contrast(theme->accent, behind) >= 4.5);
            }
            QVERIFY(contrast(theme->on_accent, theme->accent) >= 4.5);
        }
    }

    void a_file_that_is_no_model_is_reported_without_a_dialog() {
        const test::TemporaryFolder folder;
        const auto path = folder / "notes.gguf";
        FILE* file = std::fopen(path.c_str(), "w");
        std::fputs("these are not weights", file);
        std::fclose(file);
        MainWindow window;
        window.show();
        QSignalSpy failed(&window.workbench(), &gui::Workbench::failed);
        window.workbench().open(QString::fromStdString(path.string()));
        QTRY_COMPARE(failed.count(), 1);
        const auto* bar = window.findChild<widgets::MessageBar*>();
        QVERIFY(bar->isVisible());
        QVERIFY(bar->text().contains(u"notes.gguf"));
    }

    void a_dropped_model_is_opened() {
        const test::TemporaryFolder folder;
        const auto path = QString::fromStdString(test::write_tiny_llama(folder.path()).string());
        MainWindow window;
        window.show();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &drop);
        QTRY_VERIFY(window.workbench().model());
        QCOMPARE(window.workbench().model()->location, path);
    }

    void f1_opens_the_manual() {
        MainWindow window;
        window.show();
        window.actions().manual->trigger();
        QVERIFY(window.findChild<QWidget*>(QStringLiteral("help.manual"))->isVisible());
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
