// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_plan.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace permafrost::model {
namespace {

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

// "blk.{0-3,7}.attn_q.weight"
std::string name_in_layers(const std::string& name, const std::vector<std::uint32_t>& layers) {
    if (layers.size() == 1) return layer_tensor_name(layers.front(), name);
    std::string list;
    for (std::size_t i = 0; i < layers.size();) {
        std::size_t last = i;
        while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1) ++last;
        list += (i ? "," : "") + std::to_string(layers[i]);
        if (last != i) list += "-" + std::to_string(layers[last]);
        i = last + 1;
    }
    return "blk.{" + list + "}." + name;
}

class TensorChecker {
  public:
    TensorChecker(const formats::ModelFile& file, ModelConfig& config) : file_(file), config_(config) {}

    void check_model_tensors();
    void check_layer(std::uint32_t layer);
    void find_unknown();
    std::string report() const;

  private:
    /// Bytes of the tensor, 0 when it is not there.
    std::uint64_t check(const std::string& name, const std::vector<std::uint64_t>& shape, Presence presence);

    const formats::ModelFile& file_;
    ModelConfig& config_;
    std::unordered_set<std::string> known_;
    std::vector<std::string> missing_;
    std::map<std::string, std::vector<std::uint32_t>> missing_in_layers_; ///< name without the layer
    std::vector<std::string> misshapen_, unknown_;
};

std::uint64_t TensorChecker::check(const std::string& name, const std::vector<std::uint64_t>& shape,
                                   Presence presence) {
    const auto* view = file_.find(name);
    if (!view) {
        if (presence == Presence::Always) missing_.push_back(name);
        return 0;
    }
    known_.insert(name);
    if (view->shape != shape)
        misshapen_.push_back(name + " has the shape " + shape_text(view->shape) + ", expected " +
                             shape_text(shape));
    return view->bytes.size();
}

void TensorChecker::check_layer(std::uint32_t layer) {
    const auto plan = plan_layer(file_, config_, layer);
    const auto check_part = [&](const TensorPart& part, const std::vector<std::uint64_t>& shape) {
        const auto name = layer_tensor_name(layer, part.name);
        if (part.presence == Presence::Always && !file_.find(name))
            missing_in_layers_[std::string(part.name)].push_back(layer);
        const auto bytes = check(name, shape, Presence::Optional);
        config_.weight_bytes += bytes;
        return bytes;
    };
    for (const auto role :
         {MatrixRole::Qkv, MatrixRole::AttentionOutput, MatrixRole::GateUp, MatrixRole::Down}) {
        const auto& matrix = plan.matrices[static_cast<std::size_t>(role)];
        for (const auto& part : matrix.parts) {
            const auto bytes = check_part(part, {part.rows, matrix.columns});
            if (role == MatrixRole::GateUp || role == MatrixRole::Down) config_.ffn_weight_bytes += bytes;
        }
    }
    for (const auto& parts : plan.vectors)
        for (const auto& part : parts) check_part(part, {part.rows});
}

void TensorChecker::check_model_tensors() {
    const std::uint64_t hidden = config_.hidden, vocabulary = config_.vocabulary;
    config_.weight_bytes += check("output_norm.weight", {hidden}, Presence::Always);
    config_.tied_output = file_.find("output.weight") == nullptr;
    config_.weight_bytes += check("output.weight", {vocabulary, hidden}, Presence::Optional);
    // A tied embedding is read as a whole once a token, as output matrix; a separate one costs one row.
    const auto embedding = check("token_embd.weight", {vocabulary, hidden}, Presence::Always);
    if (config_.tied_output) config_.weight_bytes += embedding;
    for (const char* name : {"rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight"})
        check(name, {config_.rotary.size / 2}, Presence::Optional);
}

void TensorChecker::find_unknown() {
    for (const auto& view : file_.tensors())
        // Inverse frequencies that old converters wrote; they follow from the keys.
        if (!known_.contains(view.name) && !view.name.ends_with("attn_rot_embd.weight"))
            unknown_.push_back(view.name);
}

std::string TensorChecker::report() const {
    std::string text;
    const auto add = [&](const std::string& title, std::vector<std::string> names, const std::string& end) {
        if (names.empty()) return;
        text += (text.empty() ? "" : "; ") + title;
        for (std::size_t i = 0; i < names.size(); ++i) text += (i ? ", " : "") + names[i];
        text += end;
    };
    auto missing = missing_;
    for (const auto& [name, layers] : missing_in_layers_) missing.push_back(name_in_layers(name, layers));
    add("missing tensors: ", missing, "");
    add("", misshapen_, "");
    auto shown = unknown_;
    constexpr std::size_t most = 20;
    const auto more = shown.size() > most ? " and " + std::to_string(shown.size() - most) + " more" : "";
    shown.resize(std::min(shown.size(), most));
    add("tensors that are not supported for architecture " + config_.architecture +
            " and would change the result: ",
        shown, more);
    return text;
}

} // namespace

std::uint64_t MatrixPlan::rows() const {
    std::uint64_t sum = 0;
    for (const auto& part : parts) sum += part.rows;
    return sum;
}

std::string layer_tensor_name(std::uint32_t layer, std::string_view name) {
    return "blk." + std::to_string(layer) + "." + std::string(name);
}

LayerPlan plan_layer(const formats::ModelFile& file, const ModelConfig& config, std::uint32_t layer) {
    const auto& family = *config.family;
    const auto& attention = config.attention[layer];
    const std::uint64_t hidden = config.hidden, neurons = config.intermediate[layer];
    const std::uint64_t query = config.query_size(layer), kv = config.kv_size(layer);
    LayerPlan plan;
    const auto if_any = [](std::vector<TensorPart> parts) {
        std::erase_if(parts, [](const auto& part) { return part.presence == Presence::Never; });
        return parts;
    };
    const auto norm = [&](VectorRole role, std::string_view name, std::uint64_t size) {
        plan.vector(role) = {{name, size}};
    };

    if (attention.heads != 0) {
        norm(VectorRole::AttentionNorm, "attn_norm.weight", hidden);
        plan.matrix(MatrixRole::AttentionOutput) = {attention.kv_heads == 0 ? hidden : query,
                                                    {{"attn_output.weight", hidden}}};
        plan.vector(VectorRole::AttentionOutputBias) =
            if_any({{"attn_output.bias", hidden, family.output_bias}});
        if (family.post_norms) norm(VectorRole::PostAttentionNorm, "post_attention_norm.weight", hidden);
    }
    if (attention.heads != 0 && attention.kv_heads != 0) {
        const auto bias = family.attention_bias;
        const bool fused = file.find(layer_tensor_name(layer, "attn_qkv.weight")) != nullptr;
        plan.matrix(MatrixRole::Qkv).columns = hidden;
        if (fused) {
            plan.matrix(MatrixRole::Qkv).parts = {{"attn_qkv.weight", query + 2 * kv}};
            plan.vector(VectorRole::QkvBias) = if_any({{"attn_qkv.bias", query + 2 * kv, bias}});
        } else {
            plan.matrix(MatrixRole::Qkv).parts = {
                {"attn_q.weight", query}, {"attn_k.weight", kv}, {"attn_v.weight", kv}};
            plan.vector(VectorRole::QkvBias) =
                if_any({{"attn_q.bias", query, bias}, {"attn_k.bias", kv, bias}, {"attn_v.bias", kv, bias}});
        }
        if (family.query_key_norms) {
            norm(VectorRole::QueryNorm, "attn_q_norm.weight", config.head_size);
            norm(VectorRole::KeyNorm, "attn_k_norm.weight", config.head_size);
        }
    }

    norm(VectorRole::FfnNorm, "ffn_norm.weight", hidden);
    if (family.fused_gate_up)
        plan.matrix(MatrixRole::GateUp) = {hidden, {{"ffn_up.weight", 2 * neurons}}};
    else
        plan.matrix(MatrixRole::GateUp) = {hidden,
                                           {{"ffn_gate.weight", neurons}, {"ffn_up.weight", neurons}}};
    plan.matrix(MatrixRole::Down) = {neurons, {{"ffn_down.weight", hidden}}};
    plan.vector(VectorRole::GateUpBias) =
        if_any({{"ffn_gate.bias", neurons, family.ffn_bias}, {"ffn_up.bias", neurons, family.ffn_bias}});
    plan.vector(VectorRole::DownBias) = if_any({{"ffn_down.bias", hidden, family.ffn_bias}});
    if (family.post_norms) norm(VectorRole::PostFfnNorm, "post_ffw_norm.weight", hidden);
    return plan;
}

std::string check_tensors(const formats::ModelFile& file, ModelConfig& config) {
    TensorChecker checker(file, config);
    checker.check_model_tensors();
    for (std::uint32_t layer = 0; layer < config.layers; ++layer) checker.check_layer(layer);
    checker.find_unknown();
    return checker.report();
}

} // namespace permafrost::model
