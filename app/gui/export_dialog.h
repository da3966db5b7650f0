// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace permafrost::gui {

/// Where the masks go and what will be written. Not modal; the export itself runs elsewhere.
class ExportDialog : public QDialog {
    Q_OBJECT
  public:
    explicit ExportDialog(QWidget* parent = nullptr);

    void set_data(const widgets::ProfilePtr& profile, const widgets::DecisionPtr& decision);
    QString folder() const;
    void set_folder(const QString& folder);

  Q_SIGNALS:
    void export_requested(const QString& folder);

  private:
    void choose_folder();
    void show_contents();

    widgets::ProfilePtr profile_;
    widgets::DecisionPtr decision_;
    QLineEdit* folder_ = nullptr;
    QLabel* contents_ = nullptr;
    QLabel* warning_ = nullptr;
    QPushButton* export_ = nullptr;
};

} // namespace permafrost::gui
