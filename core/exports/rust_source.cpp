// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/export_text.h"
#include "core/exports/exports.h"

#include <nlohmann/json.hpp>

#include <array>

namespace permafrost::exports {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

std::string hex_byte(std::uint8_t byte) { return {'0', 'x', hex_digits[byte >> 4], hex_digits[byte & 15]}; }

/// One code point of valid UTF-8 at `position`, which moves past it.
std::uint32_t next_code_point(const std::string& text, std::size_t& position) {
    const auto lead = static_cast<unsigned char>(text[position++]);
    if (lead < 0x80) return lead;
    const int extra = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    std::uint32_t code = lead & (0x3fu >> extra);
    for (int i = 0; i < extra; ++i)
        code = (code << 6) | (static_cast<unsigned char>(text[position++]) & 0x3fu);
    return code;
}

/// Names come from model files and may hold anything; invalid UTF-8 becomes U+FFFD, as in the JSON exports.
std::string valid_utf8(const std::string& text) {
    using nlohmann::json;
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

/// A Rust string literal in ASCII: rustc refuses, for example, characters that change the writing direction.
std::string rust_literal(const std::string& raw) {
    const std::string text = valid_utf8(raw);
    std::string literal = "\"";
    for (std::size_t position = 0; position < text.size();) {
        const std::uint32_t code = next_code_point(text, position);
        if (code == '"' || code == '\\') {
            literal += '\\';
            literal += static_cast<char>(code);
        } else if (code >= 0x20 && code < 0x7f) {
            literal += static_cast<char>(code);
        } else {
            std::string digits;
            for (std::uint32_t rest = code; rest != 0 || digits.empty(); rest >>= 4)
                digits.insert(digits.begin(), hex_digits[rest & 15]);
            literal += "\\u{" + digits + "}";
        }
    }
    return literal + '"';
}

std::string byte_line(std::size_t index, std::uint8_t byte, std::size_t neurons) {
    const std::size_t first = index * 8;
    const std::size_t last = std::min(first + 7, neurons - 1);
    return "        mask.frozen_mask[" + std::to_string(index) + "] = " + hex_byte(byte) + "; // neurons " +
           std::to_string(first) + "-" + std::to_string(last) + "\n";
}

void append_layer(std::string& text, const verdict::LayerMetrics& layer, const masks::Bitmask& frozen) {
    text += "\n    // Layer " + std::to_string(layer.layer) + ": " + percent_text(layer.frozen_share) +
            "% frozen (" + std::to_string(layer.frozen) + "/" + std::to_string(layer.neurons) + ")\n    {\n";
    text += layer.frozen > 0 ? "        let mut mask" : "        let mask"; // rustc warns of a needless mut
    text += " = LayerFrozenBitmask::new(" + std::to_string(layer.layer) + ", " +
            std::to_string(layer.neurons) + ");\n";
    const auto bytes = frozen.bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (bytes[i] != 0) text += byte_line(i, bytes[i], layer.neurons);
    text += "        maps = maps.insert_layer_mask(mask);\n    }\n";
}

bool any_profiled(const verdict::Decision& decision) {
    for (const auto& layer : decision.layers)
        if (layer.profiled) return true;
    return false;
}

} // namespace

std::string rust_source(const profile::Profile& profile, const verdict::Decision& decision,
                        const ExportContext& context) {
    const auto& info = profile.info;
    std::string text = "// Made by Permafrost " PERMAFROST_VERSION
                       ". Bit i of a layer's mask is neuron i, least "
                       "significant bit first; 1 is frozen.\n// Rule: " +
                       masks::rule_name(decision.rule) +
                       ". Quality: " + std::string(verdict::word(context.gate.state)) + ".\n\n";
    text += "use distributed_inference::rknot::saturation_metadata::{";
    text += any_profiled(decision) ? "LayerFrozenBitmask, SaturationMaps};\n\n" : "SaturationMaps};\n\n";
    text += "pub fn " + rust_function_name(info.model_name) + "() -> SaturationMaps {\n";
    text += "    let mut maps = SaturationMaps::new(" + std::to_string(info.layers) + ", " +
            rust_literal(masks::method_identifier(decision.rule)) +
            ".to_string())\n        .with_model_name(" + rust_literal(info.model_name) + ".to_string());\n";
    text += "    maps.profile_date = " + rust_literal(context.profiling_date) + ".to_string();\n";
    for (const auto& layer : decision.layers)
        if (layer.profiled) append_layer(text, layer, decision.masks[layer.layer].frozen);
    return text + "\n    maps\n}\n";
}

} // namespace permafrost::exports
