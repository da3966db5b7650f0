// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quality/sweep.h"
#include "widgets/rule_fields.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QSpinBox;

namespace permafrost::widgets {
class NumberBox;
}

namespace permafrost::gui {

/// Which settings a sweep evaluates: one threshold of the present rule over a range, all else being equal.
class SweepDialog : public QDialog {
    Q_OBJECT
  public:
    /// `seconds`: what one evaluation took here; 0: not known.
    SweepDialog(const masks::FreezeRule& rule, quality::Handling handling, double seconds, QWidget* parent);

    std::vector<quality::SweepSetting> settings() const;

  Q_SIGNALS:
    void chosen(const std::vector<permafrost::quality::SweepSetting>& settings);

  private:
    void choose_field();
    void show_cost();
    void accept() override;
    widgets::RuleField field() const;

    masks::FreezeRule rule_;
    quality::Handling handling_;
    double seconds_;
    QComboBox* field_ = nullptr;
    widgets::NumberBox* from_ = nullptr;
    widgets::NumberBox* to_ = nullptr;
    QSpinBox* count_ = nullptr;
    QLabel* cost_ = nullptr;
};

} // namespace permafrost::gui
