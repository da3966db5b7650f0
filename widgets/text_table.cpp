// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text_table.h"

#include <QAbstractItemModel>
#include <qcustomplot.h>

#include <cmath>
#include <map>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

QString quoted(const QString& cell) {
    if (!cell.contains(u',') && !cell.contains(u'"') && !cell.contains(u'\n') && !cell.contains(u'\r'))
        return cell;
    auto doubled = cell;
    return u'"' + doubled.replace(u'"', u"\"\""_s) + u'"';
}

QString line_of(const QStringList& cells) {
    QStringList escaped;
    for (const auto& cell : cells) escaped.append(quoted(cell));
    return escaped.join(u',') + u"\r\n"_s;
}

QString cell_of(const QVariant& value) {
    bool number = false;
    const double parsed = value.toDouble(&number);
    return number && value.typeId() != QMetaType::QString ? plain_number(parsed) : value.toString();
}

} // namespace

QString plain_number(double value) {
    return std::isnan(value) ? QString() : QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString TextTable::csv() const {
    QString text = line_of(headings);
    for (const auto& row : rows) text += line_of(row);
    return text;
}

QString TextTable::tab_separated() const {
    QString text = headings.join(u'\t') + u'\n';
    for (const auto& row : rows) text += row.join(u'\t') + u'\n';
    return text;
}

TextTable table_of(const QCustomPlot& plot) {
    TextTable table;
    std::map<double, QStringList> rows;
    table.headings.append(plot.xAxis->label());
    for (int i = 0; i < plot.graphCount(); ++i) {
        const auto* graph = plot.graph(i);
        if (!graph->visible() || graph->data()->isEmpty()) continue;
        table.headings.append(graph->name());
        const qsizetype column = table.headings.size() - 1;
        for (auto point = graph->data()->constBegin(); point != graph->data()->constEnd(); ++point) {
            auto& row = rows[point->key];
            row.resize(column);
            row[column - 1] = plain_number(point->value);
        }
    }
    for (auto& [key, row] : rows) {
        row.resize(table.headings.size() - 1);
        row.prepend(plain_number(key));
        table.rows.push_back(row);
    }
    return table;
}

TextTable table_of(const QAbstractItemModel& model, int role) {
    TextTable table;
    for (int column = 0; column < model.columnCount(); ++column)
        table.headings.append(model.headerData(column, Qt::Horizontal).toString());
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells.append(cell_of(model.index(row, column).data(role)));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

} // namespace permafrost::widgets
