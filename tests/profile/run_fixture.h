// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/profile/profile_file.h"
#include "core/profile/run.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/naive_llama.h"
#include "tests/support/temporary_folder.h"

#include <cstring>
#include <stdexcept>

namespace permafrost::test {

inline TinyLlama run_model() {
    TinyLlama options;
    options.vocabulary = tiny_llama_smallest_vocabulary;
    options.hidden = 32;
    options.ffn_by_layer = {65, 40};
    return options;
}

/// Eight tiles of sequences of 1 to 100 tokens.
inline text::Corpus run_corpus() {
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < 36; ++i) lengths.push_back(1 + (i * 37 + 99) % 100);
    return random_corpus(lengths, tiny_llama_smallest_vocabulary, 3);
}

inline profile::RunSettings run_settings(std::size_t threads = 1, std::uint32_t wave_tokens = 4096) {
    profile::RunSettings settings;
    settings.context = 100;
    settings.threads = threads;
    settings.wave_tokens = wave_tokens;
    settings.corpus_source = "test";
    return settings;
}

/// A model file whose f32 tensor `name` has one element replaced.
inline formats::ModelFilePtr patched(const TemporaryFolder& folder, const std::filesystem::path& model,
                                     const std::string& name, const std::vector<std::size_t>& elements,
                                     float value) {
    auto bytes = read_text_file(model).value();
    const auto original = formats::open_model_file(model.string()).value();
    const auto content = text_of(original->find(name)->bytes);
    const auto offset = bytes.find(content);
    if (offset == std::string::npos) throw std::logic_error("tensor not found");
    for (const auto element : elements)
        std::memcpy(bytes.data() + offset + 4 * element, &value, sizeof value);
    const auto target = folder / "patched.gguf";
    if (!write_file(target, bytes).ok()) throw std::logic_error("cannot write");
    return formats::open_model_file(target.string()).value();
}

} // namespace permafrost::test
