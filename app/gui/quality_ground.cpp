// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/quality_ground.h"

#include "app/gui/quality_store.h"
#include "core/base/embedded_files.h"
#include "core/base/number_text.h"
#include "core/model/read_tokenizer.h"

namespace permafrost::gui {
namespace {

constexpr std::uint32_t context = 512;
constexpr double most_overlap = 0.01;

} // namespace

Result<QualityGround> read_ground(const formats::ModelFilePtr& file, std::size_t windows,
                                  const text::OverlapSketch& profiled) {
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*file));
    PERMAFROST_TRY(auto corpus, text::cut_text(*tokenizer, embedded::heldout_text(), context));
    if (windows != 0 && corpus.sequences.size() > windows) corpus.sequences.resize(windows);
    const double seen = text::shared_share(profiled, corpus);
    if (seen > most_overlap)
        return Error{fixed_text(100 * seen, 1) + " % of the held-out text was in the text that was profiled, "
                                                 "so quality would look better than it is. "
                                                 "Profile another text to measure it."};
    const quality::SweepSubject subject{file->header_sha256(),   "held-out text", corpus.sha256,
                                        corpus.sequences.size(), context,         seen};
    auto kept = read_kept(subject);
    return QualityGround{file, windows, std::make_shared<const text::Corpus>(std::move(corpus)),
                         std::move(kept)};
}

quality::EvaluationSettings background_evaluation() {
    quality::EvaluationSettings settings;
    settings.context = context;
    settings.wave_tokens = 4 * context;
    settings.background = true;
    return settings;
}

} // namespace permafrost::gui
