// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/export_request.h"
#include "app/gui/run_request.h"
#include "core/verdict/quality_gate.h"
#include "widgets/view_data.h"

#include <QDialog>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace permafrost::gui {

/// What there is to export.
struct ExportData {
    widgets::ProfilePtr profile;
    widgets::DecisionPtr decision;
    std::optional<OpenModel> model;
    verdict::QualityGate gate;
    QString profile_path;
    bool busy = false; ///< an export is under way
};

/// What leaves the window, how large it will be, what speaks against it, and the command line that does the same. Not modal; the
/// export itself runs elsewhere.
class ExportDialog : public QDialog {
    Q_OBJECT
  public:
    explicit ExportDialog(QWidget* parent = nullptr);

    void set_data(const ExportData& shown);
    ExportRequest request() const;
    void set_path(const QString& path);

  Q_SIGNALS:
    void export_requested(const permafrost::gui::ExportRequest& request);

  private:
    void build_form();
    void choose_kind();
    void choose_path();
    void show_contents();
    void show_notes(const QString& problem);
    QString fallback_path() const;
    /// Rows of a table: what, and how large or what for. `problem`: why it cannot be written.
    QString contents(QString& problem) const;
    QString masks_contents() const;
    QString encoded_contents(QString& problem) const;
    QString smaller_contents(QString& problem) const;
    QString kit_contents() const;
    bool of_this_model() const;

    ExportData data_;
    QComboBox* kind_ = nullptr;
    QLabel* path_label_ = nullptr;
    QLineEdit* path_ = nullptr;
    QCheckBox* means_ = nullptr;
    QComboBox* kit_ = nullptr;
    QLabel* contents_ = nullptr;
    QLabel* notes_ = nullptr;
    QPlainTextEdit* command_ = nullptr;
    QPushButton* export_ = nullptr;
};

} // namespace permafrost::gui
