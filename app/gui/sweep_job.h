// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/session.h"

#include <QObject>
#include <QTimer>

#include <stop_token>

namespace permafrost::widgets {
class SweepView;
}

namespace permafrost::gui {

/// Keeps a sweep view's curve up to date, away from the GUI thread, while the view is visible. A newer wish
/// stops the older computation; moving only the swept threshold itself needs none.
class SweepJob : public QObject {
    Q_OBJECT
  public:
    SweepJob(Session& session, widgets::SweepView* view, QObject* parent = nullptr);
    ~SweepJob() override;

  private:
    void wish();
    void compute();

    Session& session_;
    widgets::SweepView* view_;
    ProfilePtr profile_; ///< what the newest curve is of
    masks::FreezeRule rule_;
    int field_ = -1;
    int turn_ = 0;
    QTimer delay_;
    std::stop_source stop_;
    Background background_;
};

} // namespace permafrost::gui
