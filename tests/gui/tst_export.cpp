// SPDX-License-Identifier: GPL-3.0-or-later
//
// The export dialog of the real window: what it says, and the files that come of it.
#include "app/gui/export_dialog.h"
#include "app/gui/export_job.h"
#include "core/masks/mask_files.h"
#include "core/model/model_config.h"
#include "tests/gui/window_fixture.h"
#include "widgets/message_bar.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace permafrost;
using gui::ExportRequest;
using gui::MainWindow;

class TestExport : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OwnSettings> settings_;
    std::unique_ptr<test::TemporaryFolder> folder_;
    std::unique_ptr<MainWindow> window_;

    QString path(const char* name) const { return QString::fromStdString((folder_->path() / name).string()); }
    gui::ExportDialog* dialog() const { return window_->findChild<gui::ExportDialog*>(); }
    template <class Widget>
    Widget* part(const char* id) const {
        return dialog()->findChild<Widget*>(QLatin1String(id));
    }
    void choose(ExportRequest::Kind kind, const QString& target) {
        auto* kinds = part<QComboBox>("export.kind");
        kinds->setCurrentIndex(kinds->findData(static_cast<int>(kind)));
        part<QLineEdit>("export.path")->setText(target);
    }
    gui::ExportReport export_now() {
        QSignalSpy finished(window_->findChild<gui::ExportJob*>(), &gui::ExportJob::finished);
        part<QPushButton>("export.start")->click();
        if (!QTest::qWaitFor([&] { return finished.count() == 1; }, 120'000)) return {};
        return finished[0][0].value<gui::ExportReport>();
    }

  private slots:
    void initTestCase() {
        settings_ = std::make_unique<test::OwnSettings>();
        folder_ = std::make_unique<test::TemporaryFolder>();
        window_ = std::make_unique<MainWindow>();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->workbench().open(QStringLiteral("demo"));
        QTRY_VERIFY(window_->workbench().model());
        gui::RunRequest request;
        request.most_prompts = 2;
        request.context = 64;
        QSignalSpy finished(&window_->workbench(), &gui::Workbench::run_finished);
        window_->workbench().start(request);
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 120'000);
        auto rule = masks::parse_rule("impact:0.3").value();
        rule.guard = false;
        window_->workbench().session().edit_rule(rule, QStringLiteral("test"));
        window_->workbench().session().settle();
        window_->findChild<QAction*>(QStringLiteral("file.export"))->trigger();
    }
    void cleanupTestCase() {
        window_.reset();
        folder_.reset();
        settings_.reset();
    }

    void it_says_what_and_how_much_and_how() {
        QTRY_VERIFY(dialog()->isVisible());
        choose(ExportRequest::Kind::Masks, path("masks"));
        QVERIFY(part<QLabel>("export.contents")->text().contains(QStringLiteral("saturation-manifest.json")));
        QVERIFY(part<QLabel>("export.notes")->text().contains(QStringLiteral("PROCEED")));
        QVERIFY(part<QLabel>("export.notes")->text().contains(QStringLiteral("not measured")));
        QVERIFY(part<QPlainTextEdit>("export.command")
                    ->toPlainText()
                    .startsWith(QStringLiteral("permafrost-cli mask ")));
        QVERIFY(!part<QCheckBox>("export.means")->isVisible());
        choose(ExportRequest::Kind::Encoded, path("model.txt"));
        QVERIFY(!part<QPushButton>("export.start")->isEnabled());
        QVERIFY(part<QLabel>("export.notes")->text().contains(QStringLiteral(".gguf")));
        // What is frozen changes while it is open.
        choose(ExportRequest::Kind::Smaller, path("small.gguf"));
        const auto before = part<QLabel>("export.contents")->text();
        auto rule = window_->workbench().session().rule();
        rule.quantile = 0.2;
        window_->workbench().session().edit_rule(rule, QStringLiteral("test"));
        QTRY_VERIFY(part<QLabel>("export.contents")->text() != before);
    }

    void masks_go_into_the_model() {
        choose(ExportRequest::Kind::Encoded, path("masked.gguf"));
        QVERIFY(part<QPlainTextEdit>("export.command")
                    ->toPlainText()
                    .contains(QStringLiteral(" && permafrost-cli encode 'demo'")));
        const auto report = export_now();
        QCOMPARE(report.problem, QString());
        const auto maps = masks::read_saturation_maps(path("masked.gguf").toStdString());
        QVERIFY(maps.ok());
        const auto decision = window_->workbench().session().decision();
        for (const auto& [layer, mask] : maps->layers) QVERIFY(mask == decision->masks[layer].frozen);
        QVERIFY(maps->corpus_sketch && !maps->cliff_scores.empty());
    }

    void a_smaller_model_is_written_and_compared() {
        window_->findChild<QAction*>(QStringLiteral("file.export"))->trigger();
        choose(ExportRequest::Kind::Smaller, path("small.gguf"));
        QVERIFY(part<QCheckBox>("export.means")->isVisible());
        QVERIFY(
            part<QPlainTextEdit>("export.command")->toPlainText().contains(QStringLiteral("--fold-mean")));
        const auto report = export_now();
        QCOMPARE(report.problem, QString());
        QVERIFY2(report.remark.contains(QStringLiteral("masked original")), qPrintable(report.remark));
        const auto small = formats::open_model_file(path("small.gguf").toStdString());
        QVERIFY(small.ok());
        QVERIFY(model::read_model_config(*small.value())->widest_layer() <= 512);
        QTRY_VERIFY(
            window_->findChild<widgets::MessageBar*>()->text().contains(QStringLiteral("Perplexity")));
    }

    void a_kit_is_written() {
        window_->findChild<QAction*>(QStringLiteral("file.export"))->trigger();
        auto* kits = part<QComboBox>("export.kit");
        choose(ExportRequest::Kind::Kit, {});
        QVERIFY(kits->isVisible());
        kits->setCurrentText(QStringLiteral("llama.cpp"));
        part<QLineEdit>("export.path")->setText(path("kit"));
        QVERIFY(
            part<QPlainTextEdit>("export.command")->toPlainText().contains(QStringLiteral(" kit 'demo'")));
        QVERIFY(part<QPlainTextEdit>("export.command")
                    ->toPlainText()
                    .contains(QStringLiteral("--for llama.cpp")));
        QCOMPARE(export_now().problem, QString());
        QVERIFY(QFile::exists(path("kit/read_masks.c")) && QFile::exists(path("kit/masks.saturation.json")));
    }

    void a_cancelled_export_leaves_nothing() {
        window_->findChild<QAction*>(QStringLiteral("file.export"))->trigger();
        choose(ExportRequest::Kind::Smaller, path("never.gguf"));
        auto* job = window_->findChild<gui::ExportJob*>();
        QSignalSpy finished(job, &gui::ExportJob::finished);
        part<QPushButton>("export.start")->click();
        QVERIFY(job->is_running());
        job->cancel();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
        QVERIFY(finished[0][0].value<gui::ExportReport>().cancelled);
        QVERIFY(!QFile::exists(path("never.gguf")));
        const QDir folder(QString::fromStdString(folder_->path().string()));
        QVERIFY(folder.entryList({QStringLiteral("*.unchecked")}, QDir::AllEntries | QDir::Hidden).isEmpty());
    }
};

QTEST_MAIN(TestExport)
#include "tst_export.moc"
