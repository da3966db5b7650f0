// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/run_request.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace permafrost::gui {

/// The model that is open and what to run through it.
class RunPanel : public QWidget {
    Q_OBJECT
  public:
    explicit RunPanel(QWidget* parent = nullptr);

    void set_model(const std::optional<OpenModel>& model);
    void set_running(bool running);
    RunRequest request() const;
    void set_request(const RunRequest& request);
    void save_settings() const;
    QPushButton* start_button() const { return start_; }

  Q_SIGNALS:
    void start_requested(const permafrost::gui::RunRequest& request);
    void open_requested();

  private:
    QWidget* model_part();
    QWidget* text_part();
    void choose_file();
    void show_source();

    QLabel* name_ = nullptr;
    QLabel* facts_ = nullptr;
    QComboBox* source_ = nullptr;
    QWidget* file_row_ = nullptr;
    QLineEdit* path_ = nullptr;
    QSpinBox* prompts_ = nullptr;
    QSpinBox* context_ = nullptr;
    QSpinBox* threads_ = nullptr;
    QLabel* explanation_ = nullptr;
    QPushButton* start_ = nullptr;
    int builtin_prompts_ = 0;
    bool has_model_ = false;
};

} // namespace permafrost::gui
