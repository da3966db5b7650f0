// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pretokenizer.h"

#include "core/text/utf8.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace permafrost::text {
namespace {

// Insides of character classes. ASCII is spelled out because PCRE2 answers it from a bitmap. The ranges after
// \p{…} are what Unicode 15.0 and 15.1 added, so that older PCRE2 libraries give the same pieces. White space
// is spelled out because PCRE2's \s also holds U+180E.
const std::string letter =
    R"(a-zA-Z\p{L}\x{1123f}-\x{11240}\x{11f02}\x{11f04}-\x{11f10}\x{11f12}-\x{11f33}\x{1342f})"
    R"(\x{13441}-\x{13446}\x{1b132}\x{1b155}\x{1df25}-\x{1df2a}\x{1e030}-\x{1e06d})"
    R"(\x{1e4d0}-\x{1e4eb}\x{2b739}\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})";
const std::string number = R"(0-9\p{N}\x{11f50}-\x{11f59}\x{1d2c0}-\x{1d2d3}\x{1e4f0}-\x{1e4f9})";
const std::string space =
    R"(\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";

// Letters by case and marks, for patterns that cut where a word in small letters ends and one in capitals begins. Other
// letters and modifiers count as both.
const std::string either_case =
    R"(\p{Lm}\p{Lo}\p{M}\x{1123f}-\x{11241}\x{11f00}-\x{11f10}\x{11f12}-\x{11f3a}\x{11f3e}-\x{11f42})"
    R"(\x{1342f}\x{13440}-\x{13455}\x{1b132}\x{1b155}\x{1e030}-\x{1e06d}\x{1e08f}\x{1e4d0}-\x{1e4ef})"
    R"(\x{cf3}\x{ece}\x{10efd}-\x{10eff}\x{2b739}\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})";
const std::string capital = "A-Z\\p{Lu}\\p{Lt}" + either_case;
const std::string small = R"(a-z\p{Ll}\x{1df25}-\x{1df2a})" + either_case;

const std::string symbols = " ?[^" + space + letter + number + "]+";
const std::string spaces_before_space = "[" + space + "]+(?![^" + space + "])";

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::string gpt2_pattern() {
    return "'(?:[stmd]|re|ve|ll)| ?[" + letter + "]+| ?[" + number + "]+|" + symbols + "|" +
           spaces_before_space + "|[" + space + "]+";
}

// \p{N}, and GPT-2's expression on what lies between those: there a digit ends the text.
std::string smollm_pattern() {
    return "[" + number + "]|'(?:[stmd]|re|ve|ll)| ?[" + letter + "]+|" + symbols + "|[" + space + "]+(?![^" +
           space + number + "])|[" + space + "]+";
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|NUMBERS|
// ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+ with letter case of the contractions in ASCII only.
std::string cl100k_pattern(const std::string& numbers) {
    return "'(?:[stmdSTMD]|[rR][eE]|[vV][eE]|[lL][lL])|[^\\r\\n" + letter + number + "]?[" + letter + "]+|" +
           numbers + "|" + symbols + "[\\r\\n]*|[" + space + "]*[\\r\\n]+|" + spaces_before_space + "|[" +
           space + "]+";
}

// o200k and tekken: words by letter case, followed by a contraction or not; as in the models' own tokenizer.json, where
// llama.cpp comes near with ASCII ranges.
std::string cased_pattern(const std::string& contraction, const std::string& numbers) {
    const auto before = "[^\\r\\n" + letter + number + "]?";
    return before + "[" + capital + "]*[" + small + "]+" + contraction + "|" + before + "[" + capital +
           "]+[" + small + "]*" + contraction + "|" + numbers + "|" + symbols + "[\\r\\n/]*|[" + space +
           "]*[\\r\\n]+|" + spaces_before_space + "|[" + space + "]+";
}
std::string gpt4o_pattern() {
    return cased_pattern("(?:'(?:[stmdSTMD]|[rR][eE]|[vV][eE]|[lL][lL]))?", "[" + number + "]{1,3}");
}
std::string tekken_pattern() { return cased_pattern("", "[" + number + "]"); }

std::string llama3_pattern() { return cl100k_pattern("[" + number + "]{1,3}"); }
std::string qwen2_pattern() { return cl100k_pattern("[" + number + "]"); }

constexpr auto gpt2_names = std::to_array<std::string_view>(
    {"gpt-2", "gpt2", "phi-2", "mpt", "olmo", "jais", "trillion", "granite-docling", "exaone4", "gigachat",
     "a.x-4.0", "mellum", "modern-bert", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de"});
constexpr auto smollm_names = std::to_array<std::string_view>(
    {"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"});
constexpr auto llama3_names =
    std::to_array<std::string_view>({"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral",
                                     "midm-2.0", "lfm2", "jina-v5-nano"});
constexpr auto llama3_merging_names =
    std::to_array<std::string_view>({"dbrx", "smaug-bpe", "chatglm-bpe", "glm4"});
constexpr auto qwen2_names =
    std::to_array<std::string_view>({"qwen2", "deepseek-r1-qwen", "megrez", "kormo", "f2llmv2", "stablelm2",
                                     "hunyuan", "solar-open", "grok-2"});

constexpr auto gpt4o_names = std::to_array<std::string_view>({"gpt-4o", "llama4", "kanana2", "talkie"});
constexpr auto tekken_names = std::to_array<std::string_view>({"tekken"});

struct Family {
    std::span<const std::string_view> names;
    std::string (*pattern)();
    bool ignores_merges;
};

constexpr auto families = std::to_array<Family>({{gpt2_names, gpt2_pattern, false},
                                                 {smollm_names, smollm_pattern, false},
                                                 {llama3_names, llama3_pattern, true},
                                                 {llama3_merging_names, llama3_pattern, false},
                                                 {qwen2_names, qwen2_pattern, false},
                                                 {gpt4o_names, gpt4o_pattern, false},
                                                 {tekken_names, tekken_pattern, true}});

const Family* find_family(std::string_view name) {
    for (const auto& family : families)
        for (const auto known : family.names)
            if (known == name) return &family;
    return nullptr;
}

std::string known_names() {
    std::string list;
    for (const auto& family : families)
        for (const auto name : family.names) list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
}

std::string describe(int code) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(code, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

} // namespace

struct Pretokenizer::Pattern {
    explicit Pattern(pcre2_code* compiled) : code(compiled) {}
    ~Pattern() { pcre2_code_free(code); }
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    pcre2_code* code;
};

Result<Pretokenizer> Pretokenizer::make(std::string_view name) {
    const auto* family = find_family(name);
    if (family == nullptr)
        return Error{"the pre-tokenizer \"" + std::string(name) + "\" is not supported; known are " +
                     known_names()};
    const auto text = family->pattern();
    int error = 0;
    PCRE2_SIZE offset = 0;
    auto* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), PCRE2_UTF | PCRE2_UCP,
                               &error, &offset, nullptr);
    if (code == nullptr)
        return Error{"the PCRE2 library does not accept the pattern of the pre-tokenizer \"" +
                     std::string(name) + "\": " + describe(error)};
    // Without JIT (an architecture that PCRE2 has none for) matching is slower but the same.
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    return Pretokenizer(std::make_shared<const Pattern>(code), family->ignores_merges);
}

struct PieceWalk::State {
    const pcre2_code* code;
    pcre2_match_data* match;
    std::string_view text;    ///< as given
    std::string repaired;     ///< a valid copy, where `text` is not valid UTF-8
    std::string_view subject; ///< what is matched
    std::size_t position = 0;

    // End of the piece at `position`.
    std::size_t find_end() const;
};

PieceWalk::PieceWalk(const Pretokenizer& pretokenizer, std::string_view text)
    : state_(new State{pretokenizer.pattern_->code, pcre2_match_data_create(1, nullptr), text, {}, text}) {
    if (first_invalid_utf8(text) == text.size()) return;
    // SUB: like U+FFFD neither letter nor number nor white space, and one byte long, so that offsets stay.
    state_->repaired = replace_invalid_utf8(text, '\x1A');
    state_->subject = state_->repaired;
}

PieceWalk::~PieceWalk() { pcre2_match_data_free(state_->match); }

std::size_t PieceWalk::State::find_end() const {
    const auto* begin = reinterpret_cast<PCRE2_SPTR>(subject.data());
    int count = pcre2_match(code, begin, subject.size(), position, PCRE2_NO_UTF_CHECK, match, nullptr);
    if (count < 0 && count != PCRE2_ERROR_NOMATCH)
        count = pcre2_match(code, begin, subject.size(), position, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, match,
                            nullptr);
    if (count < 0) return subject.size();
    const auto* offsets = pcre2_get_ovector_pointer(match);
    if (offsets[0] > position) return offsets[0]; // what no alternative matches is a piece too
    return offsets[1] > position ? offsets[1] : subject.size();
}

std::string_view PieceWalk::next() {
    auto& state = *state_;
    if (state.position == state.text.size()) return {};
    const auto begin = state.position;
    state.position = state.find_end();
    return state.text.substr(begin, state.position - begin);
}

} // namespace permafrost::text
