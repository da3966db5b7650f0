// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session.h"

#include "app/gui/rule_command.h"

#include <algorithm>

namespace permafrost::gui {

Session::Session(QObject* parent) : QObject(parent) {
    undo_.setUndoLimit(500);
    decide_.setSingleShot(true);
    decide_.setInterval(0);
    connect(&decide_, &QTimer::timeout, this, &Session::decide);
}

void Session::set_profile(const ProfilePtr& profile) {
    profile_ = profile;
    if (profile_ && !profile_->layers.empty()) {
        auto selection = selection_;
        const auto last = static_cast<std::uint32_t>(profile_->layers.size() - 1);
        selection.layer = std::min(selection.layer, last);
        if (selection.neuron && *selection.neuron >= profile_->info.intermediate[selection.layer])
            selection.neuron.reset();
        select(selection);
    }
    decide_.start();
}

void Session::edit_rule(const masks::FreezeRule& rule, const QString& what) {
    if (rule == rule_ || !masks::validate(rule).ok()) return;
    undo_.push(new RuleCommand(*this, rule, what, gesture_));
}

void Session::apply_rule(const masks::FreezeRule& rule) {
    if (rule == rule_) return;
    rule_ = rule;
    Q_EMIT rule_changed();
    decide_.start();
}

void Session::select(const Selection& selection) {
    if (selection == selection_) return;
    selection_ = selection;
    Q_EMIT selection_changed();
}

const DecisionPtr& Session::settle() {
    if (decide_.isActive()) {
        decide_.stop();
        decide();
    }
    return decision_;
}

void Session::decide() {
    decision_ =
        profile_ ? std::make_shared<const verdict::Decision>(verdict::decide(*profile_, rule_)) : nullptr;
    Q_EMIT decision_changed();
}

} // namespace permafrost::gui
