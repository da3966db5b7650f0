// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/run_panel.h"

#include "app/gui/settings.h"
#include "core/text/corpus.h"
#include "widgets/labels.h"
#include "widgets/numbers.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QThread>

#include <algorithm>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

QSpinBox* spin_box(const QString& id, const QString& name, int low, int high, int step) {
    auto* box = new QSpinBox;
    box->setObjectName(id);
    box->setAccessibleName(name);
    box->setRange(low, high);
    box->setSingleStep(step);
    box->setAlignment(Qt::AlignRight);
    box->setGroupSeparatorShown(true);
    return box;
}

} // namespace

RunPanel::RunPanel(QWidget* parent) : QWidget(parent) {
    builtin_prompts_ = static_cast<int>(text::builtin_prompts().size());
    start_ = new QPushButton(tr("&Start profiling"));
    start_->setObjectName(u"run.start"_s);
    auto* inner = new QWidget;
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(model_part());
    column->addSpacing(8);
    column->addWidget(text_part());
    column->addWidget(start_);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Run"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(inner);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    connect(start_, &QPushButton::clicked, this, [this] { Q_EMIT start_requested(request()); });
    connect(source_, &QComboBox::currentIndexChanged, this, &RunPanel::show_source);
    set_model(std::nullopt);
    show_source();
}

QWidget* RunPanel::model_part() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    name_ = widgets::heading_label({});
    name_->setWordWrap(true);
    name_->setObjectName(u"run.model"_s);
    facts_ = widgets::muted_label();
    column->addWidget(name_);
    column->addWidget(facts_);
    return part;
}

QWidget* RunPanel::text_part() {
    source_ = new QComboBox;
    source_->setObjectName(u"run.source"_s);
    source_->setAccessibleName(tr("Text to run"));
    source_->addItem(tr("Built-in prompts"));
    source_->addItem(tr("Prompt file"));
    source_->addItem(tr("Text file"));
    path_ = new QLineEdit;
    path_->setObjectName(u"run.path"_s);
    path_->setAccessibleName(tr("File"));
    path_->setPlaceholderText(tr("no file chosen"));
    auto* browse = new QPushButton(tr("&Browse…"));
    connect(browse, &QPushButton::clicked, this, &RunPanel::choose_file);
    file_row_ = new QWidget;
    auto* row = new QHBoxLayout(file_row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(path_, 1);
    row->addWidget(browse);
    prompts_ = spin_box(u"run.prompts"_s, tr("Number of prompts"), 0, 1'000'000, 10);
    prompts_->setSpecialValueText(tr("all"));
    prompts_->setValue(read_setting(settings::prompt_count).toInt());
    context_ = spin_box(u"run.context"_s, tr("Context"), 2, 65535, 64);
    context_->setSuffix(tr(" tokens"));
    context_->setValue(read_setting(settings::context).toInt());
    threads_ = spin_box(u"run.threads"_s, tr("Threads"), 0, std::max(1, QThread::idealThreadCount()), 1);
    threads_->setSpecialValueText(tr("all (%1)").arg(QThread::idealThreadCount()));
    threads_->setValue(read_setting(settings::threads).toInt());
    explanation_ = widgets::muted_label();

    auto* part = new QWidget;
    auto* form = new QFormLayout(part);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Text"), source_);
    form->addRow(file_row_);
    form->addRow(explanation_);
    form->addRow(tr("&Prompts"), prompts_);
    form->addRow(tr("&Context"), context_);
    form->addRow(tr("T&hreads"), threads_);
    return part;
}

void RunPanel::show_source() {
    const auto source = static_cast<RunRequest::Source>(source_->currentIndex());
    file_row_->setVisible(source != RunRequest::Source::BuiltIn);
    prompts_->setEnabled(source != RunRequest::Source::Text);
    switch (source) {
    case RunRequest::Source::BuiltIn:
        explanation_->setText(
            tr("%n prompts: code, mathematics, stories, dialogue, instructions, tables, languages.", nullptr,
               builtin_prompts_));
        break;
    case RunRequest::Source::Prompts:
        explanation_->setText(
            tr("One prompt a line, or JSON lines with \"prompt\" and optional \"domain\"."));
        break;
    case RunRequest::Source::Text:
        explanation_->setText(tr("Cut into consecutive windows of the context's length."));
        break;
    }
}

void RunPanel::choose_file() {
    auto* dialog = new QFileDialog(this, tr("Choose a text"), read_setting(settings::last_folder).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { path_->setText(path); });
    dialog->open();
}

void RunPanel::set_model(const std::optional<OpenModel>& model) {
    has_model_ = model.has_value();
    start_->setEnabled(has_model_);
    if (!model) {
        name_->setText(tr("No model is open"));
        facts_->setText(tr("Open a model (.gguf, .knot or a Hugging Face folder), or try the demo model."));
        return;
    }
    const auto& config = model->config;
    name_->setText(QString::fromStdString(config.name.empty() ? model->location.toStdString() : config.name));
    const auto widest = config.widest_layer();
    facts_->setText(
        tr("%1 · %2 layers × %3 neurons\nhidden size %4 · vocabulary %5\ntrained context %6 tokens · %7")
            .arg(QString::fromStdString(config.architecture), widgets::count(config.layers),
                 widgets::count(widest), widgets::count(config.hidden), widgets::count(config.vocabulary),
                 widgets::count(config.context_length), widgets::bytes(model->file_bytes)));
}

void RunPanel::set_running(bool running) {
    start_->setEnabled(has_model_ && !running);
    for (QWidget* widget : {static_cast<QWidget*>(source_), file_row_, static_cast<QWidget*>(context_),
                            static_cast<QWidget*>(threads_)})
        widget->setEnabled(!running);
    prompts_->setEnabled(!running && source_->currentIndex() != static_cast<int>(RunRequest::Source::Text));
}

RunRequest RunPanel::request() const {
    RunRequest request;
    request.source = static_cast<RunRequest::Source>(source_->currentIndex());
    request.path = path_->text();
    request.most_prompts = static_cast<std::uint64_t>(prompts_->value());
    request.context = static_cast<std::uint32_t>(context_->value());
    request.threads = static_cast<std::size_t>(threads_->value());
    return request;
}

void RunPanel::set_request(const RunRequest& request) {
    source_->setCurrentIndex(static_cast<int>(request.source));
    path_->setText(request.path);
    prompts_->setValue(static_cast<int>(request.most_prompts));
    context_->setValue(static_cast<int>(request.context));
    threads_->setValue(static_cast<int>(request.threads));
}

void RunPanel::save_settings() const {
    write_setting(settings::context, context_->value());
    write_setting(settings::prompt_count, prompts_->value());
    write_setting(settings::threads, threads_->value());
}

} // namespace permafrost::gui
