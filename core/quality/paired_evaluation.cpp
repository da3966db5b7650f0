// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/paired_evaluation.h"

#include "core/model/output_head.h"
#include "core/quality/running_softmax.h"
#include "core/quality/scores.h"

#include <algorithm>
#include <cmath>

namespace permafrost::quality {
namespace {

std::function<void(tensor::MatrixView)> freezing(const FrozenLayer& layer) {
    if (layer.neurons.empty()) return {};
    return [&layer](tensor::MatrixView h) {
        for (std::size_t row = 0; row < h.rows; ++row) {
            float* values = h.data + row * h.stride;
            for (std::size_t i = 0; i < layer.neurons.size(); ++i)
                values[layer.neurons[i]] = layer.values.empty() ? 0.0f : layer.values[i];
        }
    };
}

Result<void> check(const model::ModelConfig& config, const MaskedModel& variant) {
    const auto refused = [&](const std::string& why) {
        return Error{"the mask " + variant.name + " does not fit the model " + config.name + ": " + why};
    };
    if (variant.layers.size() != config.layers)
        return refused("it has " + std::to_string(variant.layers.size()) + " layers, the model " +
                       std::to_string(config.layers));
    for (std::size_t layer = 0; layer < variant.layers.size(); ++layer) {
        const auto& frozen = variant.layers[layer];
        if (!frozen.neurons.empty() && frozen.neurons.back() >= config.intermediate[layer])
            return refused("layer " + std::to_string(layer) + " has " +
                           std::to_string(config.intermediate[layer]) + " neurons, the mask names neuron " +
                           std::to_string(frozen.neurons.back()));
        if (!frozen.values.empty() && frozen.values.size() != frozen.neurons.size())
            return refused("layer " + std::to_string(layer) + " has another number of values than neurons");
    }
    return {};
}

class PairedEvaluator {
  public:
    /// `first_scored`: (sequence) the first position whose next token is scored.
    PairedEvaluator(const formats::ModelFilePtr& file, model::ModelConfig config, const text::Corpus& corpus,
                    const std::vector<std::uint32_t>& first_scored, const std::vector<MaskedModel>& variants,
                    const EvaluationSettings& settings, const EvaluationObserver& observer,
                    const std::stop_token& stop)
        : corpus_(corpus), first_scored_(first_scored), variants_(variants), settings_(settings),
          observer_(observer), stop_(stop), pool_(settings.threads, settings.background),
          forward_(file, std::move(config), pool_) {
        // Variants in which nothing is frozen are branch 0; the others get branches of their own.
        branch_of_.assign(variants.size(), 0);
        for (std::size_t i = 0; i < variants.size(); ++i)
            if (variants[i].first_changed_layer() < variants[i].layers.size()) branch_of_[i] = branches_++;
        scores_.resize(branches_);
        divergences_.resize(branches_);
    }

    /// The sequence of each scored token, in the order of the scores.
    const std::vector<std::uint32_t>& scored_sequences() const { return scored_sequences_; }
    /// (token) of the dense model for 0, else of variant - 1.
    const std::vector<float>& nll(std::size_t model) const {
        return scores_[model == 0 ? 0 : branch_of_[model - 1]].nll;
    }

    Result<PairedEvaluation> run() {
        const auto tiles = model::cut_tiles(corpus_);
        for (std::size_t first = 0; first < tiles.size();) {
            std::size_t last = first;
            std::uint64_t rows = 0;
            while (last < tiles.size() && (last == first || rows + tiles[last].rows <= settings_.wave_tokens))
                rows += tiles[last++].rows;
            const auto wave = std::span(tiles).subspan(first, last - first);
            const auto begin = static_cast<double>(first) / static_cast<double>(tiles.size());
            const auto width = static_cast<double>(last - first) / static_cast<double>(tiles.size());
            PERMAFROST_CHECK(run_layers(wave, begin, width));
            PERMAFROST_CHECK(score(wave));
            if (observer_.progress) observer_.progress(begin + width);
            if (observer_.wave_done) observer_.wave_done(summary());
            first = last;
        }
        if (scores_[0].nll.empty())
            return Error{"no token is scored: the text needs at least one window of 4 tokens"};
        auto result = summary();
        if (!std::isfinite(result.dense.nll))
            return Error{
                forward_.file().location() +
                ": the model's predictions are not finite, so it has no perplexity; profile it to see which "
                "neurons are broken"};
        return result;
    }

  private:
    /// One scored token of a tile, in every branch.
    struct Position {
        text::TokenId target;
        std::vector<RunningSoftmax> softmax;        ///< (branch)
        std::vector<RunningDivergence> divergences; ///< (branch)
    };

    Result<void> run_layers(std::span<const model::Tile> wave, double begin, double width);
    /// function(tile in the wave, part, position in its sequence) for every position whose next token is scored, in order
    template <class Function>
    void for_each_scored(std::span<const model::Tile> wave, Function function) const;
    std::vector<std::vector<std::uint32_t>> scored_rows(std::span<const model::Tile> wave) const;
    Result<void> score(std::span<const model::Tile> wave);
    void compare_panel(const model::LogitPanel& panel, std::vector<Position>& positions) const;
    PairedEvaluation summary() const;

    const text::Corpus& corpus_;
    const std::vector<std::uint32_t>& first_scored_;
    const std::vector<MaskedModel>& variants_;
    const EvaluationSettings& settings_;
    const EvaluationObserver& observer_;
    std::stop_token stop_;
    ThreadPool pool_;
    model::Forward forward_;
    std::size_t branches_ = 1;
    std::vector<std::size_t> branch_of_;          ///< (variant)
    std::vector<TokenScores> scores_;             ///< (branch)
    std::vector<std::uint32_t> scored_sequences_; ///< (token)
    std::vector<std::vector<float>> divergences_; ///< (branch, token); empty for branch 0
};

Result<void> PairedEvaluator::run_layers(std::span<const model::Tile> wave, double begin, double width) {
    PERMAFROST_CHECK(forward_.begin_wave(corpus_, wave, stop_));
    const auto layers = forward_.config().layers;
    const auto scored = scored_rows(wave);
    const std::span<const std::vector<std::uint32_t>> all_rows;
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        std::vector<model::Branch> branches{{}};
        for (std::size_t i = 0; i < variants_.size(); ++i) {
            const auto first = variants_[i].first_changed_layer();
            if (branch_of_[i] != 0 && layer >= first)
                branches.push_back({branch_of_[i], layer == first, freezing(variants_[i].layers[layer])});
        }
        if (!forward_.load_layer(layer, stop_) ||
            !forward_.run_branches(branches, layer + 1 == layers ? scored : all_rows, stop_))
            return Cancelled{};
        if (observer_.progress) observer_.progress(begin + width * (layer + 1) / (layers + 1));
    }
    return {};
}

template <class Function>
void PairedEvaluator::for_each_scored(std::span<const model::Tile> wave, Function function) const {
    for (std::size_t tile = 0; tile < wave.size(); ++tile)
        for (const auto& part : wave[tile].parts)
            for (std::uint32_t t = first_scored_[part.sequence]; t + 1 < part.length; ++t)
                function(tile, part, t);
}

std::vector<std::vector<std::uint32_t>>
PairedEvaluator::scored_rows(std::span<const model::Tile> wave) const {
    std::vector<std::vector<std::uint32_t>> rows(wave.size());
    for_each_scored(wave, [&](std::size_t tile, const model::Tile::Part& part, std::uint32_t t) {
        rows[tile].push_back(part.first_row + t);
    });
    return rows;
}

Result<void> PairedEvaluator::score(std::span<const model::Tile> wave) {
    std::vector<std::vector<Position>> positions(wave.size());
    for_each_scored(wave, [&](std::size_t tile, const model::Tile::Part& part, std::uint32_t t) {
        scored_sequences_.push_back(static_cast<std::uint32_t>(part.sequence));
        positions[tile].push_back({corpus_.sequences[part.sequence].tokens[t + 1],
                                   std::vector<RunningSoftmax>(branches_),
                                   std::vector<RunningDivergence>(branches_)});
    });
    std::vector<std::size_t> rows;
    for (const auto& tile : positions) rows.push_back(tile.size());
    const bool done = model::for_each_logit_panel(
        forward_, rows, branches_,
        [&](const model::LogitPanel& panel) { compare_panel(panel, positions[panel.tile_in_wave]); }, stop_);
    if (!done) return Cancelled{};
    for (const auto& tile : positions)
        for (const auto& position : tile)
            for (std::size_t branch = 0; branch < branches_; ++branch) {
                const auto& softmax = position.softmax[branch];
                scores_[branch].nll.push_back(static_cast<float>(softmax.target_nll()));
                scores_[branch].choices.push_back(static_cast<std::uint32_t>(softmax.best_token));
                scores_[branch].hits.push_back(softmax.best_token == position.target);
                if (branch != 0)
                    // Rounding may leave a hair below zero, which no divergence is.
                    divergences_[branch].push_back(static_cast<float>(
                        std::max(0.0, position.divergences[branch].value(position.softmax[0], softmax))));
            }
    return {};
}

void PairedEvaluator::compare_panel(const model::LogitPanel& panel, std::vector<Position>& positions) const {
    const auto columns = panel.logits().columns;
    std::vector<float> dense(columns), masked(columns);
    const auto row_of = [](const tensor::ConstMatrixView& view, std::size_t row) {
        return view.data + row * view.stride;
    };
    for (std::size_t i = 0; i < positions.size(); ++i) {
        auto& position = positions[i];
        const float* logits = row_of(panel.logits(), i);
        const double rescale =
            position.softmax[0].add(logits, columns, panel.first_token, position.target, dense.data());
        for (std::size_t branch = 1; branch < branches_; ++branch) {
            const float* others = row_of(panel.branches[branch], i);
            position.softmax[branch].add(others, columns, panel.first_token, position.target, masked.data());
            position.divergences[branch].add(logits, others, columns, dense.data(), rescale);
        }
    }
}

PairedEvaluation PairedEvaluator::summary() const {
    PairedEvaluation result;
    result.dense = summarise(scores_[0]);
    for (std::size_t i = 0; i < variants_.size(); ++i) {
        const auto branch = branch_of_[i];
        result.masked.push_back(
            compare(scores_[0], scores_[branch],
                    branch == 0 ? std::vector<float>(scores_[0].nll.size(), 0.0f) : divergences_[branch]));
        result.masked.back().name = variants_[i].name;
    }
    return result;
}

} // namespace

Result<PairedEvaluation> evaluate_paired(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                         const std::vector<MaskedModel>& variants,
                                         const EvaluationSettings& settings,
                                         const EvaluationObserver& observer, const std::stop_token& stop) {
    PERMAFROST_TRY(auto config, model::read_model_config(*file));
    for (const auto& variant : variants) PERMAFROST_CHECK(check(config, variant));
    const std::vector<std::uint32_t> second_half(corpus.sequences.size(), settings.context / 2);
    return PairedEvaluator(file, std::move(config), corpus, second_half, variants, settings, observer, stop)
        .run();
}

Result<PairedEvaluation> evaluate_in_passes(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                            const std::vector<MaskedModel>& variants, std::size_t at_once,
                                            const EvaluationSettings& settings,
                                            const std::function<void(double share)>& progress,
                                            const std::stop_token& stop) {
    PairedEvaluation all;
    const double passes =
        std::max(1.0, std::ceil(static_cast<double>(variants.size()) / static_cast<double>(at_once)));
    double done = 0;
    for (std::size_t first = 0; first == 0 || first < variants.size(); first += at_once, ++done) {
        const auto last = std::min(variants.size(), first + at_once);
        const std::vector<MaskedModel> some(variants.begin() + static_cast<std::ptrdiff_t>(first),
                                            variants.begin() + static_cast<std::ptrdiff_t>(last));
        EvaluationObserver observer;
        if (progress) observer.progress = [&](double share) { progress((done + share) / passes); };
        PERMAFROST_TRY(auto part, evaluate_paired(file, corpus, some, settings, observer, stop));
        all.dense = part.dense;
        for (auto& comparison : part.masked) all.masked.push_back(std::move(comparison));
    }
    return all;
}

Result<std::vector<std::vector<double>>>
mean_log_likelihoods(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                     const std::vector<std::uint32_t>& first_scored, const std::vector<MaskedModel>& variants,
                     const EvaluationSettings& settings, const std::function<void(double share)>& progress,
                     const std::stop_token& stop) {
    PERMAFROST_TRY(auto config, model::read_model_config(*file));
    for (const auto& variant : variants) PERMAFROST_CHECK(check(config, variant));
    const EvaluationObserver observer{progress, {}};
    PairedEvaluator evaluator(file, std::move(config), corpus, first_scored, variants, settings, observer,
                              stop);
    PERMAFROST_TRY(const auto evaluation, evaluator.run());
    std::vector<std::vector<double>> means;
    for (std::size_t model = 0; model <= variants.size(); ++model) {
        std::vector<double> sums(corpus.sequences.size(), 0.0);
        std::vector<std::size_t> counts(corpus.sequences.size(), 0);
        const auto& nll = evaluator.nll(model);
        for (std::size_t token = 0; token < nll.size(); ++token) {
            const auto sequence = evaluator.scored_sequences()[token];
            sums[sequence] -= static_cast<double>(nll[token]);
            ++counts[sequence];
        }
        for (std::size_t sequence = 0; sequence < sums.size(); ++sequence) {
            if (counts[sequence] == 0)
                return Error{"sequence " + std::to_string(sequence) + " has no token to score"};
            sums[sequence] /= static_cast<double>(counts[sequence]);
        }
        means.push_back(std::move(sums));
    }
    return means;
}

} // namespace permafrost::quality
