// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/freeze_rule.h"

#include <QUndoCommand>

namespace permafrost::gui {

class Session;

/// Swaps the session's rule. Commands of one gesture (a drag) merge into one step.
class RuleCommand : public QUndoCommand {
  public:
    RuleCommand(Session& session, const masks::FreezeRule& rule, const QString& what, int gesture);

    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override;

  private:
    Session& session_;
    masks::FreezeRule before_;
    masks::FreezeRule after_;
    QString what_;
    int gesture_;
};

} // namespace permafrost::gui
