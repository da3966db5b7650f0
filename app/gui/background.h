// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>
#include <QtConcurrentRun>

#include <memory>
#include <utility>

namespace permafrost::gui {

/// Short pieces of work away from the GUI thread: opening, saving, exporting. Destroying it waits for what
/// still runs.
class Background {
  public:
    Background() { pool_.setMaxThreadCount(2); }
    ~Background() { pool_.waitForDone(); }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// Calls work() on the pool, then done(result) in `receiver`'s thread unless it is gone by then.
    template <class Work, class Done>
    void run(QObject* receiver, Work work, Done done) {
        using Value = std::invoke_result_t<Work>;
        QtConcurrent::run(&pool_, [work = std::move(work)]() mutable {
            return std::make_shared<Value>(work());
        }).then(receiver, [done = std::move(done)](std::shared_ptr<Value> value) mutable {
            done(std::move(*value));
        });
    }

  private:
    QThreadPool pool_;
};

} // namespace permafrost::gui
