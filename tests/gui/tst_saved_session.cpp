// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions and presets in the real window: saved, opened, moved, restored after a window that was not closed properly.
#include "app/gui/docks.h"
#include "app/gui/presets.h"
#include "app/gui/run_panel.h"
#include "app/gui/session_keeper.h"
#include "app/gui/views.h"
#include "core/base/atomic_file.h"
#include "tests/gui/window_fixture.h"
#include "widgets/heatmap_view.h"
#include "widgets/message_bar.h"

#include <QDir>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

using namespace permafrost;
using gui::MainWindow;

class TestSavedSession : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<test::TemporaryFolder> folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const char* name) const { return QString::fromStdString((folder_->path() / name).string()); }
    gui::Session& session() { return window_->workbench().session(); }

    void open_window() {
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    }

    void profile_and_edit() {
        window_->workbench().open(test::small_model(*folder_));
        QTRY_VERIFY(window_->workbench().model());
        gui::RunRequest request;
        request.most_prompts = 2;
        request.context = 64;
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        window_->workbench().start(request);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        session().begin_gesture();
        session().edit_rule(masks::parse_rule("impact:0.25").value(), QStringLiteral("test"));
        session().select({3, 17});
        window_->views().tabs->setCurrentIndex(1);
        window_->docks().notes_text->setPlainText(QStringLiteral("Layer 3 looks free.\nÄ"));
        auto options = window_->views().heatmap->options();
        options.metric = widgets::Metric::Variance;
        options.order = widgets::NeuronOrder::Metric;
        window_->views().heatmap->set_options(options);
    }

    void is_as_it_was() {
        QCOMPARE(masks::rule_name(session().rule()), std::string("impact:0.25"));
        QCOMPARE(session().selection().layer, 3u);
        QVERIFY(session().selection().neuron == 17u);
        QCOMPARE(window_->views().tabs->currentIndex(), 1);
        QCOMPARE(window_->views().heatmap->options().metric, widgets::Metric::Variance);
        QCOMPARE(window_->views().heatmap->options().order, widgets::NeuronOrder::Metric);
        QCOMPARE(window_->docks().notes_text->toPlainText(), QStringLiteral("Layer 3 looks free.\nÄ"));
        QVERIFY(widgets::has_statistics(session().profile()));
        QVERIFY(window_->workbench().model()); // so that quality can be measured
    }

    void save(const QString& file) {
        QSignalSpy saved(&window_->keeper(), &gui::SessionKeeper::saved);
        window_->keeper().save(file);
        QTRY_COMPARE(saved.count(), 1);
    }
    void open(const QString& file) {
        QSignalSpy opened(&window_->keeper(), &gui::SessionKeeper::opened);
        window_->open(file);
        QTRY_COMPARE(opened.count(), 1);
    }

  private slots:
    void init() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
        const auto data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
        QDir(data).removeRecursively();
        open_window();
    }
    void cleanup() {
        window_.reset();
        folder_.reset();
        settings_.reset();
    }

    void a_session_comes_back_in_another_window() {
        profile_and_edit();
        save(path("work.permafrost"));
        QVERIFY(QFile::exists(path("work.frost"))); // the profile was only in memory
        window_->close();
        open_window();
        open(path("work.permafrost"));
        is_as_it_was();
        QCOMPARE(window_->keeper().path(), path("work.permafrost"));
    }

    void a_folder_may_move() {
        profile_and_edit();
        QDir(path(".")).mkdir(QStringLiteral("old"));
        save(path("old/work.permafrost"));
        window_->close();
        QVERIFY(QDir(path(".")).rename(QStringLiteral("old"), QStringLiteral("new")));
        open_window();
        open(path("new/work.permafrost"));
        is_as_it_was();
    }

    void another_profile_in_its_place_is_told() {
        profile_and_edit();
        save(path("work.permafrost"));
        session().edit_rule({}, QStringLiteral("default"));
        QVERIFY(write_file(path("work.frost").toStdString(), "something else").ok());
        QSignalSpy warned(&window_->keeper(), &gui::SessionKeeper::warned);
        window_->open(path("work.permafrost"));
        QTRY_COMPARE(warned.count(), 1);
    }

    void damaged_sessions_are_refused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("another format") << QByteArray("{\"format\": \"x\", \"version\": 1}");
        QTest::newRow("newer") << QByteArray("{\"format\": \"permafrost.session\", \"version\": 2}");
        QTest::newRow("rule") << QByteArray(
            "{\"format\": \"permafrost.session\", \"version\": 1, \"rule\": {\"rule\": \"frosty\"}}");
        QTest::newRow("array") << QByteArray("[1]");
    }
    void damaged_sessions_are_refused() {
        QFETCH(QByteArray, content);
        QVERIFY(write_file(path("bad.permafrost").toStdString(), content.toStdString()).ok());
        QSignalSpy failed(&window_->keeper(), &gui::SessionKeeper::failed);
        window_->open(path("bad.permafrost"));
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("bad.permafrost")));
        QVERIFY(window_->findChild<widgets::MessageBar*>()->isVisible());
    }

    void what_a_crash_left_is_offered() {
        profile_and_edit();
        QTRY_VERIFY(QFile::exists(window_->workbench().place().run_path()));
        window_->keeper().keep();
        const QString left = QFileInfo(window_->workbench().place().run_path()).path() +
                             QStringLiteral("/unclosed.permafrost");
        QTRY_VERIFY(QFile::exists(left));
        window_.reset(); // without a close event, as when the program was killed
        open_window();
        QVERIFY(window_->keeper().has_leftover());
        auto* bar = window_->findChild<widgets::MessageBar*>();
        QTRY_VERIFY(bar->isVisible());
        QSignalSpy opened(&window_->keeper(), &gui::SessionKeeper::opened);
        window_->keeper().restore_leftover();
        QTRY_COMPARE(opened.count(), 1);
        is_as_it_was();
        QVERIFY(window_->keeper().path().isEmpty());
        window_->close();
        QVERIFY(!QFile::exists(left));
        open_window();
        QVERIFY(!window_->keeper().has_leftover());
    }

    void presets_are_kept_and_exchanged() {
        profile_and_edit();
        window_->presets().keep(QStringLiteral(" careful "));
        session().edit_rule(masks::parse_rule("any").value(), QStringLiteral("test"));
        window_->presets().keep(QStringLiteral("bold & wild"));
        window_->presets().apply(QStringLiteral("careful"));
        QCOMPARE(masks::rule_name(session().rule()), std::string("impact:0.25"));
        session().undo_stack()->undo(); // one step
        QCOMPARE(masks::rule_name(session().rule()), std::string("any"));
        window_->presets().export_to(path("presets.json"));
        window_->presets().remove(QStringLiteral("careful"));
        QCOMPARE(window_->presets().presets().size(), std::size_t{1});
        window_->close();
        open_window();
        QCOMPARE(window_->presets().presets().size(), std::size_t{1});
        window_->presets().import_from(path("presets.json"));
        QCOMPARE(window_->presets().presets().size(), std::size_t{2});
        QSignalSpy failed(&window_->presets(), &gui::PresetMenu::failed);
        QVERIFY(write_file(path("bad.json").toStdString(), "{\"format\": 3}").ok());
        window_->presets().import_from(path("bad.json"));
        QCOMPARE(failed.count(), 1);
        QCOMPARE(window_->presets().presets().size(), std::size_t{2});
    }
};

QTEST_MAIN(TestSavedSession)
#include "tst_saved_session.moc"
