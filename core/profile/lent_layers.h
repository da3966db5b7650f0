// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/thread_pool.h"
#include "core/profile/layer_profile.h"

#include <memory>
#include <span>
#include <vector>

namespace permafrost::profile {

/// While it lives, statistics that a run goes on adding to afterwards are profiles of layers, with all that is derived from them.
/// Nothing is copied, since that would double a run's memory: `totals` are empty meanwhile, and layers() must not outlive this.
class LentLayers {
  public:
    LentLayers(std::span<LayerStatistics> totals, ThreadPool& pool) : totals_(totals), lent_(totals.size()) {
        pool.parallel_for(totals.size(), [&](std::size_t i, std::size_t) {
            lent_[i] = std::make_shared<LayerProfile>(std::move(totals_[i]));
        });
        layers_.assign(lent_.begin(), lent_.end());
    }
    ~LentLayers() {
        for (std::size_t i = 0; i < lent_.size(); ++i) totals_[i] = std::move(*lent_[i]).release();
    }
    LentLayers(const LentLayers&) = delete;
    LentLayers& operator=(const LentLayers&) = delete;

    const std::vector<LayerProfilePtr>& layers() const { return layers_; } ///< in the order of the totals

  private:
    std::span<LayerStatistics> totals_;
    std::vector<std::shared_ptr<LayerProfile>> lent_;
    std::vector<LayerProfilePtr> layers_;
};

} // namespace permafrost::profile
