// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/rule_fields.h"

#include <QDoubleSpinBox>
#include <QWidget>

class QLabel;
class QSlider;

namespace permafrost::widgets {

/// A spin box that writes 1e-05 as people do and steps by a tenth of the value's decade.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
  public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
};

/// One number of the rule: name, spin box with unit, and a slider over the same range.
class ThresholdControl : public QWidget {
    Q_OBJECT
  public:
    explicit ThresholdControl(RuleField field, QWidget* parent = nullptr);

    RuleField field() const { return field_; }
    void set_value(double value);
    QSlider* slider() const { return slider_; }
    NumberBox* box() const { return box_; }

  Q_SIGNALS:
    void gesture_began(); ///< what follows until the next one is one undo step
    void edited(permafrost::widgets::RuleField field, double value);

  private:
    double value_at(int position) const;
    int position_of(double value) const;
    double scale() const; ///< shares are shown in percent

    RuleField field_;
    double value_ = 0;
    QSlider* slider_ = nullptr;
    NumberBox* box_ = nullptr;
};

} // namespace permafrost::widgets
