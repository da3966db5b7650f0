// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gguf_builder.h"

#include "tests/support/random_blocks.h"

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace permafrost::test {

GgufBytes& GgufBytes::header(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version) {
    bytes_ += "GGUF";
    return put(version).put(tensors).put(keys);
}

GgufBytes& GgufBytes::put_string(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
}

GgufBytes& GgufBytes::key(std::string_view name, std::string_view text) {
    put_string(name);
    put(static_cast<std::uint32_t>(String));
    return put_string(text);
}

GgufBytes& GgufBytes::key(std::string_view name, const std::vector<std::string>& texts) {
    key(name, Array, static_cast<std::uint32_t>(String));
    put(std::uint64_t{texts.size()});
    for (const auto& text : texts) put_string(text);
    return *this;
}

GgufBytes& GgufBytes::tensor(std::string_view name, const std::vector<std::uint64_t>& sizes,
                             std::uint32_t ggml_type, std::uint64_t offset) {
    put_string(name);
    put(static_cast<std::uint32_t>(sizes.size()));
    for (const auto size : sizes) put(size);
    return put(ggml_type).put(offset);
}

GgufBytes& GgufBytes::pad(std::uint64_t alignment) {
    while (bytes_.size() % alignment != 0) bytes_ += '\0';
    return *this;
}

namespace {

std::string utf8_of(std::uint32_t code) {
    if (code < 0x80) return {static_cast<char>(code)};
    return {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
}

// GPT-2's alphabet: printable Latin-1 bytes stand for themselves, the others for the characters from 256 on.
std::vector<std::string> byte_alphabet() {
    std::vector<std::string> alphabet;
    std::uint32_t next = 256;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        alphabet.push_back(utf8_of(printable ? byte : next++));
    }
    return alphabet;
}

// Left and right part; "Ġ" (U+0120) is a space in the alphabet.
const std::vector<std::pair<std::string, std::string>> merges{
    {"t", "h"},        {"\u0120", "th"}, {"i", "n"},  {"e", "r"},       {"o", "n"},
    {"\u0120th", "e"}, {"\u0120", "a"},  {"r", "e"},  {"a", "n"},       {"in", "g"},
    {"e", "d"},        {"o", "u"},       {"an", "d"}, {"\u0120", "in"}, {"o", "r"}};

struct TensorSpec {
    std::string name;
    std::vector<std::uint64_t> sizes; // GGUF's order
    tensor::ElementType type;
    enum class Content { Weights, Norm, RotaryFactors } content;
};

class TinyLlamaBuilder {
  public:
    explicit TinyLlamaBuilder(const TinyLlama& options) : options_(options), random_(options.seed) {
        check();
    }
    std::string build();

  private:
    void check() const;
    std::uint32_t ffn(std::uint32_t layer) const {
        return options_.ffn_by_layer.empty() ? options_.ffn : options_.ffn_by_layer[layer];
    }
    std::uint32_t head_size() const { return options_.hidden / options_.heads; }
    void add_model_keys(GgufBytes& file, std::uint64_t& count) const;
    void add_tokenizer_keys(GgufBytes& file, std::uint64_t& count) const;
    std::vector<TensorSpec> tensors() const;
    std::string content(const TensorSpec& spec);

    const TinyLlama& options_;
    std::mt19937_64 random_;
};

void TinyLlamaBuilder::check() const {
    if (options_.heads == 0 || options_.hidden % options_.heads != 0 || head_size() % 2 != 0)
        throw std::invalid_argument("hidden must be heads times an even number");
    if (options_.kv_heads == 0 || options_.heads % options_.kv_heads != 0)
        throw std::invalid_argument("heads must be a multiple of kv_heads");
    if (options_.vocabulary < tiny_llama_smallest_vocabulary)
        throw std::invalid_argument("the vocabulary is too small for the byte alphabet and merges");
    if (!options_.ffn_by_layer.empty() && options_.ffn_by_layer.size() != options_.layers)
        throw std::invalid_argument("ffn_by_layer must have one entry a layer");
    for (const auto& spec : tensors())
        if (spec.sizes[0] % tensor::info(spec.type).block_elements != 0)
            throw std::invalid_argument(spec.name + " has rows that are not whole blocks of its type");
}

void TinyLlamaBuilder::add_model_keys(GgufBytes& file, std::uint64_t& count) const {
    file.key("general.architecture", "llama")
        .key("general.name", "Tiny Llama")
        .key("general.file_type", GgufBytes::U32, std::uint32_t{0})
        .key("general.quantization_version", GgufBytes::U32, std::uint32_t{2})
        .key("llama.block_count", GgufBytes::U32, options_.layers)
        .key("llama.context_length", GgufBytes::U32, options_.context_length)
        .key("llama.embedding_length", GgufBytes::U32, options_.hidden)
        .key("llama.attention.head_count", GgufBytes::U32, options_.heads)
        .key("llama.attention.head_count_kv", GgufBytes::U32, options_.kv_heads)
        .key("llama.attention.layer_norm_rms_epsilon", GgufBytes::F32, options_.norm_epsilon)
        .key("llama.rope.freq_base", GgufBytes::F32, options_.rotary_base)
        .key("llama.rope.dimension_count", GgufBytes::U32, head_size())
        .key("llama.vocab_size", GgufBytes::U32, options_.vocabulary);
    if (options_.ffn_by_layer.empty())
        file.key("llama.feed_forward_length", GgufBytes::U32, options_.ffn);
    else
        file.array("llama.feed_forward_length", GgufBytes::U32, options_.ffn_by_layer);
    count += 14;
}

void TinyLlamaBuilder::add_tokenizer_keys(GgufBytes& file, std::uint64_t& count) const {
    constexpr std::int32_t normal = 1, control = 3, unused = 5;
    auto tokens = byte_alphabet();
    std::vector<std::string> merge_lines;
    for (const auto& [left, right] : merges) {
        tokens.push_back(left + right);
        merge_lines.push_back(left + " " + right);
    }
    std::vector<std::int32_t> types(tokens.size(), normal);
    tokens.push_back("<|endoftext|>");
    types.push_back(control);
    while (tokens.size() < options_.vocabulary) {
        tokens.push_back("<|unused_" + std::to_string(tokens.size()) + "|>");
        types.push_back(unused);
    }
    file.key("tokenizer.ggml.model", "gpt2")
        .key("tokenizer.ggml.pre", "gpt-2")
        .key("tokenizer.ggml.tokens", tokens)
        .array("tokenizer.ggml.token_type", GgufBytes::I32, types)
        .key("tokenizer.ggml.merges", merge_lines)
        .key("tokenizer.ggml.bos_token_id", GgufBytes::U32, std::uint32_t{tiny_llama_end_of_text})
        .key("tokenizer.ggml.eos_token_id", GgufBytes::U32, std::uint32_t{tiny_llama_end_of_text})
        .key("tokenizer.ggml.add_bos_token", GgufBytes::Bool, static_cast<std::uint8_t>(options_.add_bos));
    count += 8;
}

std::vector<TensorSpec> TinyLlamaBuilder::tensors() const {
    using enum TensorSpec::Content;
    using tensor::ElementType;
    const std::uint64_t hidden = options_.hidden;
    const std::uint64_t kv_width = std::uint64_t{options_.kv_heads} * head_size();
    std::vector<TensorSpec> list{
        {"token_embd.weight", {hidden, options_.vocabulary}, options_.embedding_type, Weights},
        {"output_norm.weight", {hidden}, ElementType::F32, Norm}};
    if (options_.output_matrix)
        list.push_back({"output.weight", {hidden, options_.vocabulary}, options_.embedding_type, Weights});
    if (options_.rotary_factors)
        list.push_back({"rope_freqs.weight", {head_size() / 2}, ElementType::F32, RotaryFactors});
    for (std::uint32_t layer = 0; layer < options_.layers; ++layer) {
        const auto add = [&](const char* name, std::vector<std::uint64_t> sizes, ElementType type,
                             auto content) {
            list.push_back(
                {"blk." + std::to_string(layer) + "." + name + ".weight", std::move(sizes), type, content});
        };
        add("attn_norm", {hidden}, ElementType::F32, Norm);
        add("attn_q", {hidden, hidden}, options_.attention_type, Weights);
        add("attn_k", {hidden, kv_width}, options_.attention_type, Weights);
        add("attn_v", {hidden, kv_width}, options_.attention_type, Weights);
        add("attn_output", {hidden, hidden}, options_.attention_type, Weights);
        add("ffn_norm", {hidden}, ElementType::F32, Norm);
        add("ffn_gate", {hidden, ffn(layer)}, options_.ffn_type, Weights);
        add("ffn_up", {hidden, ffn(layer)}, options_.ffn_type, Weights);
        add("ffn_down", {ffn(layer), hidden}, options_.down_type, Weights);
    }
    return list;
}

std::string TinyLlamaBuilder::content(const TensorSpec& spec) {
    std::uint64_t elements = 1;
    for (const auto size : spec.sizes) elements *= size;
    if (spec.content == TensorSpec::Content::Weights) {
        // Twice as large for the embedding, so that predictions are neither certain nor all alike.
        const double variance =
            (spec.name == "token_embd.weight" ? 4.0 : 1.0) / static_cast<double>(spec.sizes[0]);
        return random_tensor(spec.type, elements, static_cast<float>(std::sqrt(3.0 * variance)), random_);
    }
    std::string bytes;
    for (std::uint64_t i = 0; i < elements; ++i) {
        const bool norm = spec.content == TensorSpec::Content::Norm;
        const auto value = static_cast<float>(norm ? 0.5 + uniform(random_) : 1.0 + 7.0 * uniform(random_));
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return bytes;
}

std::string TinyLlamaBuilder::build() {
    const auto list = tensors();
    GgufBytes keys;
    std::uint64_t key_count = 0;
    add_model_keys(keys, key_count);
    add_tokenizer_keys(keys, key_count);
    GgufBytes table, data;
    for (const auto& spec : list) {
        table.tensor(spec.name, spec.sizes, tensor::info(spec.type).ggml_id, data.bytes().size());
        data.append(content(spec)).pad();
    }
    GgufBytes file;
    file.header(list.size(), key_count).append(keys.bytes()).append(table.bytes()).pad().append(data.bytes());
    return file.bytes();
}

} // namespace

std::string tiny_llama_bytes(const TinyLlama& options) { return TinyLlamaBuilder(options).build(); }

std::filesystem::path write_tiny_llama(const std::filesystem::path& folder, const TinyLlama& options) {
    const auto path = folder / options.file_name;
    const auto bytes = tiny_llama_bytes(options);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
}

} // namespace permafrost::test
