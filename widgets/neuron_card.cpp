// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/neuron_card.h"

#include "widgets/labels.h"
#include "widgets/metric.h"
#include "widgets/numbers.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>

#include <cmath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

QString number_with(double value, const QString& unit) { return significant(value) + u"\u00a0"_s + unit; }

} // namespace

NeuronCard::NeuronCard(QWidget* parent) : QWidget(parent) {
    neuron_ = new QSpinBox;
    neuron_->setObjectName(u"neuron.number"_s);
    neuron_->setAccessibleName(tr("Neuron"));
    where_ = new QLabel;
    reason_ = new QLabel;
    reason_->setObjectName(u"neuron.reason"_s);
    reason_->setAccessibleName(tr("Why the neuron is frozen or not"));
    reason_->setWordWrap(true);
    auto* table = new QWidget;
    auto* form = new QFormLayout(table);
    form->setContentsMargins(8, 4, 8, 8);
    form->setVerticalSpacing(2);
    form->setHorizontalSpacing(16);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    add_figures(form);
    auto* scroll = new QScrollArea;
    table_ = scroll;
    scroll->setAccessibleName(tr("Figures of the neuron"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(table);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 8, 8, 0);
    row->addWidget(where_);
    row->addWidget(neuron_);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    auto* padded = new QHBoxLayout;
    padded->setContentsMargins(8, 0, 8, 0);
    padded->addWidget(reason_);
    column->addLayout(padded);
    measure_ = new QPushButton(tr("&Measure its removal"));
    measure_->setObjectName(u"neuron.measure"_s);
    measure_->setToolTip(tr("Runs the held-out text with this one neuron at zero, beside the dense model"));
    removal_ = new QLabel;
    removal_->setObjectName(u"neuron.removal"_s);
    removal_->setWordWrap(true);
    removal_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(measure_);
    column->addWidget(removal_);
    column->addWidget(scroll, 1);
    connect(measure_, &QPushButton::clicked, this, [this] { Q_EMIT removal_requested(selection_); });
    column->addStretch(0);
    connect(neuron_, &QSpinBox::valueChanged, this, [this](int neuron) {
        Q_EMIT selected(Selection{selection_.layer, static_cast<std::uint32_t>(neuron)});
    });
    show_neuron();
}

void NeuronCard::add_figures(QFormLayout* form) {
    using Layer = profile::LayerProfile;
    const auto add = [&](const QString& name, std::function<QString(const Layer&, std::size_t)> text) {
        auto* figure = figure_label(name);
        form->addRow(muted_label(name), figure);
        figures_.push_back({figure, std::move(text)});
    };
    const auto add_metric = [&](Metric metric) {
        add(name_of(metric), [this, metric](const Layer& layer, std::size_t i) {
            const double threshold =
                decision_ ? decision_->rule.for_layer(selection_.layer).activation_threshold : 0.1;
            if (metric == Metric::LowActivity) return with_unit(metric, layer.low_activity(i, threshold));
            const double scale =
                layer.down_norm()[i] / (layer.typical_output() > 0 ? layer.typical_output() : 1.0);
            if (metric == Metric::GuardScore) return with_unit(metric, double(layer.peak()[i]) * scale);
            return with_unit(metric, std::sqrt(double(layer.variance()[i])) * scale);
        });
    };
    const auto h = u"h"_s;
    add(tr("Tokens"), [](const Layer& layer, std::size_t) { return count(layer.tokens()); });
    add(tr("Variance"),
        [](const Layer& layer, std::size_t i) { return number_with(layer.variance()[i], u"h²"_s); });
    add(tr("Mean"), [h](const Layer& layer, std::size_t i) { return number_with(layer.mean()[i], h); });
    add(tr("RMS"), [h](const Layer& layer, std::size_t i) { return number_with(layer.rms()[i], h); });
    add(tr("Smallest"),
        [h](const Layer& layer, std::size_t i) { return number_with(layer.statistics().minimum[i], h); });
    add(tr("Largest"),
        [h](const Layer& layer, std::size_t i) { return number_with(layer.statistics().maximum[i], h); });
    add_metric(Metric::LowActivity);
    add(tr("Temporal gradient"), [](const Layer& layer, std::size_t i) {
        return number_with(layer.temporal_gradient(i), tr("|Δh| per token"));
    });
    add_metric(Metric::GuardScore);
    add_metric(Metric::Impact);
    add(tr("Gate mean"),
        [](const Layer& layer, std::size_t i) { return number_with(layer.gate_mean(i), u"g"_s); });
    add(tr("Gate variance"),
        [](const Layer& layer, std::size_t i) { return number_with(layer.gate_variance(i), u"g²"_s); });
    add(tr("Up mean"),
        [](const Layer& layer, std::size_t i) { return number_with(layer.up_mean(i), u"u"_s); });
    add(tr("Up variance"),
        [](const Layer& layer, std::size_t i) { return number_with(layer.up_variance(i), u"u²"_s); });
    add(tr("Down column norm"),
        [](const Layer& layer, std::size_t i) { return significant(layer.down_norm()[i]); });
    add(tr("First-token peak"), [](const Layer& layer, std::size_t i) {
        return number_with(layer.statistics().first_token_peak[i], u"|h|"_s);
    });
    add(tr("Not finite"), [](const Layer& layer, std::size_t i) {
        return tr("%n token(s)", nullptr, static_cast<int>(layer.statistics().non_finite[i]));
    });
}

void NeuronCard::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    profile_ = profile;
    decision_ = decision;
    show_neuron();
}

void NeuronCard::set_measurable(bool measurable) {
    if (measurable == measurable_) return; // asked after every decision
    measurable_ = measurable;
    show_neuron();
}

void NeuronCard::show_removal(const QString& text, bool running) {
    removal_->setText(text);
    removal_->setVisible(!text.isEmpty());
    measure_->setEnabled(!running);
}

void NeuronCard::set_selection(const Selection& selection) {
    if (!(selection == selection_)) show_removal({}, false);
    selection_ = selection;
    show_neuron();
}

void NeuronCard::show_neuron() {
    const QSignalBlocker quiet(neuron_);
    const auto* layer = layer_of(profile_, selection_.layer);
    where_->setText(tr("Layer %1, neuron").arg(selection_.layer));
    neuron_->setEnabled(layer != nullptr);
    neuron_->setRange(0, layer ? static_cast<int>(layer->neurons()) - 1 : 0);
    neuron_->setValue(selection_.neuron ? static_cast<int>(*selection_.neuron) : 0);
    const bool shown =
        layer && selection_.neuron && *selection_.neuron < layer->neurons() && layer->tokens() > 0;
    table_->setVisible(shown);
    measure_->setVisible(shown && measurable_);
    removal_->setVisible(shown && !removal_->text().isEmpty());
    if (!shown || !decision_ || selection_.layer >= decision_->masks.size()) {
        reason_->setText(profile_
                             ? tr("Click a cell of the heatmap or of the bitmask to see a neuron's figures.")
                             : tr("A neuron's figures appear here once a model is profiled."));
        return;
    }
    const std::size_t i = *selection_.neuron;
    const auto why =
        masks::explain(*layer, decision_->rule.for_layer(selection_.layer),
                       decision_->masks[selection_.layer], i, decision_->rule.includes(selection_.layer));
    const auto state = why.frozen ? tr("Frozen") : why.guarded ? tr("Guarded") : tr("Active");
    reason_->setText(u"<b>%1</b> · %2"_s.arg(state, QString::fromStdString(why.reason).toHtmlEscaped()));
    for (const auto& figure : figures_) figure.label->setText(figure.text(*layer, i));
}

} // namespace permafrost::widgets
