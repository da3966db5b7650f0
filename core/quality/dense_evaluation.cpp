// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/dense_evaluation.h"

#include "core/model/output_head.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace permafrost::quality {
namespace {

/// log(sum(exp(logits))) that grows panel by panel, and the best token so far.
struct RunningSoftmax {
    double maximum = -std::numeric_limits<double>::infinity();
    double sum = 0;
    float best = -std::numeric_limits<float>::infinity();
    text::TokenId best_token = -1;
    double target_logit = 0;

    void add(const float* logits, std::size_t count, std::size_t first_token, text::TokenId target) {
        const auto* highest = std::max_element(logits, logits + count);
        if (*highest > best) {
            best = *highest;
            best_token = static_cast<text::TokenId>(first_token + static_cast<std::size_t>(highest - logits));
        }
        const double new_maximum = std::max(maximum, static_cast<double>(*highest));
        double part = 0;
        for (std::size_t i = 0; i < count; ++i)
            part += std::exp(static_cast<double>(logits[i]) - new_maximum);
        sum = sum * std::exp(maximum - new_maximum) + part;
        maximum = new_maximum;
        const auto wanted = static_cast<std::size_t>(target);
        if (target >= 0 && wanted >= first_token && wanted < first_token + count)
            target_logit = static_cast<double>(logits[wanted - first_token]);
    }
    double log_sum() const { return maximum + std::log(sum); }
};

struct Totals {
    std::uint64_t tokens = 0, hits = 0;
    double nll = 0, nll_squares = 0;
};

class DenseEvaluator {
  public:
    DenseEvaluator(const formats::ModelFilePtr& file, model::ModelConfig config, const text::Corpus& corpus,
                   const EvaluationSettings& settings, const std::stop_token& stop)
        : corpus_(corpus), settings_(settings), stop_(stop), pool_(settings.threads),
          forward_(file, std::move(config), pool_) {}

    Result<Evaluation> run(const std::function<void(double)>& progress) {
        const auto tiles = model::cut_tiles(corpus_);
        for (std::size_t first = 0; first < tiles.size();) {
            std::size_t last = first;
            std::uint64_t rows = 0;
            while (last < tiles.size() && (last == first || rows + tiles[last].rows <= settings_.wave_tokens))
                rows += tiles[last++].rows;
            const auto wave = std::span(tiles).subspan(first, last - first);
            PERMAFROST_CHECK(forward_.begin_wave(corpus_, wave, stop_));
            for (std::uint32_t layer = 0; layer < forward_.config().layers; ++layer) {
                if (!forward_.load_layer(layer, stop_) || !forward_.run_layer(model::gated_product, stop_))
                    return Cancelled{};
                if (progress)
                    progress((static_cast<double>(first) + static_cast<double>(last - first) * (layer + 1) /
                                                               (forward_.config().layers + 1)) /
                             static_cast<double>(tiles.size()));
            }
            PERMAFROST_CHECK(score(wave));
            first = last;
        }
        return summary();
    }

  private:
    struct Position {
        text::TokenId target;
        RunningSoftmax softmax;
    };

    Result<void> score(std::span<const model::Tile> wave) {
        std::vector<std::vector<std::uint32_t>> rows(wave.size());
        std::vector<std::vector<Position>> positions(wave.size());
        for (std::size_t tile = 0; tile < wave.size(); ++tile)
            for (const auto& part : wave[tile].parts)
                for (std::uint32_t t = settings_.context / 2; t + 1 < part.length; ++t) {
                    rows[tile].push_back(part.first_row + t);
                    positions[tile].push_back({corpus_.sequences[part.sequence].tokens[t + 1], {}});
                }
        const bool done = model::for_each_logit_panel(
            forward_, rows,
            [&](const model::LogitPanel& panel) {
                for (std::size_t i = 0; i < panel.logits.rows; ++i) {
                    auto& position = positions[panel.tile_in_wave][i];
                    position.softmax.add(panel.logits.data + i * panel.logits.stride, panel.logits.columns,
                                         panel.first_token, position.target);
                }
            },
            stop_);
        if (!done) return Cancelled{};
        for (const auto& tile : positions)
            for (const auto& position : tile) {
                const double nll = position.softmax.log_sum() - position.softmax.target_logit;
                totals_.nll += nll;
                totals_.nll_squares += nll * nll;
                totals_.hits += position.softmax.best_token == position.target ? 1 : 0;
                ++totals_.tokens;
            }
        return {};
    }

    Result<Evaluation> summary() const {
        if (totals_.tokens == 0)
            return Error{"no token is scored: the text needs at least one window of 4 tokens"};
        if (!std::isfinite(totals_.nll))
            return Error{
                forward_.file().location() +
                ": the model's predictions are not finite, so it has no perplexity; profile it to see which "
                "neurons are broken"};
        const auto n = static_cast<double>(totals_.tokens);
        Evaluation evaluation;
        evaluation.tokens = totals_.tokens;
        evaluation.nll = totals_.nll / n;
        evaluation.perplexity = std::exp(evaluation.nll);
        const double variance = std::max(0.0, totals_.nll_squares / n - evaluation.nll * evaluation.nll);
        evaluation.perplexity_error =
            totals_.tokens > 1 ? evaluation.perplexity * std::sqrt(variance / (n - 1)) : 0;
        evaluation.top1_accuracy = static_cast<double>(totals_.hits) / n;
        return evaluation;
    }

    const text::Corpus& corpus_;
    const EvaluationSettings& settings_;
    std::stop_token stop_;
    ThreadPool pool_;
    model::Forward forward_;
    Totals totals_;
};

} // namespace

Result<Evaluation> evaluate_dense(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                  const EvaluationSettings& settings,
                                  const std::function<void(double)>& progress, const std::stop_token& stop) {
    PERMAFROST_TRY(auto config, model::read_model_config(*file));
    return DenseEvaluator(file, std::move(config), corpus, settings, stop).run(progress);
}

Result<std::vector<float>> next_token_log_probabilities(const formats::ModelFilePtr& file,
                                                        const std::vector<text::TokenId>& tokens,
                                                        std::size_t threads) {
    PERMAFROST_TRY(auto config, model::read_model_config(*file));
    if (tokens.empty()) return Error{"there are no tokens"};
    text::Corpus corpus;
    corpus.domains = {""};
    corpus.sequences = {{tokens, 0}};
    corpus.tokens = tokens.size();
    ThreadPool pool(threads);
    model::Forward forward(file, std::move(config), pool);
    const auto tiles = model::cut_tiles(corpus);
    PERMAFROST_CHECK(forward.begin_wave(corpus, tiles));
    for (std::uint32_t layer = 0; layer < forward.config().layers; ++layer) {
        forward.load_layer(layer);
        forward.run_layer(model::gated_product);
    }
    const std::size_t vocabulary = forward.config().vocabulary;
    std::vector<float> result(tokens.size() * vocabulary);
    std::vector<std::vector<std::uint32_t>> rows(1);
    for (std::uint32_t t = 0; t < tokens.size(); ++t) rows[0].push_back(t);
    std::vector<RunningSoftmax> softmax(tokens.size());
    model::for_each_logit_panel(forward, rows, [&](const model::LogitPanel& panel) {
        for (std::size_t i = 0; i < panel.logits.rows; ++i) {
            const float* logits = panel.logits.data + i * panel.logits.stride;
            std::copy_n(logits, panel.logits.columns, result.data() + i * vocabulary + panel.first_token);
            softmax[i].add(logits, panel.logits.columns, panel.first_token, -1);
        }
    });
    for (std::size_t i = 0; i < tokens.size(); ++i)
        for (std::size_t token = 0; token < vocabulary; ++token) {
            auto& value = result[i * vocabulary + token];
            value = static_cast<float>(static_cast<double>(value) - softmax[i].log_sum());
        }
    return result;
}

} // namespace permafrost::quality
