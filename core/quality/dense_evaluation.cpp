// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quality/dense_evaluation.h"

#include "core/model/output_head.h"
#include "core/quality/paired_evaluation.h"
#include "core/quality/running_softmax.h"

#include <algorithm>

namespace permafrost::quality {
Result<Evaluation> evaluate_dense(const formats::ModelFilePtr& file, const text::Corpus& corpus,
                                  const EvaluationSettings& settings,
                                  const std::function<void(double)>& progress, const std::stop_token& stop) {
    PERMAFROST_TRY(const auto paired, evaluate_paired(file, corpus, {}, settings, {progress, {}}, stop));
    return paired.dense;
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
    const std::size_t rows[] = {tokens.size()};
    std::vector<RunningSoftmax> softmax(tokens.size());
    model::for_each_logit_panel(forward, rows, 1, [&](const model::LogitPanel& panel) {
        std::vector<float> exponentials(panel.logits().columns);
        for (std::size_t i = 0; i < panel.logits().rows; ++i) {
            const float* logits = panel.logits().data + i * panel.logits().stride;
            std::copy_n(logits, panel.logits().columns, result.data() + i * vocabulary + panel.first_token);
            softmax[i].add(logits, panel.logits().columns, panel.first_token, -1, exponentials.data());
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
