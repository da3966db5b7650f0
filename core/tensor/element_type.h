// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace permafrost::tensor {

/// How the numbers of a tensor are stored. Block-quantised types keep a fixed number of elements in a fixed number of
/// bytes; the layouts are ggml's (ggml-common.h in llama.cpp) and are described in block_decoders.h. A further type is a
/// name here, a row of the table in element_type.cpp and a decoder.
enum class ElementType : std::uint8_t {
    F32,
    F16,
    BF16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ1_S,
    IQ1_M,
    IQ2_XXS,
    IQ2_XS,
    IQ2_S,
    IQ3_XXS,
    IQ3_S,
    IQ4_NL,
    IQ4_XS,
    TQ1_0,
    TQ2_0,
    MXFP4,
    Q1_0,
    Q2_0
};

struct ElementTypeInfo {
    ElementType type;
    std::string_view name;        ///< as llama.cpp writes it, "Q4_K"
    std::uint32_t ggml_id;        ///< the number in a GGUF tensor table
    std::uint32_t block_elements; ///< elements a block
    std::uint32_t block_bytes;    ///< bytes a block
    /// Decodes `blocks` whole blocks to f32; callers use tensor::decode().
    void (*decode_blocks)(const std::byte* bytes, float* out, std::uint64_t blocks);
};

const ElementTypeInfo& info(ElementType type);
std::optional<ElementType> element_type_from_ggml(std::uint32_t ggml_id);
std::optional<ElementType> element_type_from_name(std::string_view name);
/// "F32, F16, BF16, …": for messages that list what is known.
std::string known_element_types();
/// Name of a ggml type by number, known to this program or not ("Q8_K", "type 99").
std::string ggml_type_name(std::uint32_t ggml_id);

} // namespace permafrost::tensor
