// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"
#include "core/text/corpus.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace permafrost::cli {

/// The text that quality is measured on, on the command line.
struct EvaluationText {
    std::string text; ///< file, or "heldout"
    std::uint32_t context = 512;
    std::uint64_t windows = 0; ///< 0: all
    bool force = false;        ///< also on text that the masks were made from

    /// All options, --text required.
    void add_to(CLI::App& command);
    /// Text, context and windows; what is not given stays as it is.
    void add_text_to(CLI::App& command, const std::string& purpose);
};

/// Errors: it cannot be read or cut, or is too short for one window.
Result<text::Corpus> read_windows(const EvaluationText& options, const formats::ModelFile& file);
/// "held-out text", or the file's name.
std::string name_of(const EvaluationText& options);

/// Quality on the text that a mask was made from looks better than it is. `masks`: what was made from it.
Result<void> check_overlap(const EvaluationText& options, const std::string& masks, double share);

} // namespace permafrost::cli
