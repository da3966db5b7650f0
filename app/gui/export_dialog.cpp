// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_dialog.h"

#include "app/gui/settings.h"
#include "core/exports/exports.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

namespace permafrost::gui {

using namespace Qt::StringLiterals;

ExportDialog::ExportDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(u"export.dialog"_s);
    setWindowTitle(tr("Export masks"));
    folder_ = new QLineEdit;
    folder_->setObjectName(u"export.folder"_s);
    folder_->setAccessibleName(tr("Folder"));
    const QString fallback =
        QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) + u"/permafrost-masks"_s;
    const auto last = read_setting(settings::export_folder).toString();
    folder_->setText(QDir::toNativeSeparators(last.isEmpty() ? fallback : last));
    auto* label = new QLabel(tr("&Folder"));
    label->setBuddy(folder_);
    auto* browse = new QPushButton(tr("&Browse…"));
    connect(browse, &QPushButton::clicked, this, &ExportDialog::choose_folder);
    contents_ = new QLabel;
    contents_->setWordWrap(true);
    contents_->setTextFormat(Qt::RichText);
    warning_ = widgets::muted_label();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    export_ = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
    export_->setObjectName(u"export.start"_s);
    export_->setDefault(true);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(folder_, 1);
    row->addWidget(browse);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(12);
    column->addLayout(row);
    column->addWidget(widgets::heading_label(tr("What will be written")));
    column->addWidget(contents_);
    column->addWidget(warning_);
    column->addStretch(1);
    column->addWidget(buttons);
    setMinimumWidth(560);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        write_setting(settings::export_folder, folder());
        Q_EMIT export_requested(folder());
        accept();
    });
    connect(folder_, &QLineEdit::textChanged, this,
            [this] { export_->setEnabled(decision_ && !folder().isEmpty()); });
}

QString ExportDialog::folder() const { return QDir::fromNativeSeparators(folder_->text().trimmed()); }
void ExportDialog::set_folder(const QString& folder) { folder_->setText(QDir::toNativeSeparators(folder)); }

void ExportDialog::set_data(const widgets::ProfilePtr& profile, const widgets::DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    show_contents();
}

void ExportDialog::show_contents() {
    export_->setEnabled(decision_ && !folder().isEmpty());
    if (!profile_ || !decision_) {
        contents_->setText(tr("Nothing is profiled yet."));
        return;
    }
    const auto stem = QString::fromStdString(exports::file_stem(profile_->info.model_name)).toHtmlEscaped();
    const auto line = [](const QString& file, const QString& what) {
        return u"<tr><td><b>%1</b></td><td style='padding-left:16px'>%2</td></tr>"_s.arg(file, what);
    };
    contents_->setText(
        u"<table>"_s + line(u"saturation-manifest.json"_s, tr("figures, verdict and settings")) +
        line(u"saturation-maps.rs"_s, tr("the masks as Rust source")) +
        line(u"saturation-report.csv"_s, tr("one row a layer, %1 layers").arg(decision_->layers.size())) +
        line(stem + u".rknot"_s,
             tr("the masks, %1, without weights").arg(widgets::bytes(decision_->mask_bytes))) +
        u"</table>"_s);
    auto note =
        tr("%1 of %2 neurons are frozen (%3). Files in the folder with these names are replaced together.")
            .arg(widgets::count(decision_->frozen), widgets::count(profile_->neurons()),
                 widgets::percent(decision_->frozen_share));
    if (decision_->provisional)
        note += u" "_s + tr("The profile is not complete: the masks are provisional.");
    if (decision_->verdict == verdict::Verdict::Skip)
        note += u" "_s + tr("The verdict is SKIP: these masks are hardly worth it.");
    warning_->setText(note);
}

void ExportDialog::choose_folder() {
    auto* dialog = new QFileDialog(this, tr("Choose a folder"), folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &ExportDialog::set_folder);
    dialog->open();
}

} // namespace permafrost::gui
