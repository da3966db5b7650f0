// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/text_pipeline.h"

#include <array>
#include <vector>

namespace permafrost::formats {
namespace {

using nlohmann::json;

constexpr const char* mark = "\u2581";

std::string type_of(const json& part) {
    return part.is_object() && part.contains("type") && part["type"].is_string()
               ? part["type"].get<std::string>()
               : "";
}

bool is_true(const json& part, const char* key, bool otherwise = false) {
    const auto value = part.value(key, json());
    return value.is_boolean() ? value.get<bool>() : otherwise;
}

// The parts of a Sequence, itself alone, or nothing for null.
std::vector<json> parts_of(const json& part, const char* list) {
    if (part.is_null()) return {};
    if (type_of(part) != "Sequence") return {part};
    const auto parts = part.value(list, json::array());
    return parts.is_array() ? std::vector<json>(parts.begin(), parts.end()) : std::vector<json>{json()};
}

Error unknown(const char* kind, const json& part) {
    return Error{"its " + std::string(kind) +
                 " is not supported: " + part.dump(-1, ' ', true).substr(0, 300)};
}

struct KnownRegex {
    std::string_view regex;
    std::string_view pre;          ///< where merges are obeyed
    std::string_view pre_ignoring; ///< where whole pieces that are tokens are taken first; empty: not known
};
constexpr std::string_view llama3_regex =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view qwen2_regex =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view gpt4o_regex =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view tekken_regex =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::array known_regexes{
    KnownRegex{llama3_regex, "dbrx", "llama-bpe"}, KnownRegex{qwen2_regex, "qwen2", ""},
    KnownRegex{gpt4o_regex, "gpt-4o", ""}, KnownRegex{tekken_regex, "", "tekken"}};

bool is_byte_level(const json& part, bool use_regex) {
    return type_of(part) == "ByteLevel" && !is_true(part, "add_prefix_space", true) &&
           is_true(part, "use_regex", true) == use_regex;
}

Result<void> read_byte_level(const json& pre_tokenizer, bool ignore_merges, TextPipeline& pipeline) {
    const auto parts = parts_of(pre_tokenizer, "pretokenizers");
    const auto refused = [&] { return unknown("pre-tokenizer", pre_tokenizer); };
    pipeline.byte_level = true;
    if (parts.size() == 1 && is_byte_level(parts[0], true) && !ignore_merges) {
        pipeline.pre = "gpt-2";
        return {};
    }
    if (parts.size() != 2) return refused();
    if (type_of(parts[0]) == "Digits" && is_true(parts[0], "individual_digits") &&
        is_byte_level(parts[1], true) && !ignore_merges) {
        pipeline.pre = "smollm";
        return {};
    }
    const bool split = type_of(parts[0]) == "Split" && parts[0].value("behavior", "") == "Isolated" &&
                       !is_true(parts[0], "invert");
    if (!split || !is_byte_level(parts[1], false)) return refused();
    const auto regex = parts[0].value("pattern", json::object()).value("Regex", "");
    for (const auto& known : known_regexes)
        if (known.regex == regex) pipeline.pre = ignore_merges ? known.pre_ignoring : known.pre;
    if (pipeline.pre.empty()) return refused();
    return {};
}

bool replaces_spaces(const json& part) {
    return type_of(part) == "Replace" && part.value("content", "") == mark &&
           part.value("pattern", json::object()) == json{{"String", " "}};
}

Result<void> read_normalizer(const json& normalizer, TextPipeline& pipeline) {
    for (const auto& part : parts_of(normalizer, "normalizers")) {
        const auto type = type_of(part);
        if (type == "NFC" && pipeline.byte_level)
            pipeline.compose = true;
        else if (type == "Prepend" && part.value("prepend", "") == mark && !pipeline.byte_level)
            pipeline.space_prefix = "always";
        else if (!replaces_spaces(part) || pipeline.byte_level)
            return unknown("normalizer", part);
    }
    return {};
}

// Spaces become marks in the normalizer, or in a pre-tokenizer of type Metaspace.
Result<void> read_marked_spaces(const json& tokenizer, TextPipeline& pipeline) {
    const auto normalizer = tokenizer.value("normalizer", json());
    PERMAFROST_CHECK(read_normalizer(normalizer, pipeline));
    bool marks = false;
    for (const auto& part : parts_of(normalizer, "normalizers")) marks = marks || replaces_spaces(part);
    const auto pre_tokenizer = tokenizer.value("pre_tokenizer", json());
    for (const auto& part : parts_of(pre_tokenizer, "pretokenizers")) {
        // Gemma's cuts at spaces, of which the normalizer has left none.
        if (marks && type_of(part) == "Split" && part.value("pattern", json()) == json{{"String", " "}})
            continue;
        if (type_of(part) != "Metaspace" || part.value("replacement", "") != mark || marks)
            return unknown("pre-tokenizer", part);
        const auto scheme = part.contains("prepend_scheme")           ? part.value("prepend_scheme", "")
                            : is_true(part, "add_prefix_space", true) ? "always"
                                                                      : "never";
        if (scheme != "always" && scheme != "first" && scheme != "never")
            return unknown("pre-tokenizer", part);
        pipeline.space_prefix = scheme == "always"  ? "unless_there"
                                : scheme == "first" ? "first_unless_there"
                                                    : "never";
        pipeline.cuts_at_marks = is_true(part, "split", true);
        marks = true;
    }
    if (!marks) return Error{"its text keeps its spaces, which is not supported for this kind of tokenizer"};
    return {};
}

// "single": texts before and after the sequence A.
Result<void> read_template(const json& part, TextPipeline& pipeline) {
    pipeline.has_template = true;
    const auto single = part.value("single", json::array());
    bool after = false;
    for (const auto& item : single) {
        if (item.contains("Sequence")) {
            if (after) return unknown("post-processor", part);
            after = true;
            continue;
        }
        const auto token = item.value("SpecialToken", json::object()).value("id", "");
        auto& place = after ? pipeline.last : pipeline.first;
        if (token.empty() || place) return unknown("post-processor", part);
        place = token;
    }
    if (!after) return unknown("post-processor", part);
    return {};
}

Result<void> read_post_processor(const json& post_processor, TextPipeline& pipeline) {
    for (const auto& part : parts_of(post_processor, "processors")) {
        const auto type = type_of(part);
        if (type == "ByteLevel") continue; // it only moves offsets
        if (type != "TemplateProcessing") return unknown("post-processor", part);
        PERMAFROST_CHECK(read_template(part, pipeline));
    }
    return {};
}

} // namespace

Result<TextPipeline> read_text_pipeline(const json& tokenizer) {
    TextPipeline pipeline;
    const auto pre_tokenizer = tokenizer.value("pre_tokenizer", json());
    const auto model = tokenizer.value("model", json::object());
    bool byte_level = false;
    for (const auto& part : parts_of(pre_tokenizer, "pretokenizers"))
        byte_level = byte_level || type_of(part) == "ByteLevel";
    if (byte_level) {
        PERMAFROST_CHECK(read_byte_level(pre_tokenizer, is_true(model, "ignore_merges"), pipeline));
        PERMAFROST_CHECK(read_normalizer(tokenizer.value("normalizer", json()), pipeline));
    } else {
        PERMAFROST_CHECK(read_marked_spaces(tokenizer, pipeline));
    }
    PERMAFROST_CHECK(read_post_processor(tokenizer.value("post_processor", json()), pipeline));
    return pipeline;
}

} // namespace permafrost::formats
