// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QAbstractItemModel;
class QCustomPlot;

namespace permafrost::widgets {

/// Headings and rows as text, in whatever form they leave the program. Numbers are written with a point and enough digits to
/// be read back.
struct TextTable {
    QStringList headings;
    std::vector<QStringList> rows;

    QString csv() const;           ///< RFC 4180: commas, quotes where needed, CRLF
    QString tab_separated() const; ///< for spreadsheets to paste
    bool is_empty() const { return rows.empty(); }
};

/// The plot's visible curves: one row a key, one column a curve, headings from axis and legend.
TextTable table_of(const QCustomPlot& plot);

/// What the model shows, in its order; numbers as `role` gives them.
TextTable table_of(const QAbstractItemModel& model, int role);

/// A number to be read back.
QString plain_number(double value);

} // namespace permafrost::widgets
