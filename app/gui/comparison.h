// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/session.h"

#include <QObject>

namespace permafrost::widgets {
class TrendView;
}

namespace permafrost::gui {

/// Other profiles laid over the depth trend: each is decided by the session's rule again whenever that
/// changes, away from the GUI thread.
class Comparison : public QObject {
    Q_OBJECT
  public:
    Comparison(Session& session, widgets::TrendView* view, QObject* parent = nullptr);

    /// Reads a profile and adds it; at most three, the oldest goes.
    void add(const QString& path);
    void clear();
    QStringList paths() const;

  Q_SIGNALS:
    void failed(const QString& message);

  private:
    void compute();

    struct Other {
        QString path, name;
        ProfilePtr profile;
    };
    Session& session_;
    widgets::TrendView* view_;
    std::vector<Other> others_;
    int turn_ = 0;
    bool busy_ = false, again_ = false;
    Background background_;
};

} // namespace permafrost::gui
