// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model as transformers saves it, with one smaller intermediate_size.
#include "core/base/atomic_file.h"
#include "core/base/mapped_file.h"
#include "core/exports/smaller_tensors.h"
#include "core/formats/safetensors.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>

namespace permafrost::exports {
namespace {

namespace fs = std::filesystem;
using formats::OutgoingTensor;
using nlohmann::ordered_json;

constexpr std::string_view module_prefix = "mlp.";

/// "<before>layers.<layer>.mlp.<rest>"
struct FeedForwardTensor {
    std::string before; ///< up to and with "layers.<layer>.mlp."
    std::uint32_t layer = 0;
    std::string_view rest; ///< "down_proj.weight"
};

std::optional<FeedForwardTensor> feed_forward_tensor(std::string_view name) {
    if (name.find("vision_tower.") != name.npos) return std::nullopt;
    constexpr std::string_view layers = "layers.";
    const auto begin = name.find(layers);
    if (begin == name.npos) return std::nullopt;
    FeedForwardTensor found;
    const auto* digits = name.data() + begin + layers.size();
    const auto [end, wrong] = std::from_chars(digits, name.data() + name.size(), found.layer);
    if (wrong != std::errc{}) return std::nullopt;
    const auto rest = name.substr(static_cast<std::size_t>(end - name.data()));
    const auto module = "." + std::string(module_prefix);
    if (!rest.starts_with(module)) return std::nullopt;
    found.rest = rest.substr(module.size());
    found.before = std::string(name.substr(0, name.size() - found.rest.size()));
    return found;
}

Result<tensor::TensorView> view_of(const formats::SafetensorsEntry& entry, const std::string& where) {
    const auto type = formats::element_type_of(entry.type);
    if (!type)
        return Error{where + ": tensor '" + entry.name + "' is " + entry.type + ", which is not copied"};
    return tensor::TensorView{entry.name, *type, entry.shape, entry.bytes};
}

/// Collects the tensors of all the folder's files.
class FolderTensors {
  public:
    /// `biases`: the model has them on its feed-forward matrices already.
    FolderTensors(const RemovalPlan& plan, bool biases) : plan_(plan), biases_(biases) {}

    Result<void> add_file(const fs::path& path);
    std::vector<OutgoingTensor> take() { return std::move(tensors_); }

  private:
    void add(const tensor::TensorView& view);
    void add_down_bias(const FeedForwardTensor& place, const tensor::TensorView& down);

    const RemovalPlan& plan_;
    bool biases_;
    std::vector<std::shared_ptr<const MappedFile>> files_;
    std::vector<OutgoingTensor> tensors_;
};

Result<void> FolderTensors::add_file(const fs::path& path) {
    PERMAFROST_TRY(auto file, MappedFile::open(path));
    PERMAFROST_TRY(auto contents, formats::parse_safetensors(file->bytes(), path.string()));
    files_.push_back(std::move(file));
    for (const auto& entry : contents.tensors) {
        PERMAFROST_TRY(const auto view, view_of(entry, path.string()));
        add(view);
    }
    return {};
}

void FolderTensors::add(const tensor::TensorView& view) {
    const auto place = feed_forward_tensor(view.name);
    if (!place || place->layer >= plan_.layers.size()) {
        tensors_.push_back({view});
        return;
    }
    const auto& layer = plan_.layers[place->layer];
    const auto rest = place->rest;
    if (rest.starts_with("gate_up_proj.")) {
        tensors_.push_back(without_neurons(view, NeuronTensor::FusedRows, layer, {}));
    } else if (rest.starts_with("gate_proj.") || rest.starts_with("up_proj.")) {
        tensors_.push_back(without_neurons(view, NeuronTensor::Rows, layer, {}));
    } else if (rest == "down_proj.weight") {
        tensors_.push_back(without_neurons(view, NeuronTensor::Columns, layer, plan_.down_type));
        add_down_bias(*place, view);
    } else if (rest == "down_proj.bias" && !layer.bias.empty()) {
        auto sum = values_of(view);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += layer.bias[i];
        tensors_.push_back(vector_tensor(view.name, std::move(sum), view.type));
    } else {
        tensors_.push_back({view});
    }
}

bool keeps_means(const RemovalPlan& plan) {
    for (const auto& layer : plan.layers)
        if (!layer.bias.empty()) return true;
    return false;
}

// Weights come before their biases. transformers has biases on all three matrices of all layers or on none ("mlp_bias").
void FolderTensors::add_down_bias(const FeedForwardTensor& place, const tensor::TensorView& down) {
    const auto& layer = plan_.layers[place.layer];
    if (biases_ || !keeps_means(plan_)) return;
    const auto zeros = [&](const char* name, std::size_t count) {
        tensors_.push_back(vector_tensor(place.before + name, std::vector<float>(count), down.type));
    };
    zeros("gate_proj.bias", layer.kept.size());
    zeros("up_proj.bias", layer.kept.size());
    auto bias = layer.bias.empty() ? std::vector<float>(down.rows()) : layer.bias;
    tensors_.push_back(vector_tensor(place.before + "down_proj.bias", std::move(bias), down.type));
}

Result<ordered_json> smaller_config(const fs::path& path, const RemovalPlan& plan) {
    PERMAFROST_TRY(const auto text, read_text_file(path));
    auto config = ordered_json::parse(text, nullptr, false);
    if (!config.is_object()) return Error{path.string() + ": it is not a JSON object"};
    auto& fields = config.contains("text_config") ? config["text_config"] : config;
    fields["intermediate_size"] = plan.widths().front();
    if (!keeps_means(plan)) return config;
    if (config.value("architectures", ordered_json()) != ordered_json{"LlamaForCausalLM"})
        return Error{path.string() +
                     ": means cannot be kept, since transformers reads a bias after the down matrix "
                     "for LlamaForCausalLM only; set the frozen neurons to zero"};
    fields["mlp_bias"] = true;
    return config;
}

// What belongs to a model beside weights and config.json, none of which says how wide a layer is.
constexpr std::array companions{"tokenizer.json",
                                "tokenizer_config.json",
                                "special_tokens_map.json",
                                "generation_config.json",
                                "chat_template.jinja",
                                "chat_template.json",
                                "added_tokens.json",
                                "tokenizer.model",
                                "vocab.json",
                                "merges.txt",
                                "preprocessor_config.json",
                                "processor_config.json",
                                "LICENSE",
                                "LICENSE.txt",
                                "NOTICE"};

Result<void> copy_companions(const fs::path& from, const fs::path& to) {
    for (const auto* name : companions) {
        std::error_code missing;
        if (!fs::is_regular_file(from / name, missing)) continue;
        PERMAFROST_TRY(const auto text, read_text_file(from / name));
        PERMAFROST_CHECK(write_file(to / name, text));
    }
    return {};
}

} // namespace

Result<void> write_smaller_folder(const formats::ModelFile& model, const RemovalPlan& plan,
                                  const fs::path& target, const formats::WriteControl& control) {
    std::error_code failed;
    const fs::path location = model.location();
    const auto folder = fs::is_directory(location, failed) ? location : fs::absolute(location).parent_path();
    PERMAFROST_TRY(const auto config, smaller_config(folder / "config.json", plan));
    const auto whole = folder / "model.safetensors";
    FolderTensors tensors(plan, model.find("blk.0.ffn_down.bias") != nullptr);
    if (fs::exists(whole, failed)) {
        PERMAFROST_CHECK(tensors.add_file(whole));
    } else {
        for (const auto& path : formats::safetensors_in(folder)) PERMAFROST_CHECK(tensors.add_file(path));
    }
    fs::create_directories(target, failed);
    if (failed) return Error{"cannot make the folder " + target.string() + ": " + failed.message()};
    const auto outgoing = tensors.take();
    PERMAFROST_CHECK(
        formats::write_safetensors(target / "model.safetensors", {{"format", "pt"}}, outgoing, control));
    PERMAFROST_CHECK(copy_companions(folder, target));
    return write_file(target / "config.json", config.dump(2) + "\n");
}

} // namespace permafrost::exports
