// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/model_file.h"
#include "core/text/corpus.h"
#include "tests/support/naive_statistics.h"

#include <map>
#include <string>
#include <vector>

namespace permafrost::test {

/// The llama forward pass by plain loops in f64, one sequence at a time and one row after the other: an
/// oracle for the pass that the program runs. Keys are read from the file directly.
class NaiveLlama {
  public:
    explicit NaiveLlama(const formats::ModelFile& file);

    struct Result {
        std::vector<double> log_probabilities;   ///< (token, vocabulary)
        std::vector<RawSequence> ffn;            ///< (layer) gate, up and h of every token
        std::vector<std::vector<double>> hidden; ///< (token, hidden) after the last layer
    };
    Result run(const std::vector<text::TokenId>& tokens) const;

    std::size_t layers() const { return layers_; }
    std::size_t vocabulary() const { return weight("token_embd").size() / hidden_; }
    std::size_t neurons(std::size_t layer) const { return of(layer, "ffn_gate").size() / hidden_; }

  private:
    using Rows = std::vector<std::vector<double>>;

    const std::vector<float>& weight(const std::string& name) const { return weights_.at(name + ".weight"); }
    const std::vector<float>& of(std::size_t layer, const std::string& name) const {
        return weight("blk." + std::to_string(layer) + "." + name);
    }
    Rows norm(const Rows& x, const std::vector<float>& weights) const;
    void rotate(std::vector<double>& heads, std::size_t position) const;
    Rows attention(std::size_t layer, const Rows& normed) const;
    Rows feed_forward(std::size_t layer, const Rows& normed, RawSequence& raw) const;

    std::map<std::string, std::vector<float>> weights_;
    std::size_t layers_, hidden_, heads_, kv_heads_, head_size_;
    double epsilon_, rotary_base_;
};

/// `lengths.size()` sequences of random tokens below `vocabulary`, without a domain.
text::Corpus random_corpus(const std::vector<std::size_t>& lengths, std::uint32_t vocabulary,
                           std::uint64_t seed = 1);

} // namespace permafrost::test
