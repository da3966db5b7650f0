// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/threshold_control.h"

#include "widgets/labels.h"

#include <QGridLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;
namespace bins = profile::magnitude_bins;

constexpr int positions = 1000;

} // namespace

QString NumberBox::textFromValue(double value) const { return locale().toString(value, 'g', 6); }

double NumberBox::valueFromText(const QString& text) const {
    auto number = text;
    if (!suffix().isEmpty() && number.endsWith(suffix())) number.chop(suffix().size());
    bool ok = false;
    double value = locale().toDouble(number.trimmed(), &ok);
    if (!ok) value = number.trimmed().toDouble(&ok);
    return ok ? value : this->value();
}

QValidator::State NumberBox::validate(QString& text, int&) const {
    auto number = text;
    if (!suffix().isEmpty() && number.endsWith(suffix())) number.chop(suffix().size());
    bool ok = false;
    const double value = locale().toDouble(number.trimmed(), &ok);
    if (!ok) {
        for (QChar letter : number)
            if (!letter.isDigit() && !QStringView(u"eE+-., \u00a0").contains(letter))
                return QValidator::Invalid;
        return QValidator::Intermediate;
    }
    return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

ThresholdControl::ThresholdControl(RuleField field, QWidget* parent) : QWidget(parent), field_(field) {
    const auto range = range_of(field);
    const auto id = QString::number(static_cast<int>(field));
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(u"threshold.slider."_s + id);
    slider_->setAccessibleName(name_of(field));
    slider_->setAccessibleDescription(help_of(field));
    slider_->setRange(0, field == RuleField::Activation ? static_cast<int>(bins::edge_count) - 1 : positions);
    slider_->setPageStep(slider_->maximum() / 20 + 1);
    box_ = new NumberBox;
    box_->setObjectName(u"threshold.box."_s + id);
    box_->setAccessibleName(name_of(field));
    box_->setDecimals(12);
    box_->setRange((range.logarithmic ? 0.0 : range.low) * scale(), range.high * scale());
    box_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box_->setKeyboardTracking(false);
    box_->setSuffix(u"\u00a0"_s + (is_share(field) ? u"%"_s : unit_of(field)));
    box_->setAlignment(Qt::AlignRight);
    auto* label = new QLabel(name_of(field));
    label->setBuddy(box_);
    for (QWidget* widget :
         {static_cast<QWidget*>(label), static_cast<QWidget*>(slider_), static_cast<QWidget*>(box_)})
        widget->setToolTip(help_of(field));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->addWidget(label, 0, 0);
    grid->addWidget(box_, 0, 1);
    grid->addWidget(slider_, 1, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    box_->setMinimumWidth(fontMetrics().horizontalAdvance(u"0.000123 × output____"_s));

    connect(slider_, &QSlider::sliderPressed, this, &ThresholdControl::gesture_began);
    connect(slider_, &QSlider::valueChanged, this, [this](int position) {
        if (!slider_->isSliderDown()) Q_EMIT gesture_began();
        Q_EMIT edited(field_, value_at(position));
    });
    connect(box_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        Q_EMIT gesture_began();
        Q_EMIT edited(field_, value / scale());
    });
}

double ThresholdControl::scale() const { return is_share(field_) ? 100.0 : 1.0; }

double ThresholdControl::value_at(int position) const {
    if (field_ == RuleField::Activation) return bins::edges()[static_cast<std::size_t>(position)];
    const auto range = range_of(field_);
    const double share = static_cast<double>(position) / positions;
    if (!range.logarithmic) return range.low + share * (range.high - range.low);
    const double value = range.low * std::pow(range.high / range.low, share);
    const double grain = std::pow(10.0, std::floor(std::log10(value)) - 2); // three significant digits
    return std::round(value / grain) * grain;
}

int ThresholdControl::position_of(double value) const {
    if (field_ == RuleField::Activation) return std::max(0, bins::edge_at_or_below(value));
    const auto range = range_of(field_);
    const double share = range.logarithmic ? std::log(std::max(value, range.low) / range.low) /
                                                 std::log(range.high / range.low)
                                           : (value - range.low) / (range.high - range.low);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * positions));
}

void ThresholdControl::set_value(double value) {
    value_ = value;
    const QSignalBlocker quiet_slider(slider_);
    const QSignalBlocker quiet_box(box_);
    if (!slider_->isSliderDown()) slider_->setValue(position_of(value));
    if (std::fabs(box_->value() - value * scale()) > 1e-13) box_->setValue(value * scale());
}

} // namespace permafrost::widgets
