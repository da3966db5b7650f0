// SPDX-License-Identifier: GPL-3.0-or-later
//
// GGUF files made by hand, byte by byte and without the program's own writer, so that tests of readers and of
// the forward pass do not trust the code under test.
#pragma once

#include "core/tensor/element_type.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace permafrost::test {

/// Appends the pieces of a GGUF in the order of the file; nothing is checked, so broken files can be built
/// too.
class GgufBytes {
  public:
    /// Value types as in the file.
    enum Type : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64 };

    GgufBytes& header(std::uint64_t tensors, std::uint64_t keys, std::uint32_t version = 3);
    template <class T>
    GgufBytes& put(T value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    GgufBytes& put_string(std::string_view text);
    template <class T>
    GgufBytes& key(std::string_view name, Type type, T value) {
        put_string(name);
        put(static_cast<std::uint32_t>(type));
        return put(value);
    }
    GgufBytes& key(std::string_view name, std::string_view text);
    GgufBytes& key(std::string_view name, const std::vector<std::string>& texts);
    template <class T>
    GgufBytes& array(std::string_view name, Type element, const std::vector<T>& values) {
        key(name, Array, static_cast<std::uint32_t>(element));
        put(std::uint64_t{values.size()});
        for (const T& value : values) put(value);
        return *this;
    }
    /// `sizes` in GGUF's order, contiguous dimension first.
    GgufBytes& tensor(std::string_view name, const std::vector<std::uint64_t>& sizes, std::uint32_t ggml_type,
                      std::uint64_t offset);
    GgufBytes& pad(std::uint64_t alignment = 32);
    GgufBytes& append(std::string_view data) {
        bytes_ += data;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

/// A llama of random weights, small enough for a plain-loop oracle and complete enough for llama.cpp to load
/// it. Weights are uniform with variance 1 / columns, norms lie in [0.5, 1.5]. Equal options give equal
/// bytes.
struct TinyLlama {
    std::string file_name = "tiny.gguf";
    std::uint64_t seed = 1;
    std::uint32_t layers = 2;
    std::uint32_t hidden = 64;
    std::uint32_t heads = 4;
    std::uint32_t kv_heads = 2;
    std::uint32_t ffn = 96;
    std::vector<std::uint32_t> ffn_by_layer; ///< one a layer instead of `ffn`, written as an array, unless
                                             ///< empty (llama.cpp refuses unequal widths)
    std::uint32_t vocabulary = 320; ///< at least tiny_llama_smallest_vocabulary
    std::uint32_t context_length = 256;
    float rotary_base = 10000.0f;
    float norm_epsilon = 1e-5f;
    bool output_matrix = false;  ///< output.weight; without it the output is the token embedding
    bool rotary_factors = false; ///< rope_freqs.weight
    bool add_bos = false;
    // Columns must be whole blocks of the type: 32 or, for the K types, 256.
    tensor::ElementType embedding_type = tensor::ElementType::F32;
    tensor::ElementType attention_type = tensor::ElementType::F32;
    tensor::ElementType ffn_type = tensor::ElementType::F32; ///< gate and up
    tensor::ElementType down_type = tensor::ElementType::F32;
};

/// The 256 bytes of the byte-level alphabet (token id = byte), some merges of English pairs, "<|endoftext|>".
inline constexpr std::uint32_t tiny_llama_smallest_vocabulary = 272;
/// Id of "<|endoftext|>", which is BOS and EOS.
inline constexpr std::int32_t tiny_llama_end_of_text = 271;

/// The file's bytes; throws std::invalid_argument when the options do not fit together.
std::string tiny_llama_bytes(const TinyLlama& options);
/// Writes them into `folder` and returns the path.
std::filesystem::path write_tiny_llama(const std::filesystem::path& folder, const TinyLlama& options = {});

} // namespace permafrost::test
