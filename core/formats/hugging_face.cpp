// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face.h"

#include "core/base/atomic_file.h"
#include "core/formats/hugging_face_config.h"
#include "core/formats/hugging_face_tokenizer.h"
#include "core/formats/safetensors.h"
#include "core/formats/strict_json.h"
#include "core/formats/tensor_table.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <set>
#include <unordered_map>

namespace permafrost::formats {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* index_name = "model.safetensors.index.json";

Result<json> read_json(const fs::path& path) {
    PERMAFROST_TRY(const auto file, MappedFile::open(path));
    return parse_strictly(text_of(file->bytes()), path.string());
}

struct NamePair {
    std::string_view ours; ///< of transformers, after "model.layers.<layer>."
    std::string_view gguf; ///< after "blk.<layer>."
};

constexpr std::array layer_modules{NamePair{"self_attn.q_proj", "attn_q"},
                                   NamePair{"self_attn.k_proj", "attn_k"},
                                   NamePair{"self_attn.v_proj", "attn_v"},
                                   NamePair{"self_attn.o_proj", "attn_output"},
                                   NamePair{"self_attn.qkv_proj", "attn_qkv"},
                                   NamePair{"self_attn.q_norm", "attn_q_norm"},
                                   NamePair{"self_attn.k_norm", "attn_k_norm"},
                                   NamePair{"mlp.gate_proj", "ffn_gate"},
                                   NamePair{"mlp.up_proj", "ffn_up"},
                                   NamePair{"mlp.gate_up_proj", "ffn_up"},
                                   NamePair{"mlp.down_proj", "ffn_down"},
                                   NamePair{"input_layernorm", "attn_norm"},
                                   NamePair{"pre_feedforward_layernorm", "ffn_norm"},
                                   NamePair{"post_feedforward_layernorm", "post_ffw_norm"}};

std::string_view gguf_module(std::string_view module, const HuggingFaceFamily& family) {
    if (module == "post_attention_layernorm") return family.post_norms ? "post_attention_norm" : "ffn_norm";
    for (const auto& pair : layer_modules)
        if (pair.ours == module) return pair.gguf;
    return {};
}

bool take_prefix(std::string_view& name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
}

// GGUF's name of a tensor; its own name for one that no family has; empty for one that is no part of the language model.
std::string gguf_name(std::string_view name, const HuggingFaceConfig& config) {
    const std::string own(name);
    if (name.find("vision_tower.") != name.npos || name.find("multi_modal_projector.") != name.npos)
        return {};
    if (name.ends_with(".rotary_emb.inv_freq")) return {}; // follows from config.json
    if (!take_prefix(name, "model.language_model.") && !take_prefix(name, "language_model.model."))
        if (!take_prefix(name, "model.")) take_prefix(name, "language_model.");
    // What is tied is read from the embedding, even where an old file has a copy.
    if (name == "lm_head.weight") return config.tied_output ? "" : "output.weight";
    if (name == "embed_tokens.weight") return "token_embd.weight";
    if (name == "norm.weight") return "output_norm.weight";
    std::uint32_t layer = 0;
    if (!take_prefix(name, "layers.")) return own;
    const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), layer);
    if (wrong != std::errc{} || end == name.data() + name.size() || *end != '.') return own;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()) + 1);
    const auto dot = name.rfind('.');
    if (dot == name.npos) return own;
    const auto module = gguf_module(name.substr(0, dot), *config.family);
    if (module.empty()) return own;
    return "blk." + std::to_string(layer) + "." + std::string(module) + std::string(name.substr(dot));
}

/// What the views point into.
struct Storage {
    std::vector<std::shared_ptr<const MappedFile>> files;
    std::deque<std::vector<float>> vectors;
};

/// Collects the tensors of a folder under GGUF's names.
class TensorCollector {
  public:
    TensorCollector(const fs::path& folder, const HuggingFaceConfig& config)
        : folder_(folder), config_(config), storage_(std::make_shared<Storage>()) {}

    Result<void> add_files();
    void add_rotary_factors();
    Result<void> check_biases() const;

    std::vector<tensor::TensorView> take_tensors() { return std::move(tensors_); }
    std::shared_ptr<const Storage> storage() const { return storage_; }

  private:
    Result<void> add_indexed_files();
    Result<void> add_file(const fs::path& path, const json* expected);
    Result<void> add_tensor(const SafetensorsEntry& entry, const std::string& where);
    void add_vector(std::string name, std::vector<float> values);
    std::vector<float> as_gguf(const std::string& name, const SafetensorsEntry& entry,
                               tensor::ElementType type) const;
    bool interleaved(const std::string& name) const {
        return config_.family->interleaves_heads &&
               (name.find(".attn_q.") != name.npos || name.find(".attn_k.") != name.npos);
    }

    const fs::path& folder_;
    const HuggingFaceConfig& config_;
    std::shared_ptr<Storage> storage_;
    std::vector<tensor::TensorView> tensors_;
    std::unordered_map<std::string, std::string> origin_; ///< (GGUF's name) file and name there
};

void TensorCollector::add_vector(std::string name, std::vector<float> values) {
    const auto& kept = storage_->vectors.emplace_back(std::move(values));
    tensors_.push_back({std::move(name),
                        tensor::ElementType::F32,
                        {kept.size()},
                        bytes_of(std::span<const float>(kept)),
                        false});
}

std::vector<float> TensorCollector::as_gguf(const std::string& name, const SafetensorsEntry& entry,
                                            tensor::ElementType type) const {
    const auto count = entry.bytes.size() / tensor::info(type).block_bytes;
    std::vector<float> values(count);
    tensor::decode(type, entry.bytes.data(), values.data(), count);
    if (config_.family->norms_less_one && name.ends_with("norm.weight"))
        for (auto& value : values) value += 1.0f;
    const std::size_t head = config_.head_size;
    if (!interleaved(name) || count % head != 0) return values;
    auto reordered = values;
    for (std::size_t i = 0; i < count; ++i) {
        const auto place = i % head;
        reordered[i] = values[i - place + place % 2 * (head / 2) + place / 2];
    }
    return reordered;
}

Result<void> TensorCollector::add_tensor(const SafetensorsEntry& entry, const std::string& where) {
    auto name = gguf_name(entry.name, config_);
    if (name.empty()) return {};
    const auto refused = [&](const std::string& why) {
        return Error{where + ": tensor " + in_quotes(entry.name) + " " + why};
    };
    if (const auto [place, added] = origin_.emplace(name, where + ", " + entry.name); !added)
        return refused("is there twice, the other is in " + place->second);
    const auto type = element_type_of(entry.type);
    if (!type)
        return refused("has the type " + entry.type.substr(0, 20) +
                       ", and only F32, F16 and BF16 are supported; quantised models are read from GGUF");
    PERMAFROST_TRY(const auto size, tensor_size(entry.name, *type, entry.shape));
    if (size != entry.bytes.size()) return refused("has bytes that do not fit its shape");
    if (entry.shape.size() <= 1) {
        add_vector(name, as_gguf(name, entry, *type));
        return {};
    }
    tensor::TensorView view{std::move(name), *type, entry.shape, entry.bytes};
    if (interleaved(view.name)) {
        const auto head = config_.head_size;
        if (head % 2 != 0 || view.rows() % head != 0)
            return refused("has " + std::to_string(view.rows()) + " rows, which are not whole heads of " +
                           std::to_string(head));
        view.interleaves_heads_of = head;
    }
    tensors_.push_back(std::move(view));
    return {};
}

// `expected`: the index's list of tensors, when there is one.
Result<void> TensorCollector::add_file(const fs::path& path, const json* expected) {
    PERMAFROST_TRY(auto file, MappedFile::open(path));
    PERMAFROST_TRY(auto contents, parse_safetensors(file->bytes(), path.string()));
    storage_->files.push_back(std::move(file));
    // In the order of the file, which is the order they are read in.
    std::sort(contents.tensors.begin(), contents.tensors.end(),
              [](const auto& a, const auto& b) { return a.bytes.data() < b.bytes.data(); });
    const auto name = path.filename().string();
    for (const auto& entry : contents.tensors) {
        if (expected && expected->value(entry.name, json()) != name)
            return Error{path.string() + ": tensor " + in_quotes(entry.name) +
                         " is not listed for this file in " + index_name +
                         "; the files belong to different models"};
        PERMAFROST_CHECK(add_tensor(entry, path.string()));
    }
    if (!expected) return {};
    std::set<std::string_view> present;
    for (const auto& entry : contents.tensors) present.insert(entry.name);
    for (const auto& [tensor, file_name] : expected->items())
        if (file_name == name && !present.contains(tensor))
            return Error{path.string() + ": tensor " + in_quotes(tensor) + ", which " + index_name +
                         " lists for this file, is not in it; download it again"};
    return {};
}

// A file in the folder itself, by its plain name.
bool is_plain_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of(std::string_view("/\\\0", 3)) == name.npos;
}

Result<void> TensorCollector::add_indexed_files() {
    const auto path = folder_ / index_name;
    PERMAFROST_TRY(const auto index, read_json(path));
    const json map = index.is_object() ? index.value("weight_map", json()) : json();
    if (!map.is_object() || map.empty()) return Error{path.string() + ": it has no weight_map"};
    std::set<std::string> files;
    for (const auto& [tensor, file] : map.items()) {
        if (!file.is_string() || !is_plain_name(file.get<std::string>()))
            return Error{path.string() + ": tensor " + in_quotes(tensor) + " is said to be in " +
                         file.dump().substr(0, 80) + ", which is no file of this folder"};
        files.insert(file.get<std::string>());
    }
    std::string missing;
    std::error_code ignored;
    for (const auto& file : files)
        if (!fs::exists(folder_ / file, ignored)) missing += (missing.empty() ? "" : ", ") + file;
    if (!missing.empty())
        return Error{folder_.string() + ": files that " + index_name + " lists are missing: " + missing};
    for (const auto& file : files) PERMAFROST_CHECK(add_file(folder_ / file, &map));
    return {};
}

Result<void> TensorCollector::add_files() {
    std::error_code ignored;
    if (fs::exists(folder_ / "model.safetensors", ignored))
        return add_file(folder_ / "model.safetensors", nullptr);
    if (fs::exists(folder_ / index_name, ignored)) return add_indexed_files();
    const auto found = safetensors_in(folder_);
    bool pickled = false;
    for (const auto& entry : fs::directory_iterator(folder_, ignored))
        pickled = pickled || entry.path().extension() == ".bin" || entry.path().extension() == ".pt";
    if (found.size() == 1) return add_file(found.front(), nullptr);
    if (found.size() > 1)
        return Error{folder_.string() + ": it has " + std::to_string(found.size()) + " .safetensors and no " +
                     index_name + " that says what belongs together"};
    return Error{
        folder_.string() + ": it has no .safetensors" +
        (pickled ? "; weights in .bin or .pt files can run code when they are read, save them as safetensors"
                 : "; download the weights too")};
}

void TensorCollector::add_rotary_factors() {
    for (const auto& [name, factors] : {std::pair{"rope_freqs.weight", &config_.rotary_factors},
                                        std::pair{"rope_factors_short.weight", &config_.short_factors},
                                        std::pair{"rope_factors_long.weight", &config_.long_factors}})
        if (!factors->empty()) add_vector(name, *factors);
}

// transformers reads no biases where config.json says that there are none, and makes them up where it finds none.
Result<void> TensorCollector::check_biases() const {
    const auto check = [&](const std::optional<bool>& stated, const char* key,
                           const char* part) -> Result<void> {
        if (!stated) return {};
        const bool found = std::any_of(tensors_.begin(), tensors_.end(), [&](const auto& view) {
            return view.name.starts_with("blk.") && view.name.ends_with(part);
        });
        if (found == *stated) return {};
        return Error{(folder_ / "config.json").string() + ": " + key + " is " + (*stated ? "true" : "false") +
                     ", but the files have " + (found ? "" : "no ") + "such biases"};
    };
    PERMAFROST_CHECK(check(config_.attention_bias, "attention_bias", ".attn_q.bias"));
    return check(config_.feed_forward_bias, "mlp_bias", ".ffn_up.bias");
}

std::string name_of_folder(const fs::path& folder) {
    const auto whole = fs::weakly_canonical(folder);
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

} // namespace

bool is_hugging_face_folder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "config.json", ignored);
}

Result<ModelFilePtr> open_hugging_face(const fs::path& folder) {
    const auto config_path = folder / "config.json";
    PERMAFROST_TRY(const auto json_config, read_json(config_path));
    PERMAFROST_TRY(auto config, read_hugging_face_config(json_config, config_path.string()));
    // Not general.name: a folder that is renamed stays the same model, and such keys do not count for its identity.
    config.metadata.set("permafrost.name", make_value(name_of_folder(folder)));
    TensorCollector collector(folder, config);
    PERMAFROST_CHECK(collector.add_files());
    PERMAFROST_CHECK(collector.check_biases());
    collector.add_rotary_factors();
    auto tensors = collector.take_tensors();
    const auto embedding = std::find_if(tensors.begin(), tensors.end(),
                                        [](const auto& view) { return view.name == "token_embd.weight"; });
    PERMAFROST_CHECK(add_hugging_face_tokenizer(folder, embedding == tensors.end() ? 0 : embedding->rows(),
                                                config.metadata));
    auto identity = header_identity(config.metadata, tensors);
    return std::make_shared<const ModelFile>(FileFormat::Safetensors, folder.string(),
                                             std::move(config.metadata), std::move(tensors),
                                             std::move(identity), collector.storage());
}

} // namespace permafrost::formats
