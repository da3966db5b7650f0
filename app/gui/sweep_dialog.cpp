// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/sweep_dialog.h"

#include "widgets/labels.h"
#include "widgets/numbers.h"
#include "widgets/sweep.h"
#include "widgets/threshold_control.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>

namespace permafrost::gui {

using namespace Qt::StringLiterals;
using widgets::RuleField;

SweepDialog::SweepDialog(const masks::FreezeRule& rule, quality::Handling handling, double seconds,
                         QWidget* parent)
    : QDialog(parent), rule_(rule), handling_(handling), seconds_(seconds) {
    setObjectName(u"sweep.dialog"_s);
    setWindowTitle(tr("Evaluate a sweep"));
    setAttribute(Qt::WA_DeleteOnClose);
    field_ = new QComboBox;
    field_->setObjectName(u"sweep.dialog.field"_s);
    for (const auto field : widgets::fields_of(rule))
        field_->addItem(widgets::name_of(field), static_cast<int>(field));
    const auto box = [](const QString& id) {
        auto* number = new widgets::NumberBox;
        number->setObjectName(id);
        number->setDecimals(12);
        return number;
    };
    from_ = box(u"sweep.dialog.from"_s);
    to_ = box(u"sweep.dialog.to"_s);
    count_ = new QSpinBox;
    count_->setObjectName(u"sweep.dialog.count"_s);
    count_->setRange(2, 200);
    count_->setValue(9);
    cost_ = widgets::muted_label();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("&Evaluate"));
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Threshold"), field_);
    form->addRow(tr("&From"), from_);
    form->addRow(tr("T&o"), to_);
    form->addRow(tr("&Settings"), count_);
    form->addRow(cost_);
    form->addRow(buttons);
    connect(field_, &QComboBox::currentIndexChanged, this, &SweepDialog::choose_field);
    connect(count_, &QSpinBox::valueChanged, this, &SweepDialog::show_cost);
    connect(buttons, &QDialogButtonBox::accepted, this, &SweepDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    choose_field();
    resize(fontMetrics().averageCharWidth() * 56, sizeHint().height());
}

RuleField SweepDialog::field() const { return static_cast<RuleField>(field_->currentData().toInt()); }

// A decade to either side of the present value; a share from little to a good deal.
void SweepDialog::choose_field() {
    const auto range = widgets::range_of(field());
    const bool share = widgets::is_share(field());
    const double scale = share ? 100 : 1, now = widgets::value_of(rule_, field());
    for (auto* box : {from_, to_}) {
        box->setRange(scale * range.low, scale * range.high);
        box->setSuffix(share ? u"\u00a0%"_s : QString(u"\u00a0"_s + widgets::unit_of(field())));
    }
    from_->setValue(scale * std::max(range.low, share ? now / 5 : now / 10));
    to_->setValue(scale * std::min(range.high, share ? std::max(2 * now, 0.1) : now * 10));
    show_cost();
}

void SweepDialog::show_cost() {
    cost_->setText(seconds_ > 0
                       ? tr("About %1 on this machine, less for what is known already. What is measured is "
                            "kept; a sweep that was stopped goes on where it was.")
                             .arg(widgets::duration(seconds_ * count_->value()))
                       : tr("What is measured is kept; a sweep that was stopped goes on where it was."));
}

std::vector<quality::SweepSetting> SweepDialog::settings() const {
    std::vector<quality::SweepSetting> settings;
    const auto range = widgets::range_of(field());
    const double scale = widgets::is_share(field()) ? 100 : 1;
    const double low = std::min(from_->value(), to_->value()) / scale;
    const double high = std::max(from_->value(), to_->value()) / scale;
    const bool ratios = range.logarithmic && low > 0;
    for (const double value : quality::spread(low, high, static_cast<std::size_t>(count_->value()), ratios))
        settings.push_back({widgets::with_value(rule_, field(), value), {handling_, {}}});
    return settings;
}

void SweepDialog::accept() {
    Q_EMIT chosen(settings());
    QDialog::accept();
}

} // namespace permafrost::gui
