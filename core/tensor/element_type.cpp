// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/element_type.h"

#include "core/tensor/block_decoders.h"

#include <array>

namespace permafrost::tensor {
namespace {

// In the order of ElementType.
constexpr std::array types{
    ElementTypeInfo{ElementType::F32, "F32", 0, 1, 4, decode_f32},
    ElementTypeInfo{ElementType::F16, "F16", 1, 1, 2, decode_f16},
    ElementTypeInfo{ElementType::BF16, "BF16", 30, 1, 2, decode_bf16},
    ElementTypeInfo{ElementType::Q4_0, "Q4_0", 2, 32, 18, decode_q4_0},
    ElementTypeInfo{ElementType::Q4_1, "Q4_1", 3, 32, 20, decode_q4_1},
    ElementTypeInfo{ElementType::Q5_0, "Q5_0", 6, 32, 22, decode_q5_0},
    ElementTypeInfo{ElementType::Q5_1, "Q5_1", 7, 32, 24, decode_q5_1},
    ElementTypeInfo{ElementType::Q8_0, "Q8_0", 8, 32, 34, decode_q8_0},
    ElementTypeInfo{ElementType::Q2_K, "Q2_K", 10, 256, 84, decode_q2_k},
    ElementTypeInfo{ElementType::Q3_K, "Q3_K", 11, 256, 110, decode_q3_k},
    ElementTypeInfo{ElementType::Q4_K, "Q4_K", 12, 256, 144, decode_q4_k},
    ElementTypeInfo{ElementType::Q5_K, "Q5_K", 13, 256, 176, decode_q5_k},
    ElementTypeInfo{ElementType::Q6_K, "Q6_K", 14, 256, 210, decode_q6_k},
    ElementTypeInfo{ElementType::IQ1_S, "IQ1_S", 19, 256, 50, decode_iq1_s},
    ElementTypeInfo{ElementType::IQ1_M, "IQ1_M", 29, 256, 56, decode_iq1_m},
    ElementTypeInfo{ElementType::IQ2_XXS, "IQ2_XXS", 16, 256, 66, decode_iq2_xxs},
    ElementTypeInfo{ElementType::IQ2_XS, "IQ2_XS", 17, 256, 74, decode_iq2_xs},
    ElementTypeInfo{ElementType::IQ2_S, "IQ2_S", 22, 256, 82, decode_iq2_s},
    ElementTypeInfo{ElementType::IQ3_XXS, "IQ3_XXS", 18, 256, 98, decode_iq3_xxs},
    ElementTypeInfo{ElementType::IQ3_S, "IQ3_S", 21, 256, 110, decode_iq3_s},
    ElementTypeInfo{ElementType::IQ4_NL, "IQ4_NL", 20, 32, 18, decode_iq4_nl},
    ElementTypeInfo{ElementType::IQ4_XS, "IQ4_XS", 23, 256, 136, decode_iq4_xs},
    ElementTypeInfo{ElementType::TQ1_0, "TQ1_0", 34, 256, 54, decode_tq1_0},
    ElementTypeInfo{ElementType::TQ2_0, "TQ2_0", 35, 256, 66, decode_tq2_0},
    ElementTypeInfo{ElementType::MXFP4, "MXFP4", 39, 32, 17, decode_mxfp4},
    ElementTypeInfo{ElementType::Q1_0, "Q1_0", 41, 128, 18, decode_q1_0},
    ElementTypeInfo{ElementType::Q2_0, "Q2_0", 42, 64, 18, decode_q2_0},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < types.size(); ++i)
        if (static_cast<std::size_t>(types[i].type) != i) return false;
    return true;
}
static_assert(in_order());

struct NamedType {
    std::uint32_t ggml_id;
    std::string_view name;
};

// Types that this program does not decode: enum ggml_type in ggml.h, those that were removed from it included. Q8_1 and
// Q8_K are formats of activations; NVFP4 is of use only together with scales in further tensors.
constexpr NamedType other_types[] = {
    {4, "Q4_2"},        {5, "Q4_3"},        {9, "Q8_1"},        {15, "Q8_K"},
    {24, "I8"},         {25, "I16"},        {26, "I32"},        {27, "I64"},
    {28, "F64"},        {31, "Q4_0_4_4"},   {32, "Q4_0_4_8"},   {33, "Q4_0_8_8"},
    {36, "IQ4_NL_4_4"}, {37, "IQ4_NL_4_8"}, {38, "IQ4_NL_8_8"}, {40, "NVFP4"},
};

} // namespace

const ElementTypeInfo& info(ElementType type) { return types[static_cast<std::size_t>(type)]; }

std::optional<ElementType> element_type_from_ggml(std::uint32_t ggml_id) {
    for (const auto& known : types)
        if (known.ggml_id == ggml_id) return known.type;
    return std::nullopt;
}

std::optional<ElementType> element_type_from_name(std::string_view name) {
    for (const auto& known : types)
        if (known.name == name) return known.type;
    return std::nullopt;
}

std::string known_element_types() {
    std::string list;
    for (const auto& known : types) {
        if (!list.empty()) list += ", ";
        list += known.name;
    }
    return list;
}

std::string ggml_type_name(std::uint32_t ggml_id) {
    if (const auto known = element_type_from_ggml(ggml_id)) return std::string(info(*known).name);
    for (const auto& other : other_types)
        if (other.ggml_id == ggml_id) return std::string(other.name);
    return "type " + std::to_string(ggml_id);
}

} // namespace permafrost::tensor
