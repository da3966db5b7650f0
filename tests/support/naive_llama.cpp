// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/naive_llama.h"

#include "core/tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace permafrost::test {
namespace {

using Rows = std::vector<std::vector<double>>;

// y = x * w^T; w: (outputs, columns of x)
Rows product(const Rows& x, const std::vector<float>& w) {
    Rows y;
    for (const auto& row : x) {
        auto& out = y.emplace_back(w.size() / row.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            for (std::size_t k = 0; k < row.size(); ++k)
                out[i] += row[k] * static_cast<double>(w[i * row.size() + k]);
    }
    return y;
}

void add(Rows& x, const Rows& y) {
    for (std::size_t row = 0; row < x.size(); ++row)
        for (std::size_t i = 0; i < x[row].size(); ++i) x[row][i] += y[row][i];
}

double log_of_sum(const std::vector<double>& logits) {
    const double highest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit - highest);
    return highest + std::log(sum);
}

} // namespace

NaiveLlama::NaiveLlama(const formats::ModelFile& file) {
    const auto& keys = file.metadata();
    const auto count = [&](const char* key) { return static_cast<std::size_t>(keys.number(key).value()); };
    layers_ = count("llama.block_count");
    hidden_ = count("llama.embedding_length");
    heads_ = count("llama.attention.head_count");
    kv_heads_ = count("llama.attention.head_count_kv");
    head_size_ = hidden_ / heads_;
    epsilon_ = keys.number("llama.attention.layer_norm_rms_epsilon").value();
    rotary_base_ = keys.number("llama.rope.freq_base").value();
    for (const auto& view : file.tensors()) {
        auto& values = weights_[view.name];
        values.resize(view.elements());
        tensor::decode(view.type, view.bytes.data(), values.data(), values.size());
    }
}

Rows NaiveLlama::norm(const Rows& x, const std::vector<float>& weights) const {
    Rows y = x;
    for (auto& row : y) {
        double squares = 0;
        for (const double value : row) squares += value * value;
        const double scale = 1 / std::sqrt(squares / static_cast<double>(row.size()) + epsilon_);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] *= scale * static_cast<double>(weights[i]);
    }
    return y;
}

void NaiveLlama::rotate(std::vector<double>& heads, std::size_t position) const {
    const auto factors = weights_.find("rope_freqs.weight");
    for (std::size_t i = 0; i < heads.size(); i += 2) {
        const std::size_t pair = i % head_size_ / 2;
        double angle =
            static_cast<double>(position) *
            std::pow(rotary_base_, -2.0 * static_cast<double>(pair) / static_cast<double>(head_size_));
        if (factors != weights_.end()) angle /= static_cast<double>(factors->second[pair]);
        const double a = heads[i], b = heads[i + 1];
        heads[i] = a * std::cos(angle) - b * std::sin(angle);
        heads[i + 1] = a * std::sin(angle) + b * std::cos(angle);
    }
}

Rows NaiveLlama::attention(std::size_t layer, const Rows& normed) const {
    auto q = product(normed, of(layer, "attn_q"));
    auto k = product(normed, of(layer, "attn_k"));
    const auto v = product(normed, of(layer, "attn_v"));
    Rows joined(normed.size(), std::vector<double>(heads_ * head_size_));
    for (std::size_t t = 0; t < normed.size(); ++t) {
        rotate(q[t], t);
        rotate(k[t], t);
        for (std::size_t head = 0; head < heads_; ++head) {
            const std::size_t from = head * head_size_, shared = head / (heads_ / kv_heads_) * head_size_;
            std::vector<double> scores(t + 1);
            for (std::size_t key = 0; key <= t; ++key) {
                for (std::size_t i = 0; i < head_size_; ++i)
                    scores[key] += q[t][from + i] * k[key][shared + i];
                scores[key] /= std::sqrt(static_cast<double>(head_size_));
            }
            const double log_sum = log_of_sum(scores);
            for (std::size_t key = 0; key <= t; ++key)
                for (std::size_t i = 0; i < head_size_; ++i)
                    joined[t][from + i] += std::exp(scores[key] - log_sum) * v[key][shared + i];
        }
    }
    return product(joined, of(layer, "attn_output"));
}

Rows NaiveLlama::feed_forward(std::size_t layer, const Rows& normed, RawSequence& raw) const {
    auto gate = product(normed, of(layer, "ffn_gate"));
    const auto up = product(normed, of(layer, "ffn_up"));
    for (std::size_t t = 0; t < gate.size(); ++t)
        for (std::size_t i = 0; i < gate[t].size(); ++i) {
            const double g = gate[t][i], h = g / (1 + std::exp(-g)) * up[t][i];
            raw.gate.push_back(static_cast<float>(g));
            raw.up.push_back(static_cast<float>(up[t][i]));
            raw.h.push_back(static_cast<float>(h));
            gate[t][i] = h;
        }
    return product(gate, of(layer, "ffn_down"));
}

NaiveLlama::Result NaiveLlama::run(const std::vector<text::TokenId>& tokens) const {
    Rows x;
    const auto& embedding = weight("token_embd");
    for (const auto token : tokens) {
        const auto begin =
            embedding.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(token) * hidden_);
        x.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(hidden_));
    }
    Result result;
    result.ffn.resize(layers_);
    for (std::size_t layer = 0; layer < layers_; ++layer) {
        add(x, attention(layer, norm(x, of(layer, "attn_norm"))));
        add(x, feed_forward(layer, norm(x, of(layer, "ffn_norm")), result.ffn[layer]));
    }
    const bool tied = weights_.find("output.weight") == weights_.end();
    for (const auto& logits : product(norm(x, weight("output_norm")), tied ? embedding : weight("output"))) {
        const double log_sum = log_of_sum(logits);
        for (const double logit : logits) result.log_probabilities.push_back(logit - log_sum);
    }
    result.hidden = std::move(x);
    return result;
}

text::Corpus random_corpus(const std::vector<std::size_t>& lengths, std::uint32_t vocabulary,
                           std::uint64_t seed) {
    std::mt19937_64 random(seed);
    text::Corpus corpus;
    corpus.domains = {""};
    corpus.sha256 = "corpus of seed " + std::to_string(seed);
    for (const auto length : lengths) {
        auto& sequence = corpus.sequences.emplace_back();
        for (std::size_t i = 0; i < length; ++i)
            sequence.tokens.push_back(static_cast<text::TokenId>(random() % vocabulary));
        corpus.tokens += length;
    }
    return corpus;
}

} // namespace permafrost::test
