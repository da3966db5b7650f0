// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export_menu.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMessageBox>
#include <QPrintDialog>
#include <QPrinter>
#include <QSaveFile>
#include <QStandardItemModel>
#include <QSvgGenerator>
#include <QTableView>
#include <QVBoxLayout>
#include <qcustomplot.h>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

constexpr double picture_scale = 2;
constexpr std::size_t most_rows_shown = 100'000;

bool save_svg(QCustomPlot& plot, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setSize(plot.size());
        generator.setViewBox(QRect(QPoint(), plot.size()));
        generator.setTitle(plot.accessibleName());
        generator.setDescription(plot.accessibleDescription());
        QCPPainter painter(&generator);
        plot.toPainter(&painter);
    }
    return file.commit();
}

bool save_png(QCustomPlot& plot, const QString& path) {
    QSaveFile file(path);
    const auto picture = plot.toPixmap(plot.width(), plot.height(), picture_scale);
    return file.open(QIODevice::WriteOnly) && picture.save(&file, "PNG") && file.commit();
}

} // namespace

ExportMenu::ExportMenu(QWidget* target, const QString& name, Data data)
    : QObject(target), target_(target), name_(name), data_(std::move(data)) {
    target->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(this, &ExportMenu::failed, this, [this](const QString& path) {
        auto* box = new QMessageBox(
            QMessageBox::Warning, tr("Not saved"),
            tr("%1 could not be written. Is the folder writable and the disk not full?").arg(path),
            QMessageBox::Ok, target_);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
}

ExportMenu* ExportMenu::of_plot(QCustomPlot* plot, const QString& name, Data data) {
    if (!data) data = [plot] { return table_of(*plot); };
    auto* menu = new ExportMenu(plot, name, std::move(data));
    menu->plot_ = plot;
    menu->add_plot_actions();
    menu->add_table_actions();
    return menu;
}

ExportMenu* ExportMenu::of_table(QTableView* view, const QString& name, Data data) {
    auto* menu = new ExportMenu(view, name, std::move(data));
    menu->add_table_actions();
    return menu;
}

QAction* ExportMenu::add(const QString& id, const QString& text, std::function<void()> run) {
    auto* action = new QAction(text, this);
    action->setObjectName(u"export."_s + id);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    target_->addAction(action);
    return action;
}

void ExportMenu::add_plot_actions() {
    add(u"save_picture"_s, tr("Save the plot…"), [this] {
        choose_path(tr("Save the plot"), tr("Picture (*.png);;Vector graphics (*.svg);;PDF (*.pdf)"),
                    u"png"_s, [this](const QString& path) { return save_picture(*plot_, path); });
    });
    add(u"copy_picture"_s, tr("Copy the plot as a picture"), [this] {
        QApplication::clipboard()->setPixmap(plot_->toPixmap(plot_->width(), plot_->height(), picture_scale));
    });
    add(u"print"_s, tr("Print the plot…"), [this] { print(); });
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    target_->addAction(separator);
}

void ExportMenu::add_table_actions() {
    add(u"save_csv"_s, tr("Save the numbers…"), [this] {
        choose_path(tr("Save the numbers"), tr("Comma-separated values (*.csv)"), u"csv"_s,
                    [this](const QString& path) { return save_csv(data_(), path); });
    });
    add(u"copy_text"_s, tr("Copy the numbers"),
        [this] { QApplication::clipboard()->setText(data_().tab_separated()); });
    if (plot_) add(u"show_table"_s, tr("Show as a table…"), [this] { show_table(); });
}

bool ExportMenu::save_picture(QCustomPlot& plot, const QString& path) {
    const auto ending = QFileInfo(path).suffix().toLower();
    if (ending == u"svg") return save_svg(plot, path);
    if (ending == u"pdf") return plot.savePdf(path, plot.width(), plot.height());
    return save_png(plot, path);
}

bool ExportMenu::save_csv(const TextTable& table, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    const auto bytes = table.csv().toUtf8();
    return file.write(bytes) == bytes.size() && file.commit();
}

void ExportMenu::choose_path(const QString& title, const QString& filter, const QString& suffix,
                             std::function<bool(const QString&)> write) {
    auto* dialog = new QFileDialog(target_, title, name_ + u'.' + suffix, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& chosen) {
        const auto star = chosen.indexOf(u"*.");
        if (star >= 0) dialog->setDefaultSuffix(chosen.mid(star + 2, 3));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, write = std::move(write)](const QString& path) {
        if (!write(path)) Q_EMIT failed(path);
    });
    dialog->open();
}

void ExportMenu::print() {
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(name_);
    printer->setPageOrientation(QPageLayout::Landscape);
    auto* dialog = new QPrintDialog(printer.get(), target_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, printer] {
        QCPPainter painter;
        if (!painter.begin(printer.get())) return;
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        const auto page = printer->pageLayout().paintRectPixels(printer->resolution());
        const double scale = std::min(page.width() / static_cast<double>(plot_->width()),
                                      page.height() / static_cast<double>(plot_->height()));
        painter.scale(scale, scale);
        plot_->toPainter(&painter, plot_->width(), plot_->height());
    });
    // The printer outlives the dialog.
    connect(dialog, &QObject::destroyed, this, [printer] {});
    dialog->open();
}

void ExportMenu::show_table() {
    const auto table = data_();
    auto* dialog = new QDialog(target_->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(u"export.table"_s);
    dialog->setWindowTitle(plot_->accessibleName());
    auto* model = new QStandardItemModel(dialog);
    model->setHorizontalHeaderLabels(table.headings);
    const auto shown = std::min(table.rows.size(), most_rows_shown);
    for (std::size_t row = 0; row < shown; ++row) {
        QList<QStandardItem*> items;
        for (const auto& cell : table.rows[row]) {
            auto* item = new QStandardItem(cell);
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            items.append(item);
        }
        model->appendRow(items);
    }
    auto* sentence = new QLabel(plot_->accessibleDescription());
    sentence->setWordWrap(true);
    auto* view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(plot_->accessibleName());
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->verticalHeader()->hide();
    view->resizeColumnsToContents();
    of_table(view, name_, data_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(sentence);
    if (shown < table.rows.size())
        column->addWidget(new QLabel(tr("Only the first %n rows are shown; the saved file has all.", nullptr,
                                        static_cast<int>(shown))));
    column->addWidget(view, 1);
    column->addWidget(buttons);
    dialog->resize(560, 480);
    dialog->show();
}

} // namespace permafrost::widgets
