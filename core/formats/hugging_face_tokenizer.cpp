// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face_tokenizer.h"

#include "core/base/mapped_file.h"
#include "core/formats/strict_json.h"
#include "core/formats/tensor_table.h"
#include "core/formats/text_pipeline.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace permafrost::formats {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// tokenizer.ggml.token_type
constexpr std::int32_t normal = 1, control = 3, user_defined = 4, unused = 5, byte = 6;

constexpr const char* mark = "\u2581";
constexpr std::uint64_t most_tokens = std::uint64_t{1} << 24;

Result<json> read_json_if_there(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return json::object();
    PERMAFROST_TRY(const auto file, MappedFile::open(path));
    PERMAFROST_TRY(auto content, parse_strictly(text_of(file->bytes()), path.string()));
    if (!content.is_object()) return Error{path.string() + ": it is no JSON object"};
    return content;
}

bool is_true(const json& part, const char* key) {
    const auto value = part.value(key, json());
    return value.is_boolean() && value.get<bool>();
}

// "<0x0A>"
bool is_byte_token(const std::string& token) {
    return token.size() == 6 && token.starts_with("<0x") && token.back() == '>' &&
           token.find_first_not_of("0123456789ABCDEF", 3) == 5;
}

/// Collects what one tokenizer.json says.
class TokenizerReader {
  public:
    TokenizerReader(const json& tokenizer, const json& config, std::uint64_t vocabulary)
        : tokenizer_(tokenizer), model_(tokenizer.value("model", json::object())), config_(config),
          vocabulary_(vocabulary) {}

    Result<void> read();
    void store(Metadata& metadata) const;

  private:
    Result<void> read_bpe();
    Result<void> read_unigram();
    Result<void> read_merges();
    Result<void> check_marks() const;
    Result<void> place(const std::string& token, std::uint64_t id, double score);
    Result<void> add_added_token(const json& token);
    Result<void> finish_tokens();
    Result<void> read_special_ids();
    std::optional<std::uint32_t> id_of(const std::string& token) const;
    /// The token that tokenizer_config.json names.
    std::optional<std::uint32_t> configured(const char* key) const;

    const json& tokenizer_;
    const json model_;
    const json& config_;
    std::uint64_t vocabulary_;
    TextPipeline pipeline_;
    bool is_unigram_ = false;
    std::size_t own_tokens_ = 0; ///< of the model, before those that were added
    std::vector<std::optional<std::string>> tokens_;
    std::vector<std::int32_t> types_;
    std::vector<double> scores_;
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::vector<std::string> merges_;
    std::vector<std::uint32_t> strip_left_, strip_right_;
    std::optional<std::uint32_t> bos_, eos_, unknown_, padding_;
    bool add_bos_ = false, add_eos_ = false;
};

Result<void> TokenizerReader::place(const std::string& token, std::uint64_t id, double score) {
    const auto limit = vocabulary_ != 0 ? vocabulary_ : most_tokens;
    if (id >= limit)
        return Error{"the token " + in_quotes(token) + " has the id " + std::to_string(id) +
                     ", but the embedding has " + std::to_string(limit) +
                     " rows; tokenizer and weights are of different models"};
    if (id >= tokens_.size()) {
        tokens_.resize(id + 1);
        types_.resize(id + 1, normal);
        scores_.resize(id + 1, 0.0);
    }
    if (tokens_[id])
        return Error{"the tokens " + in_quotes(*tokens_[id]) + " and " + in_quotes(token) +
                     " have the same id " + std::to_string(id)};
    if (!ids_.emplace(token, static_cast<std::uint32_t>(id)).second)
        return Error{"the token " + in_quotes(token) + " is there twice"};
    tokens_[id] = token;
    scores_[id] = score;
    if (!pipeline_.byte_level && is_true(model_, "byte_fallback") && is_byte_token(token)) types_[id] = byte;
    return {};
}

Result<void> TokenizerReader::read_bpe() {
    const auto vocab = model_.value("vocab", json());
    if (!vocab.is_object() || vocab.empty()) return Error{"its model has no vocab"};
    const auto dropout = model_.value("dropout", json());
    if (dropout.is_number() && dropout.get<double>() != 0)
        return Error{"its model drops merges at random (dropout)"};
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
        const auto affix = model_.value(key, json());
        if (affix.is_string() && !affix.get<std::string>().empty())
            return Error{"its model has a " + std::string(key) + ", which is not supported"};
    }
    for (const auto& [token, id] : vocab.items()) {
        if (!id.is_number_unsigned()) return Error{"the token " + in_quotes(token) + " has no id"};
        PERMAFROST_CHECK(place(token, id.get<std::uint64_t>(), 0));
    }
    return read_merges();
}

Result<void> TokenizerReader::read_merges() {
    const auto list = model_.value("merges", json());
    if (!list.is_array()) return Error{"its model has no merges"};
    merges_.reserve(list.size());
    for (const auto& merge : list) {
        const bool pair =
            merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
        std::string left, right;
        if (pair) {
            left = merge[0].get<std::string>();
            right = merge[1].get<std::string>();
        } else if (merge.is_string()) {
            const auto& text = merge.get_ref<const std::string&>();
            const auto gap = text.find(' ');
            left = text.substr(0, gap);
            right = gap == text.npos ? "" : text.substr(gap + 1);
        }
        if (left.empty() || right.empty() || left.find(' ') != left.npos || right.find(' ') != right.npos)
            return Error{"its merge " + std::to_string(merges_.size()) +
                         " is no pair of tokens: " + merge.dump(-1, ' ', true).substr(0, 100)};
        // For programs that merge by scores: the earlier the merge, the better.
        if (const auto merged = ids_.find(left + right); merged != ids_.end() && scores_[merged->second] == 0)
            scores_[merged->second] = -1.0 - static_cast<double>(merges_.size());
        merges_.push_back(left + " " + right);
    }
    return {};
}

Result<void> TokenizerReader::read_unigram() {
    const auto vocab = model_.value("vocab", json());
    if (!vocab.is_array() || vocab.empty()) return Error{"its model has no vocab"};
    for (std::size_t id = 0; id < vocab.size(); ++id) {
        const auto& item = vocab[id];
        if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_number() ||
            !std::isfinite(item[1].get<double>()))
            return Error{"its token " + std::to_string(id) + " is no pair of text and score"};
        PERMAFROST_CHECK(place(item[0].get<std::string>(), id, item[1].get<double>()));
    }
    const auto unknown = model_.value("unk_id", json());
    if (unknown.is_number_unsigned() && unknown.get<std::uint64_t>() < vocab.size())
        unknown_ = unknown.get<std::uint32_t>();
    return {};
}

// Pieces that begin at each mark are the same as pieces that begin at each word when no token has a mark inside.
Result<void> TokenizerReader::check_marks() const {
    if (!pipeline_.cuts_at_marks) return {};
    for (std::size_t id = 0; id < tokens_.size(); ++id)
        if (tokens_[id] && types_[id] == normal && tokens_[id]->find(mark, 1) != std::string::npos)
            return Error{"its pre-tokenizer cuts at each space, but the token " + in_quotes(*tokens_[id]) +
                         " reaches over one, which is not supported"};
    return {};
}

Result<void> TokenizerReader::add_added_token(const json& token) {
    const auto content = token.is_object() ? token.value("content", json()) : json();
    const auto id = token.is_object() ? token.value("id", json()) : json();
    if (!content.is_string() || content.get<std::string>().empty() || !id.is_number_unsigned())
        return Error{"an added token has no content or no id"};
    const auto text = content.get<std::string>();
    const auto number = id.get<std::uint64_t>();
    // The text models of Gemma 3 share a tokenizer with those that see pictures, whose token has no row here.
    if (vocabulary_ != 0 && number >= vocabulary_ && is_true(token, "special")) return {};
    const auto known = number < tokens_.size() && tokens_[number];
    if (known && *tokens_[number] != text)
        return Error{"the added token " + in_quotes(text) + " has the id " + std::to_string(number) +
                     ", which is that of " + in_quotes(*tokens_[number])};
    if (!known) PERMAFROST_CHECK(place(text, number, 0));
    if (is_true(token, "single_word"))
        return Error{"the added token " + in_quotes(text) +
                     " stands for whole words only (single_word), which is not supported"};
    if (is_true(token, "normalized") && !tokenizer_.value("normalizer", json()).is_null())
        return Error{"the added token " + in_quotes(text) +
                     " is looked for in normalised text (normalized), which is not supported"};
    types_[number] = is_true(token, "special") ? control : user_defined;
    if (is_true(token, "lstrip")) strip_left_.push_back(static_cast<std::uint32_t>(number));
    if (is_true(token, "rstrip")) strip_right_.push_back(static_cast<std::uint32_t>(number));
    return {};
}

// Rows of the embedding that have no token get one that no text has: those beyond the last token, and between added tokens
// (Phi-4-mini).
Result<void> TokenizerReader::finish_tokens() {
    for (std::size_t id = 0; id < own_tokens_; ++id)
        if (!tokens_[id])
            return Error{"no token has the id " + std::to_string(id) + ", though there are ids up to " +
                         std::to_string(own_tokens_ - 1)};
    const auto rows = std::max<std::uint64_t>(tokens_.size(), vocabulary_);
    for (std::uint64_t id = own_tokens_; id < rows; ++id) {
        if (id < tokens_.size() && tokens_[id]) continue;
        PERMAFROST_CHECK(place("[PAD" + std::to_string(id) + "]", id, 0));
        types_[id] = unused;
    }
    return {};
}

std::optional<std::uint32_t> TokenizerReader::id_of(const std::string& token) const {
    const auto found = ids_.find(token);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> TokenizerReader::configured(const char* key) const {
    auto token = config_.value(key, json());
    if (token.is_object()) token = token.value("content", json());
    return token.is_string() ? id_of(token.get<std::string>()) : std::nullopt;
}

Result<void> TokenizerReader::read_special_ids() {
    bos_ = configured("bos_token");
    eos_ = configured("eos_token");
    padding_ = configured("pad_token");
    if (!unknown_) unknown_ = configured("unk_token");
    if (const auto unknown = model_.value("unk_token", json()); unknown.is_string() && !pipeline_.byte_level)
        unknown_ = id_of(unknown.get<std::string>());
    add_bos_ = is_true(config_, "add_bos_token") && bos_;
    add_eos_ = is_true(config_, "add_eos_token") && eos_;
    if (!pipeline_.has_template) return {};
    // The post-processor is what acts.
    const auto take = [&](const std::optional<std::string>& token, std::optional<std::uint32_t>& id,
                          bool& add) -> Result<void> {
        add = token.has_value();
        if (!token) return {};
        id = id_of(*token);
        if (!id)
            return Error{"its post-processor adds the token " + in_quotes(*token) + ", which does not exist"};
        return {};
    };
    PERMAFROST_CHECK(take(pipeline_.first, bos_, add_bos_));
    return take(pipeline_.last, eos_, add_eos_);
}

Result<void> TokenizerReader::read() {
    PERMAFROST_TRY(pipeline_, read_text_pipeline(tokenizer_));
    const auto type = model_.value("type", json());
    // Old files do not say what they are when it is BPE.
    const bool is_bpe = type == "BPE" || (type.is_null() && model_.contains("merges"));
    is_unigram_ = type == "Unigram";
    if (!is_bpe && (!is_unigram_ || pipeline_.byte_level))
        return Error{"its model is of type " + type.dump().substr(0, 40) +
                     ", and only BPE and Unigram are supported"};
    PERMAFROST_CHECK(is_bpe ? read_bpe() : read_unigram());
    own_tokens_ = tokens_.size();
    const auto added = tokenizer_.value("added_tokens", json::array());
    for (const auto& token : added) PERMAFROST_CHECK(add_added_token(token));
    PERMAFROST_CHECK(check_marks());
    PERMAFROST_CHECK(finish_tokens());
    return read_special_ids();
}

void TokenizerReader::store(Metadata& metadata) const {
    const auto set = [&](const std::string& key, auto value) {
        metadata.set("tokenizer.ggml." + key, make_value(std::move(value)));
    };
    set("model", std::string(pipeline_.byte_level ? "gpt2" : is_unigram_ ? "t5" : "llama"));
    set("pre", pipeline_.byte_level ? pipeline_.pre : std::string("default"));
    std::vector<std::string> tokens;
    tokens.reserve(tokens_.size());
    for (const auto& token : tokens_) tokens.push_back(*token);
    set("tokens", std::move(tokens));
    set("token_type", types_);
    if (!pipeline_.byte_level)
        metadata.set(
            "tokenizer.ggml.scores",
            Value{ValueType::Array, ValueArray{is_unigram_ ? ValueType::F64 : ValueType::F32, scores_}});
    if (!merges_.empty()) set("merges", merges_);
    for (const auto& [key, id] :
         {std::pair{"bos_token_id", bos_}, std::pair{"eos_token_id", eos_},
          std::pair{"unknown_token_id", unknown_}, std::pair{"padding_token_id", padding_}})
        if (id) set(key, *id);
    set("add_bos_token", add_bos_);
    set("add_eos_token", add_eos_);
    const auto set_own = [&](const std::string& key, auto value) {
        metadata.set("permafrost.tokenizer." + key, make_value(std::move(value)));
    };
    if (!pipeline_.byte_level) {
        set("add_space_prefix", pipeline_.space_prefix != "never");
        set_own("space_prefix", pipeline_.space_prefix);
    }
    if (pipeline_.compose) set_own("compose", true);
    if (!strip_left_.empty()) set_own("strip_left", strip_left_);
    if (!strip_right_.empty()) set_own("strip_right", strip_right_);
}

void add_chat_template(const fs::path& folder, const json& config, Metadata& metadata) {
    const auto given = config.value("chat_template", json());
    auto text = given;
    if (given.is_array()) // several with names
        for (const auto& item : given)
            if (item.is_object() && item.value("name", "") == "default")
                text = json(item.value("template", json()));
    if (const auto file = MappedFile::open(folder / "chat_template.jinja"); file.ok())
        text = std::string(text_of(file.value()->bytes()));
    if (text.is_string()) metadata.set("tokenizer.chat_template", make_value(text.get<std::string>()));
}

} // namespace

Result<void> add_hugging_face_tokenizer(const fs::path& folder, std::uint64_t vocabulary,
                                        Metadata& metadata) {
    const auto path = folder / "tokenizer.json";
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return {};
    PERMAFROST_TRY(const auto tokenizer, read_json_if_there(path));
    PERMAFROST_TRY(const auto config, read_json_if_there(folder / "tokenizer_config.json"));
    TokenizerReader reader(tokenizer, config, vocabulary);
    try {
        const auto read = reader.read();
        if (!read.ok()) return Error{path.string() + ": " + read.message()};
        reader.store(metadata);
        add_chat_template(folder, config, metadata);
    } catch (const json::exception& error) { // a value of another type than the format asks for
        return Error{path.string() + ": it is damaged or of an unknown version: " + error.what()};
    }
    return {};
}

} // namespace permafrost::formats
