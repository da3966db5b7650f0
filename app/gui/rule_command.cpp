// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/rule_command.h"

#include "app/gui/session.h"
#include "widgets/rule_fields.h"

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;
using widgets::RuleField;

/// "Variance below 0.02 h²" or "Variance below, layer 3: 0.02 h²" when a single number changed, else `what`.
QString describe(const masks::FreezeRule& before, const masks::FreezeRule& after, const QString& what) {
    for (auto field : {RuleField::Variance, RuleField::Gradient, RuleField::Activation,
                       RuleField::InactiveShare, RuleField::Quantile, RuleField::GuardRatio}) {
        if (!what.startsWith(widgets::name_of(field))) continue;
        if (const double value = widgets::value_of(after, field); value != widgets::value_of(before, field))
            return what + u" "_s + widgets::with_unit(field, value, 3);
        for (const auto& entry : after.layer_rules) {
            const widgets::RuleScope layer{{entry.first}};
            const double value = widgets::value_of(after, field, layer);
            if (value != widgets::value_of(before, field, layer))
                return what + u": "_s + widgets::with_unit(field, value, 3);
        }
    }
    return what;
}

} // namespace

RuleCommand::RuleCommand(Session& session, const masks::FreezeRule& rule, const QString& what, int gesture)
    : session_(session), before_(session.rule()), after_(rule), what_(what), gesture_(gesture) {
    setText(describe(before_, after_, what_));
}

void RuleCommand::undo() { session_.apply_rule(before_); }
void RuleCommand::redo() { session_.apply_rule(after_); }

bool RuleCommand::mergeWith(const QUndoCommand* other) {
    const auto& later = static_cast<const RuleCommand&>(*other);
    if (later.gesture_ != gesture_ || later.what_ != what_) return false;
    after_ = later.after_;
    setText(describe(before_, after_, what_));
    return true;
}

} // namespace permafrost::gui
