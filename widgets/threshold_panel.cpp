// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/threshold_panel.h"

#include "widgets/labels.h"
#include "widgets/threshold_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStyle>

#include <algorithm>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

bool has_own(const masks::FreezeRule& rule, std::uint32_t layer) {
    const auto own = rule.layer_rules.find(layer);
    return own != rule.layer_rules.end() && own->second.has_own_numbers();
}

RuleScope all_with_own(const masks::FreezeRule& rule) {
    RuleScope scope;
    for (const auto& entry : rule.layer_rules)
        if (has_own(rule, entry.first)) scope.layers.push_back(entry.first);
    return scope;
}

QString capitalised(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

QFrame* separator() {
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setForegroundRole(QPalette::Mid);
    line->setFrameShadow(QFrame::Plain);
    return line;
}

} // namespace

ThresholdPanel::ThresholdPanel(QWidget* parent) : QWidget(parent) {
    auto* inner = new QWidget;
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addLayout(build_scope_row());
    column->addWidget(own_note_);
    build_rule_chooser();
    auto* label = new QLabel(tr("Freeze &rule"));
    label->setBuddy(chooser_);
    explanation_ = muted_label();
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(chooser_, 1);
    column->addLayout(row);
    column->addWidget(explanation_);
    share_ = new QWidget;
    auto* share_column = new QVBoxLayout(share_);
    share_column->setContentsMargins(0, 0, 0, 0);
    share_column->addWidget(add_control(RuleField::Quantile));
    column->addWidget(share_);
    column->addWidget(separator());
    column->addWidget(
        criterion(tr("Low variance"), help_of(RuleField::Variance), {RuleField::Variance}, &variance_));
    column->addWidget(
        criterion(tr("Zero gradient"), help_of(RuleField::Gradient), {RuleField::Gradient}, &gradient_));
    column->addWidget(criterion(tr("Low activity"), help_of(RuleField::InactiveShare),
                                {RuleField::Activation, RuleField::InactiveShare}, &activity_));
    column->addWidget(separator());
    column->addWidget(criterion(tr("Guard neurons with rare spikes"), help_of(RuleField::GuardRatio),
                                {RuleField::GuardRatio}, &guard_));
    column->addWidget(separator());
    column->addWidget(build_target_row());
    auto* reset = new QPushButton(tr("Reset to the defaults"));
    reset->setObjectName(u"threshold.reset"_s);
    connect(reset, &QPushButton::clicked, this, [this] {
        masks::FreezeRule defaults;
        defaults.layers = rule_.layers;
        edit(defaults, tr("Reset thresholds"));
    });
    column->addWidget(reset);
    column->addStretch(1);

    auto* scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Thresholds"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(inner);
    scroll->setMinimumWidth(inner->minimumSizeHint().width() +
                            style()->pixelMetric(QStyle::PM_ScrollBarExtent) +
                            style()->pixelMetric(QStyle::PM_ScrollView_ScrollBarSpacing));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    for (auto* box : {variance_, gradient_, activity_})
        connect(box, &QCheckBox::clicked, this, &ThresholdPanel::edit_criteria);
    connect(guard_, &QCheckBox::clicked, this, [this](bool on) {
        auto rule = rule_;
        rule.guard = on;
        edit(rule, on ? tr("Guard on") : tr("Guard off"));
    });
    show_rule();
}

QLayout* ThresholdPanel::build_scope_row() {
    scope_ = new QComboBox;
    scope_->setObjectName(u"threshold.scope"_s);
    scope_->setAccessibleName(tr("Layers the thresholds are for"));
    scope_->setToolTip(tr("Thresholds of all layers, or of the layers that are marked in the layers table"));
    scope_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    scope_->setMinimumContentsLength(14);
    scope_->addItem(tr("All layers"));
    scope_->addItem(QString());
    auto* label = new QLabel(tr("Thresholds &for"));
    label->setBuddy(scope_);
    follow_ = new QPushButton(tr("Follow the rule"));
    follow_->setObjectName(u"threshold.follow"_s);
    follow_->setToolTip(tr("Take the thresholds of their own from these layers"));
    own_note_ = muted_label();
    connect(scope_, &QComboBox::activated, this, &ThresholdPanel::show_rule);
    connect(follow_, &QPushButton::clicked, this, [this] {
        const auto layers = scope().layers.empty() ? all_with_own(rule_) : scope();
        edit(without_own_values(rule_, layers), tr("Follow the rule: %1").arg(name_of(layers)));
    });
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(scope_, 1);
    row->addWidget(follow_);
    return row;
}

QWidget* ThresholdPanel::build_target_row() {
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    target_ = new NumberBox;
    target_->setObjectName(u"threshold.target"_s);
    target_->setAccessibleName(tr("Share of all neurons to freeze"));
    target_->setRange(0, 100);
    target_->setDecimals(2);
    target_->setValue(20);
    target_->setSuffix(u" %"_s);
    auto* label = new QLabel(tr("Freeze"));
    label->setBuddy(target_);
    auto* solve = new QPushButton(tr("at &least harm"));
    solve->setObjectName(u"threshold.solve"_s);
    solve->setToolTip(tr("Chooses, over all layers together, the neurons whose output varies least against "
                         "their layer's; guarded neurons stay active"));
    connect(solve, &QPushButton::clicked, this, [this] { Q_EMIT target_requested(target_->value() / 100); });
    row->addWidget(label);
    row->addWidget(target_, 1);
    row->addWidget(solve);
    return group;
}

RuleScope ThresholdPanel::scope() const { return scope_->currentIndex() == 1 ? marked_ : RuleScope{}; }

void ThresholdPanel::set_marked_layers(const RuleScope& layers) {
    marked_ = layers;
    show_rule();
}

void ThresholdPanel::build_rule_chooser() {
    chooser_ = new QComboBox;
    chooser_->setObjectName(u"threshold.rule"_s);
    chooser_->setAccessibleName(tr("Freeze rule"));
    chooser_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser_->setMinimumContentsLength(14);
    chooser_->addItem(tr("Variance and gradient"), u"variance+gradient"_s);
    chooser_->addItem(tr("All three criteria"), u"all"_s);
    chooser_->addItem(tr("Any criterion"), u"any"_s);
    chooser_->addItem(tr("Variance only"), u"variance"_s);
    chooser_->addItem(tr("Gradient only"), u"gradient"_s);
    chooser_->addItem(tr("Activity only"), u"activity"_s);
    chooser_->addItem(tr("Smallest RMS, a share"), u"quantile"_s);
    chooser_->addItem(tr("Least output impact, a share"), u"impact"_s);
    chooser_->addItem(tr("Variance and change, a share"), u"variance_gradient"_s);
    chooser_->addItem(tr("Own combination"), u"own"_s);
    connect(chooser_, &QComboBox::activated, this,
            [this](int index) { choose_rule(chooser_->itemData(index).toString()); });
}

QWidget* ThresholdPanel::criterion(const QString& title, const QString& help,
                                   std::initializer_list<RuleField> fields, QCheckBox** used) {
    auto* group = new QWidget;
    auto* column = new QVBoxLayout(group);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    *used = new QCheckBox(title);
    (*used)->setToolTip(help);
    auto font = (*used)->font();
    font.setWeight(QFont::DemiBold);
    (*used)->setFont(font);
    column->addWidget(*used);
    for (auto field : fields) column->addWidget(add_control(field));
    return group;
}

ThresholdControl* ThresholdPanel::add_control(RuleField field) {
    auto* control = new ThresholdControl(field);
    controls_[field] = control;
    connect(control, &ThresholdControl::gesture_began, this, [this, field] {
        Q_EMIT field_touched(field);
        Q_EMIT gesture_began();
    });
    connect(control, &ThresholdControl::edited, this, [this](RuleField changed, double value) {
        const auto layers = scope();
        const auto rule = with_value(rule_, changed, value, layers);
        if (rule == rule_) return;
        Q_EMIT rule_edited(rule, name_of(changed, layers));
    });
    return control;
}

void ThresholdPanel::edit(const masks::FreezeRule& rule, const QString& what) {
    if (rule == rule_) return show_rule();
    Q_EMIT gesture_began();
    Q_EMIT rule_edited(rule, what);
}

void ThresholdPanel::edit_criteria() {
    auto rule = rule_;
    rule.method = masks::FreezeRule::Method::Criteria;
    rule.use_variance = variance_->isChecked();
    rule.use_gradient = gradient_->isChecked();
    rule.use_activity = activity_->isChecked();
    if (!rule.use_variance && !rule.use_gradient && !rule.use_activity) return show_rule(); // one must stay
    edit(rule, tr("Criteria"));
}

void ThresholdPanel::choose_rule(const QString& name) {
    using Method = masks::FreezeRule::Method;
    auto rule = rule_;
    if (name == u"own"_s) return show_rule();
    if (name == u"variance_gradient"_s) {
        if (rule.method == Method::Criteria) rule.quantile = masks::default_variance_quantile;
        rule.method = Method::VarianceGradient;
    } else if (name == u"quantile"_s || name == u"impact"_s) {
        rule.method = name == u"impact"_s ? Method::Impact : Method::Quantile;
    } else {
        rule.method = Method::Criteria;
        rule.use_variance =
            name == u"variance"_s || name == u"all"_s || name == u"any"_s || name == u"variance+gradient"_s;
        rule.use_gradient =
            name == u"gradient"_s || name == u"all"_s || name == u"any"_s || name == u"variance+gradient"_s;
        rule.use_activity = name == u"activity"_s || name == u"all"_s || name == u"any"_s;
        rule.combine = name == u"any"_s ? masks::FreezeRule::Combine::Any : masks::FreezeRule::Combine::All;
    }
    edit(rule, tr("Rule: %1").arg(chooser_->currentText()));
}

void ThresholdPanel::set_rule(const masks::FreezeRule& rule) {
    rule_ = rule;
    show_rule();
}

QString ThresholdPanel::explanation_of(masks::FreezeRule::Method method) {
    using Method = masks::FreezeRule::Method;
    if (method == Method::Quantile) return tr("The share of each layer with the smallest RMS is frozen.");
    if (method == Method::VarianceGradient)
        return tr(
            "Frozen is what is among this share of its layer by variance and by change from token to token.");
    return tr("The share of each layer whose output varies least is frozen.");
}

void ThresholdPanel::show_rule() {
    const bool criteria = rule_.method == masks::FreezeRule::Method::Criteria;
    if (marked_.layers.empty()) scope_->setCurrentIndex(0);
    scope_->setItemText(1, marked_.layers.empty() ? tr("Marked layers") : capitalised(name_of(marked_)));
    scope_->setEnabled(!marked_.layers.empty());
    const auto layers = scope();
    const auto own = all_with_own(rule_);
    own_note_->setVisible(!own.layers.empty());
    own_note_->setText(tr("Thresholds of their own: %1.").arg(name_of(own)));
    follow_->setVisible(layers.layers.empty()
                            ? !own.layers.empty()
                            : std::any_of(layers.layers.begin(), layers.layers.end(),
                                          [&](auto layer) { return has_own(rule_, layer); }));
    for (auto& [field, control] : controls_) control->set_value(value_of(rule_, field, layers));
    variance_->setChecked(criteria && rule_.use_variance);
    gradient_->setChecked(criteria && rule_.use_gradient);
    activity_->setChecked(criteria && rule_.use_activity);
    guard_->setChecked(rule_.guard);
    share_->setVisible(!criteria);
    controls_.at(RuleField::GuardRatio)->setEnabled(rule_.guard);
    auto name = QString::fromStdString(masks::rule_name(rule_)).section(u':', 0, 0);
    const int index = chooser_->findData(name);
    chooser_->setCurrentIndex(index >= 0 ? index : chooser_->findData(u"own"_s));
    if (!criteria)
        explanation_->setText(explanation_of(rule_.method));
    else if (rule_.combine == masks::FreezeRule::Combine::Any)
        explanation_->setText(tr("A neuron is frozen when any ticked criterion holds."));
    else
        explanation_->setText(
            tr("A neuron is frozen when all ticked criteria hold. Saturated means all three."));
}

} // namespace permafrost::widgets
