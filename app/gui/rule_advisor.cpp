// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/rule_advisor.h"

#include "core/masks/least_harm.h"
#include "widgets/numbers.h"
#include "widgets/verdict_card.h"

namespace permafrost::gui {
namespace {

constexpr int delay_milliseconds = 150; // a drag is over by then, or paused

} // namespace

RuleAdvisor::RuleAdvisor(Session& session, widgets::VerdictCard* card, QObject* parent)
    : QObject(parent), session_(session), card_(card) {
    delay_.setSingleShot(true);
    delay_.setInterval(delay_milliseconds);
    connect(&delay_, &QTimer::timeout, this, &RuleAdvisor::look_for_changes);
    connect(&session, &Session::decision_changed, this, [this] {
        stop_changes_.request_stop();
        delay_.start();
    });
}

RuleAdvisor::~RuleAdvisor() {
    stop_changes_.request_stop();
    stop_share_.request_stop();
}

void RuleAdvisor::look_for_changes() {
    const auto profile = session_.profile();
    const auto decision = session_.decision();
    if (!decision || !profile || !profile->complete()) return; // a run's numbers change at once again
    stop_changes_ = {};
    background_.run(
        this,
        [profile, decision, stop = stop_changes_.get_token()] {
            return widgets::verdict_changes(*profile, *decision, stop);
        },
        [this, decision](const std::vector<widgets::VerdictChange>& changes) {
            card_->set_changes(decision, changes);
        });
}

void RuleAdvisor::freeze_share(double share) {
    const auto profile = session_.profile();
    if (!profile) return;
    stop_share_.request_stop();
    stop_share_ = {};
    background_.run(
        this,
        [profile, rule = session_.rule(), share, stop = stop_share_.get_token()] {
            return masks::freeze_at_least_harm(*profile, rule, share, stop);
        },
        [this, share](const Result<masks::FreezeRule>& rule) {
            if (rule.cancelled()) return;
            if (!rule.ok()) return Q_EMIT failed(QString::fromStdString(rule.message()));
            session_.begin_gesture();
            session_.edit_rule(rule.value(), tr("Freeze %1 at least harm").arg(widgets::percent(share)));
        });
}

} // namespace permafrost::gui
