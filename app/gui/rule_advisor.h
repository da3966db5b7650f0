// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/session.h"

#include <QObject>
#include <QTimer>

#include <stop_token>

namespace permafrost::widgets {
class VerdictCard;
}

namespace permafrost::gui {

/// What takes many decisions to find out, away from the GUI thread: which threshold would change the verdict,
/// and which rule freezes a wanted share at least harm. Newer wishes stop older ones.
class RuleAdvisor : public QObject {
    Q_OBJECT
  public:
    RuleAdvisor(Session& session, widgets::VerdictCard* card, QObject* parent = nullptr);
    ~RuleAdvisor() override;

    /// Makes the rule that freezes `share` of all neurons at least harm the session's, as one undo step.
    void freeze_share(double share);

  Q_SIGNALS:
    void failed(const QString& message);

  private:
    void look_for_changes();

    Session& session_;
    widgets::VerdictCard* card_;
    QTimer delay_;
    std::stop_source stop_changes_, stop_share_;
    Background background_;
};

} // namespace permafrost::gui
