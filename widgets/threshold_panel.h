// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/rule_fields.h"

#include <QWidget>

#include <map>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace permafrost::widgets {

class NumberBox;
class ThresholdControl;

/// Everything of a FreezeRule: rule chooser, thresholds of all layers or of the marked ones, guard, target
/// share, reset.
class ThresholdPanel : public QWidget {
    Q_OBJECT
  public:
    explicit ThresholdPanel(QWidget* parent = nullptr);

    void set_rule(const masks::FreezeRule& rule);
    /// The layers a person has marked; thresholds can be set for them alone.
    void set_marked_layers(const RuleScope& layers);
    /// What a changed number applies to.
    RuleScope scope() const;
    ThresholdControl* control(RuleField field) const { return controls_.at(field); }

  Q_SIGNALS:
    void gesture_began();
    /// `what` names the change for the history.
    void rule_edited(const permafrost::masks::FreezeRule& rule, const QString& what);
    void field_touched(permafrost::widgets::RuleField field);
    /// "Freeze this share of all neurons at least harm."
    void target_requested(double share);

  private:
    QWidget* criterion(const QString& title, const QString& help, std::initializer_list<RuleField> fields,
                       QCheckBox** used);
    ThresholdControl* add_control(RuleField field);
    void build_rule_chooser();
    QLayout* build_scope_row();
    QWidget* build_target_row();
    void edit(const masks::FreezeRule& rule, const QString& what);
    void edit_criteria();
    void choose_rule(const QString& name);
    static QString explanation_of(masks::FreezeRule::Method method);
    void show_rule();

    masks::FreezeRule rule_;
    RuleScope marked_;
    QComboBox* scope_ = nullptr;
    QPushButton* follow_ = nullptr; ///< the scope's layers follow the rule again
    QLabel* own_note_ = nullptr;
    NumberBox* target_ = nullptr;
    QComboBox* chooser_ = nullptr;
    QLabel* explanation_ = nullptr;
    QCheckBox* variance_ = nullptr;
    QCheckBox* gradient_ = nullptr;
    QCheckBox* activity_ = nullptr;
    QCheckBox* guard_ = nullptr;
    QWidget* share_ = nullptr;
    std::map<RuleField, ThresholdControl*> controls_;
};

} // namespace permafrost::widgets
