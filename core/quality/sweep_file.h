// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/quality/sweep.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace permafrost::quality {

/// {"format": "permafrost.sweep", "version": 1, "model_sha256", "text", "text_sha256", "windows", "context", "overlap", "tokens", "dense":
/// {…}, "settings": [{"rule": {…}, "frozen_neurons", "frozen_share", "estimated_speedup", "output_loss", "mask_sha256",
/// "variant_sha256", and the figures that eval prints}, …], "pareto": [index, …]}. A file of finished settings is whole after
/// every pass, so an interrupted sweep goes on from it.
nlohmann::ordered_json sweep_json(const Sweep& sweep);

/// Errors: it cannot be read, or is no sweep or of a newer version.
Result<Sweep> read_sweep(const std::filesystem::path& path);

} // namespace permafrost::quality
