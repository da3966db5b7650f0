// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"
#include "core/model/model_config.h"

#include <QString>

#include <cstdint>

namespace permafrost::gui {

/// A model that is open and whose architecture was read.
struct OpenModel {
    QString location; ///< path, or "demo"
    formats::ModelFilePtr file;
    model::ModelConfig config;
    std::uint64_t file_bytes = 0;
};

/// What a run shall process.
struct RunRequest {
    enum class Source { BuiltIn, Prompts, Text };
    Source source = Source::BuiltIn;
    QString path;                   ///< of the prompt or text file
    std::uint64_t most_prompts = 0; ///< prompts or windows; 0: all
    std::uint32_t context = 512;    ///< tokens
    std::size_t threads = 0;        ///< 0: one a processor
};

} // namespace permafrost::gui
