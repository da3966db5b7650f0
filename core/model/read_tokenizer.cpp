// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/read_tokenizer.h"

#include <algorithm>
#include <array>

namespace permafrost::model {
namespace {

// Pre-tokenizers whose models want a BOS token where the file does not say (llama.cpp, llama-vocab.cpp).
constexpr std::array<std::string_view, 9> adding_bos{
    "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano"};

} // namespace

Result<std::shared_ptr<const text::Tokenizer>> read_tokenizer(const formats::ModelFile& file) {
    const auto& metadata = file.metadata();
    text::TokenizerSpec spec;
    const auto* kind = metadata.string("tokenizer.ggml.model");
    const auto* tokens = metadata.strings("tokenizer.ggml.tokens");
    if ((!kind || !tokens) && file.format() == formats::FileFormat::Safetensors)
        return Error{file.location() +
                     " has no tokenizer.json; save one with transformers (AutoTokenizer, save_pretrained), a "
                     "tokenizer.model alone is not read"};
    if (!kind || !tokens)
        return Error{file.location() + " carries no tokenizer (keys tokenizer.ggml.model and .tokens)"};
    const auto* embedding = file.find("token_embd.weight");
    if (embedding && tokens->size() > embedding->rows())
        return Error{file.location() + ": the tokenizer has " + std::to_string(tokens->size()) +
                     " tokens, but the embedding only " + std::to_string(embedding->rows()) +
                     " rows; tokenizer and weights are of different models"};
    spec.model = *kind;
    spec.tokens = *tokens;
    if (const auto* pre = metadata.string("tokenizer.ggml.pre")) spec.pre = *pre;
    if (const auto* merges = metadata.strings("tokenizer.ggml.merges")) spec.merges = *merges;
    if (const auto types = metadata.numbers("tokenizer.ggml.token_type"))
        for (const double type : *types)
            spec.types.push_back(static_cast<text::TokenizerSpec::TokenType>(
                static_cast<std::int32_t>(std::clamp(type, 0.0, 255.0))));
    const auto token_of = [&](const char* key) -> std::optional<text::TokenId> {
        const auto id = metadata.unsigned_integer(key);
        if (!id || *id >= spec.tokens.size()) return std::nullopt;
        return static_cast<text::TokenId>(*id);
    };
    if (const auto scores = metadata.numbers("tokenizer.ggml.scores"))
        for (const double score : *scores) spec.scores.push_back(score);
    const bool sentence_piece = spec.model == "llama" || spec.model == "t5";
    if (metadata.find("tokenizer.ggml.precompiled_charsmap") ||
        metadata.boolean("tokenizer.ggml.remove_extra_whitespaces").value_or(false))
        return Error{file.location() + ": its tokenizer normalises text (precompiled_charsmap or "
                                       "remove_extra_whitespaces), which is not supported"};
    spec.unknown = token_of("tokenizer.ggml.unknown_token_id");
    if (metadata.boolean("tokenizer.ggml.add_space_prefix").value_or(sentence_piece))
        spec.space_prefix = text::TokenizerSpec::SpacePrefix::Always;
    // What Hugging Face's files say and GGUF has no key for.
    if (const auto* prefix = metadata.string("permafrost.tokenizer.space_prefix"))
        spec.space_prefix = text::space_prefix_of(*prefix);
    spec.compose = metadata.boolean("permafrost.tokenizer.compose").value_or(false);
    for (const auto& [key, list] : {std::pair{"permafrost.tokenizer.strip_left", &spec.strip_left},
                                    std::pair{"permafrost.tokenizer.strip_right", &spec.strip_right}})
        for (const double id : metadata.numbers(key).value_or(std::vector<double>()))
            list->push_back(static_cast<text::TokenId>(std::clamp(id, 0.0, 2147483647.0)));
    spec.bos = token_of("tokenizer.ggml.bos_token_id");
    spec.eos = token_of("tokenizer.ggml.eos_token_id");
    if (sentence_piece) { // llama.cpp's defaults
        if (!spec.unknown && spec.tokens.size() > 0) spec.unknown = 0;
        if (!spec.bos && spec.tokens.size() > 1) spec.bos = 1;
        if (!spec.eos && spec.tokens.size() > 2) spec.eos = 2;
    }
    const bool by_default =
        sentence_piece || std::find(adding_bos.begin(), adding_bos.end(), spec.pre) != adding_bos.end();
    spec.add_bos = metadata.boolean("tokenizer.ggml.add_bos_token").value_or(by_default);
    spec.add_eos = metadata.boolean("tokenizer.ggml.add_eos_token").value_or(false);
    auto tokenizer = text::make_tokenizer(std::move(spec));
    if (!tokenizer.ok() && !tokenizer.cancelled()) return Error{file.location() + ": " + tokenizer.message()};
    return tokenizer;
}

} // namespace permafrost::model
