// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one observable state of a window: what was profiled, under which rule, what follows from it, and where
// the person looks. Views subscribe; nobody else keeps a copy. Rule edits are undo steps; the selection is
// not.
#pragma once

#include "widgets/view_data.h"

#include <QObject>
#include <QTimer>
#include <QUndoStack>

namespace permafrost::gui {

using widgets::DecisionPtr;
using widgets::ProfilePtr;
using widgets::Selection;

class Session : public QObject {
    Q_OBJECT
  public:
    explicit Session(QObject* parent = nullptr);

    const ProfilePtr& profile() const { return profile_; }
    const masks::FreezeRule& rule() const { return rule_; }
    /// Follows profile and rule at the next turn of the event loop; null without a profile.
    const DecisionPtr& decision() const { return decision_; }
    const Selection& selection() const { return selection_; }
    QUndoStack* undo_stack() { return &undo_; }

    /// A newer snapshot of the same run, or another profile. The selection stays where it still exists.
    void set_profile(const ProfilePtr& profile);
    /// What follows is a new undo step, even if it changes the same number again.
    void begin_gesture() { ++gesture_; }
    /// An undoable edit; edits of one gesture with the same name become one step. Invalid rules are ignored.
    void edit_rule(const masks::FreezeRule& rule, const QString& what);
    void select(const Selection& selection);
    /// Decides at once instead of at the next turn (before an export).
    const DecisionPtr& settle();

  Q_SIGNALS:
    void rule_changed();     ///< at once
    void decision_changed(); ///< coalesced: at most once a turn of the event loop; profile() and decision()
                             ///< are new
    void selection_changed();

  private:
    friend class RuleCommand;
    void apply_rule(const masks::FreezeRule& rule);
    void decide();

    ProfilePtr profile_;
    masks::FreezeRule rule_;
    DecisionPtr decision_;
    Selection selection_;
    QUndoStack undo_;
    QTimer decide_;
    int gesture_ = 0;
};

} // namespace permafrost::gui
