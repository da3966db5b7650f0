// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/background.h"
#include "app/gui/session.h"

#include <QObject>

#include <stop_token>

namespace permafrost::widgets {
class NeuronCard;
}

namespace permafrost::gui {

class Workbench;

/// Measures what the model loses when one neuron alone is set to zero, away from the GUI thread. Another request or another
/// selection stops the one before.
class RemovalJob : public QObject {
    Q_OBJECT
  public:
    RemovalJob(Workbench& workbench, widgets::NeuronCard* card, QObject* parent = nullptr);
    ~RemovalJob() override;

  private:
    void follow();
    void measure(const Selection& selection);

    Workbench& workbench_;
    widgets::NeuronCard* card_;
    std::stop_source stop_;
    int turn_ = 0;
    Background background_;
};

} // namespace permafrost::gui
