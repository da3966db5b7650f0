// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/quality_ground.h"

#include "app/gui/quality_store.h"
#include "core/base/embedded_files.h"
#include "core/base/number_text.h"
#include "core/model/read_tokenizer.h"

namespace permafrost::gui {
namespace {

constexpr std::uint32_t context = 512;

Result<void> fill(QualityGround& ground, const text::OverlapSketch& profiled) {
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*ground.file));
    PERMAFROST_TRY(auto corpus, text::cut_text(*tokenizer, embedded::heldout_text(), context));
    if (ground.windows != 0 && corpus.sequences.size() > ground.windows)
        corpus.sequences.resize(ground.windows);
    const double seen = text::shared_share(profiled, corpus);
    if (seen > text::most_overlap)
        return Error{fixed_text(100 * seen, 1) + " % of the held-out text was in the text that was profiled, "
                                                 "so quality would look better than it is. "
                                                 "Profile another text to measure it."};
    ground.kept = read_kept({ground.file->header_sha256(), "held-out text", corpus.sha256,
                             corpus.sequences.size(), context, seen});
    ground.corpus = std::make_shared<const text::Corpus>(std::move(corpus));
    return {};
}

} // namespace

QualityGround read_ground(const formats::ModelFilePtr& file, std::size_t windows,
                          const profile::ProfileInfo& profiled) {
    QualityGround ground{file, windows, profiled.corpus_sha256, {}, nullptr, {}};
    const auto read = fill(ground, profiled.corpus_sketch);
    if (!read.ok()) ground.problem = read.message();
    return ground;
}

quality::EvaluationSettings background_evaluation() {
    quality::EvaluationSettings settings;
    settings.context = context;
    settings.wave_tokens = 4 * context;
    settings.background = true;
    return settings;
}

} // namespace permafrost::gui
