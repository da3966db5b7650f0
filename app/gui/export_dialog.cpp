// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_dialog.h"

#include "app/gui/mask_command.h"
#include "app/gui/settings.h"
#include "core/exports/exports.h"
#include "core/exports/integration_kit.h"
#include "core/exports/removal.h"
#include "core/quality/masked_model.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTextOption>

namespace permafrost::gui {

using namespace Qt::StringLiterals;
using Kind = ExportRequest::Kind;

namespace {

QString row(const QString& file, const QString& what) {
    return u"<tr><td><b>%1</b></td><td style='padding-left:16px'>%2</td></tr>"_s.arg(file.toHtmlEscaped(),
                                                                                     what);
}

} // namespace

ExportDialog::ExportDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(u"export.dialog"_s);
    setWindowTitle(tr("Export"));
    build_form();
    connect(kind_, &QComboBox::currentIndexChanged, this, &ExportDialog::choose_kind);
    connect(path_, &QLineEdit::textChanged, this, &ExportDialog::show_contents);
    connect(means_, &QCheckBox::toggled, this, &ExportDialog::show_contents);
    connect(kit_, &QComboBox::currentIndexChanged, this, [this] {
        set_path(fallback_path());
        show_contents();
    });
    choose_kind();
}

void ExportDialog::build_form() {
    kind_ = new QComboBox;
    kind_->setObjectName(u"export.kind"_s);
    kind_->addItem(tr("Masks, report and manifest"), static_cast<int>(Kind::Masks));
    kind_->addItem(tr("The model with the masks in it"), static_cast<int>(Kind::Encoded));
    kind_->addItem(tr("A smaller model without the frozen neurons"), static_cast<int>(Kind::Smaller));
    kind_->addItem(tr("A kit for another program"), static_cast<int>(Kind::Kit));
    kit_ = new QComboBox;
    kit_->setObjectName(u"export.kit"_s);
    kit_->setAccessibleName(tr("Program"));
    for (const auto& name : exports::kit_names()) kit_->addItem(QString::fromStdString(name));
    path_ = new QLineEdit;
    path_->setObjectName(u"export.path"_s);
    path_label_ = new QLabel;
    path_label_->setBuddy(path_);
    auto* browse = new QPushButton(tr("&Browse…"));
    connect(browse, &QPushButton::clicked, this, &ExportDialog::choose_path);
    auto* place = new QHBoxLayout;
    place->addWidget(path_, 1);
    place->addWidget(browse);
    means_ = new QCheckBox(tr("&Keep the removed neurons' means as a bias"));
    means_->setObjectName(u"export.means"_s);
    means_->setChecked(true);
    means_->setToolTip(tr("What the removed neurons add on average stays, which mostly costs less quality."));
    contents_ = new QLabel;
    contents_->setObjectName(u"export.contents"_s);
    contents_->setWordWrap(true);
    contents_->setTextFormat(Qt::RichText);
    notes_ = widgets::muted_label();
    notes_->setObjectName(u"export.notes"_s);
    command_ = new QPlainTextEdit;
    command_->setObjectName(u"export.command"_s);
    command_->setReadOnly(true);
    command_->setAccessibleName(tr("Command line"));
    command_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    command_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    command_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    command_->setMinimumWidth(command_->fontMetrics().averageCharWidth() * 64);
    command_->setMinimumHeight(command_->fontMetrics().lineSpacing() * 6);
    auto* copy = new QPushButton(tr("&Copy"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(command_->toPlainText()); });
    auto* command_row = new QHBoxLayout;
    command_row->addWidget(command_, 1);
    command_row->addWidget(copy, 0, Qt::AlignTop);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    export_ = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
    export_->setObjectName(u"export.start"_s);
    export_->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (request().kind == Kind::Masks) write_setting(settings::export_folder, request().path);
        Q_EMIT export_requested(request());
        accept();
    });
    auto* form = new QFormLayout;
    form->addRow(tr("&What"), kind_);
    form->addRow(path_label_, place);
    form->addRow(QString(), means_);
    form->insertRow(1, QString(), kit_);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(12);
    column->setSizeConstraint(QLayout::SetMinimumSize);
    column->addLayout(form);
    column->addWidget(widgets::heading_label(tr("What will be written")));
    column->addWidget(contents_);
    column->addWidget(notes_);
    column->addWidget(widgets::heading_label(tr("The same on the command line")));
    column->addLayout(command_row, 1);
    column->addWidget(buttons);
}

ExportRequest ExportDialog::request() const {
    return {static_cast<Kind>(kind_->currentData().toInt()),
            QDir::fromNativeSeparators(path_->text().trimmed()), means_->isChecked(), kit_->currentText()};
}

void ExportDialog::set_path(const QString& path) { path_->setText(QDir::toNativeSeparators(path)); }

void ExportDialog::set_data(const ExportData& shown) {
    const bool first = !data_.profile;
    data_ = shown;
    if (first)
        choose_kind();
    else
        show_contents();
}

QString ExportDialog::fallback_path() const {
    const auto documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    if (request().kind == Kind::Masks) {
        const auto last = read_setting(settings::export_folder).toString();
        return last.isEmpty() ? documents + u"/permafrost-masks"_s : last;
    }
    const auto stem = data_.profile
                          ? QString::fromStdString(exports::file_stem(data_.profile->info.model_name))
                          : u"model"_s;
    const bool folder = data_.model && data_.model->file->format() == formats::FileFormat::Safetensors;
    if (request().kind == Kind::Kit) return documents + u'/' + stem + u'-' + request().kit + u"-kit"_s;
    if (request().kind == Kind::Encoded)
        return documents + u'/' + stem + u"-masked"_s + (folder ? u".safetensors"_s : u".gguf"_s);
    return documents + u'/' + stem + u"-smaller"_s + (folder ? QString() : u".gguf"_s);
}

void ExportDialog::choose_kind() {
    const bool folder = request().kind == Kind::Masks || request().kind == Kind::Kit;
    path_label_->setText(folder ? tr("&Folder") : tr("&File"));
    path_->setAccessibleName(folder ? tr("Folder") : tr("File"));
    means_->setVisible(request().kind == Kind::Smaller);
    kit_->setVisible(request().kind == Kind::Kit);
    set_path(fallback_path());
    show_contents();
}

bool ExportDialog::of_this_model() const {
    return data_.model && data_.model->file->header_sha256() == data_.profile->info.model_sha256;
}

QString ExportDialog::masks_contents() const {
    const auto stem = QString::fromStdString(exports::file_stem(data_.profile->info.model_name));
    return row(u"saturation-manifest.json"_s, tr("figures, verdict and settings")) +
           row(u"saturation-maps.rs"_s, tr("the masks as Rust source")) +
           row(u"saturation-report.csv"_s,
               tr("one row a layer, %1 layers").arg(data_.decision->layers.size())) +
           row(stem + u".rknot"_s,
               tr("the masks, %1, without weights").arg(widgets::bytes(data_.decision->mask_bytes)));
}

QString ExportDialog::encoded_contents(QString& problem) const {
    const auto path = request().path;
    const auto name = QFileInfo(path).fileName();
    const bool folder = data_.model->file->format() == formats::FileFormat::Safetensors;
    if (name.endsWith(u".saturation.json"_s))
        return row(name, tr("the masks alone, about %1").arg(widgets::bytes(2 * data_.decision->mask_bytes)));
    if (!name.endsWith(u".gguf"_s) && !name.endsWith(u".rknot"_s) &&
        !(folder && name.endsWith(u".safetensors"_s)))
        problem = folder ? tr("Choose a name that ends in .safetensors, .gguf, .rknot or .saturation.json.")
                         : tr("Choose a name that ends in .gguf, .rknot or .saturation.json.");
    return row(name, tr("about %1, of which %2 are masks; every tensor stays as it is")
                         .arg(widgets::bytes(data_.model->file_bytes + data_.decision->mask_bytes),
                              widgets::bytes(data_.decision->mask_bytes)));
}

QString ExportDialog::smaller_contents(QString& problem) const {
    quality::FrozenHandling handling;
    if (means_->isChecked()) handling.all = quality::Handling::Mean;
    const auto frozen =
        quality::masked_model("masks", quality::masks_of(*data_.decision), data_.model->config.intermediate,
                              handling, data_.profile.get());
    const auto outline = frozen.ok() ? exports::outline_removal(*data_.model->file, frozen.value(), {})
                                     : Result<exports::RemovalOutline>(frozen.failure());
    if (!outline.ok()) {
        problem = QString::fromStdString(outline.message());
        return {};
    }
    std::uint64_t before = 0, left = 0, neurons = 0;
    for (const auto& view : data_.model->file->tensors()) before += view.bytes.size();
    for (const auto width : outline->widths) left += width;
    for (const auto width : data_.model->config.intermediate) neurons += width;
    return row(QFileInfo(request().path).fileName(),
               tr("weights of %1 in place of %2, architecture %3")
                   .arg(widgets::bytes(outline->weight_bytes), widgets::bytes(before),
                        QString::fromStdString(outline->architecture))) +
           row(tr("Neurons"), tr("%1 of %2 stay; widths are whole blocks of 32")
                                  .arg(widgets::count(left), widgets::count(neurons)));
}

QString ExportDialog::kit_contents() const {
    return row(u"README.md"_s, tr("what to do, for this model")) +
           row(u"masks.saturation.json"_s,
               tr("the masks alone, about %1").arg(widgets::bytes(2 * data_.decision->mask_bytes))) +
           row(tr("Code"), tr("for %1, and what it reads masks with").arg(request().kit));
}

QString ExportDialog::contents(QString& problem) const {
    if (request().kind == Kind::Masks) return masks_contents();
    if (!data_.model)
        problem = tr("Open the model too: its weights are needed for this.");
    else if (!of_this_model())
        problem = tr("The open model is not the one that was profiled.");
    else if (data_.busy)
        problem = tr("Another export is under way.");
    if (!problem.isEmpty()) return {};
    if (request().kind == Kind::Kit) return kit_contents();
    return request().kind == Kind::Encoded ? encoded_contents(problem) : smaller_contents(problem);
}

void ExportDialog::show_contents() {
    export_->setEnabled(false);
    if (!data_.profile || !data_.decision) {
        contents_->setText(tr("Nothing is profiled yet."));
        return;
    }
    QString problem;
    const auto rows = contents(problem);
    contents_->setText(u"<table>"_s + rows + u"</table>"_s);
    contents_->setVisible(!rows.isEmpty());
    show_notes(problem);
    command_->setPlainText(export_command(
        request(), data_.decision->rule, data_.profile_path,
        {data_.model ? data_.model->location : QString(u"MODEL"_s), data_.profile->info.model_name}));
    export_->setEnabled(problem.isEmpty() && !request().path.isEmpty());
}

void ExportDialog::show_notes(const QString& problem) {
    const auto& decision = *data_.decision;
    QStringList notes;
    if (!problem.isEmpty()) notes << u"<b>"_s + problem.toHtmlEscaped() + u"</b>"_s;
    notes << tr("%1 of %2 neurons are frozen (%3). Verdict: %4.")
                 .arg(widgets::count(decision.frozen), widgets::count(data_.profile->neurons()),
                      widgets::percent(decision.frozen_share),
                      QString::fromLatin1(verdict::word(decision.verdict)));
    if (decision.provisional) notes << tr("The profile is not complete: the masks are provisional.");
    if (verdict::is_blocked(decision.verdict, data_.gate))
        notes << u"<b>"_s + tr("BLOCKED: the measured quality speaks against these masks.") + u"</b>"_s;
    else if (data_.gate.state == verdict::GateState::NotMeasured)
        notes << tr("What they cost in quality is not measured.");
    if (decision.verdict == verdict::Verdict::Skip) notes << tr("These masks are hardly worth it.");
    if (request().kind == Kind::Masks)
        notes << tr("Files in the folder with these names are replaced together.");
    if (request().kind == Kind::Smaller)
        notes << tr(
            "It is written only if its perplexity is that of the masked original; this takes a while.");
    notes_->setText(notes.join(u' '));
}

void ExportDialog::choose_path() {
    const bool folder = request().kind == Kind::Masks || request().kind == Kind::Kit;
    auto* dialog =
        new QFileDialog(this, folder ? tr("Choose a folder") : tr("Choose a file"), request().path);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::AnyFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, folder);
    if (!folder) dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(dialog, &QFileDialog::fileSelected, this, &ExportDialog::set_path);
    dialog->open();
}

} // namespace permafrost::gui
