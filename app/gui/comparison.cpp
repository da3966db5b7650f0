// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/comparison.h"

#include "core/profile/profile_file.h"
#include "widgets/trend_view.h"

#include <QFileInfo>

#include <cmath>

namespace permafrost::gui {

Comparison::Comparison(Session& session, widgets::TrendView* view, QObject* parent)
    : QObject(parent), session_(session), view_(view) {
    connect(&session, &Session::decision_changed, this, &Comparison::compute);
    connect(view, &widgets::TrendView::compare_ended, this, &Comparison::clear);
}

void Comparison::add(const QString& path) {
    constexpr std::size_t most = 3;
    background_.run(
        this, [path] { return profile::read_profile(path.toStdString()); },
        [this, path](const Result<ProfilePtr>& profile) {
            if (!profile.ok()) return Q_EMIT failed(QString::fromStdString(profile.message()));
            if (others_.size() == most) others_.erase(others_.begin());
            others_.push_back({path, QFileInfo(path).completeBaseName(), profile.value()});
            compute();
        });
}

void Comparison::clear() {
    others_.clear();
    ++turn_;
    view_->set_overlays({});
}

QStringList Comparison::paths() const {
    QStringList paths;
    for (const auto& other : others_) paths.append(other.path);
    return paths;
}

void Comparison::compute() {
    if (others_.empty()) return;
    again_ = busy_;
    if (busy_) return; // a drag asks more often than this can answer: the newest rule is taken up afterwards
    busy_ = true;
    background_.run(
        this,
        [others = others_, rule = session_.rule()] {
            std::vector<widgets::TrendOverlay> overlays;
            for (const auto& other : others) {
                widgets::TrendOverlay overlay{other.name, {}};
                for (const auto& layer : verdict::decide(*other.profile, rule).layers)
                    overlay.frozen.push_back(layer.profiled ? layer.frozen_share : std::nan(""));
                overlays.push_back(std::move(overlay));
            }
            return overlays;
        },
        [this, turn = turn_](const std::vector<widgets::TrendOverlay>& overlays) {
            busy_ = false;
            if (turn == turn_) view_->set_overlays(overlays);
            if (again_) compute();
        });
}

} // namespace permafrost::gui
