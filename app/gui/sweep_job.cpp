// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/sweep_job.h"

#include "widgets/sweep_view.h"

namespace permafrost::gui {
namespace {

constexpr std::size_t points = 81;
constexpr int delay_milliseconds = 120;

} // namespace

SweepJob::SweepJob(Session& session, widgets::SweepView* view, QObject* parent)
    : QObject(parent), session_(session), view_(view) {
    delay_.setSingleShot(true);
    delay_.setInterval(delay_milliseconds);
    connect(&delay_, &QTimer::timeout, this, &SweepJob::compute);
    connect(&session, &Session::decision_changed, this, &SweepJob::wish);
    connect(view, &widgets::SweepView::field_changed, this, &SweepJob::wish);
    connect(view, &widgets::SweepView::became_visible, this, &SweepJob::wish);
}

SweepJob::~SweepJob() { stop_.request_stop(); }

void SweepJob::wish() {
    if (view_->isVisible() && session_.profile() && !delay_.isActive()) delay_.start();
}

void SweepJob::compute() {
    const auto field = view_->field();
    const auto profile = session_.profile();
    // The curve does not depend on where on it the rule stands.
    const auto rule = widgets::with_value(session_.rule(), field, widgets::range_of(field).low);
    if (!profile || (profile == profile_ && rule == rule_ && field_ == static_cast<int>(field))) return;
    profile_ = profile;
    rule_ = rule;
    field_ = static_cast<int>(field);
    stop_.request_stop();
    stop_ = {};
    const int turn = ++turn_;
    background_.run(
        this,
        [profile, rule, field, stop = stop_.get_token()] {
            return widgets::sweep(*profile, rule, field, points, stop);
        },
        [this, field, turn](std::vector<widgets::SweepPoint> curve) {
            if (turn == turn_ && !curve.empty()) view_->set_curve(field, std::move(curve));
        });
}

} // namespace permafrost::gui
