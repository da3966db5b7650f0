// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"
#include "core/profile/profile.h"
#include "core/quality/sweep.h"
#include "core/text/corpus.h"

#include <memory>

namespace permafrost::gui {

/// What quality is measured on: a model, windows of the held-out text, and what was measured of these before.
struct QualityGround {
    formats::ModelFilePtr file;
    std::size_t windows = 0; ///< asked for; 0: all
    std::string profiled;    ///< ProfileInfo::corpus_sha256 of the text that must not be in it
    std::string problem;     ///< why it cannot be used; then the rest is empty
    std::shared_ptr<const text::Corpus> corpus;
    quality::Sweep kept;
};

/// Reads the held-out text with the model's tokenizer; not for the GUI thread. Its problem says so when the text is in the profiled one, or
/// the model's tokenizer cannot be read.
QualityGround read_ground(const formats::ModelFilePtr& file, std::size_t windows,
                          const profile::ProfileInfo& profiled);

/// Small waves, so that first figures come soon, at low priority.
quality::EvaluationSettings background_evaluation();

} // namespace permafrost::gui
