// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/integration_kit.h"

#include "core/base/atomic_file.h"
#include "core/base/embedded_files.h"
#include "core/base/system_error.h"
#include "core/masks/mask_sidecar.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace permafrost::exports {
namespace {

namespace fs = std::filesystem;

/// What the code of a kit reads masks with.
enum class Reader : std::uint8_t { None, Python, Rust };

struct Kit {
    std::string_view name;
    Reader reader;
};
constexpr std::array kits{Kit{"transformers", Reader::Python}, Kit{"vllm", Reader::Python},
                          Kit{"llama.cpp", Reader::None},      Kit{"tgi", Reader::Python},
                          Kit{"aether", Reader::Rust},         Kit{"gnosis-uring", Reader::Rust}};

void replace_all(std::string& text, std::string_view what, const std::string& with) {
    for (auto place = text.find(what); place != text.npos; place = text.find(what, place + with.size()))
        text.replace(place, what.size(), with);
}

std::string filled_in(std::string_view text, const std::string& model_path,
                      const masks::SaturationMaps& maps) {
    std::uint64_t neurons = 0, frozen = 0;
    for (const auto& [layer, mask] : maps.layers) {
        neurons += mask.size();
        frozen += mask.count();
    }
    std::string filled(text);
    const auto name = maps.model_name.empty() ? fs::path(model_path).stem().string() : maps.model_name;
    replace_all(filled, "{{MODEL_NAME}}", name);
    replace_all(filled, "{{MODEL_PATH}}", model_path);
    replace_all(filled, "{{LAYERS}}", std::to_string(maps.layers.size()));
    replace_all(filled, "{{NEURONS}}", std::to_string(neurons));
    replace_all(filled, "{{FROZEN}}", std::to_string(frozen));
    return filled;
}

// Where a file of the source tree goes in the kit; empty for one that it does not have.
std::string place_in_kit(std::string_view path, const Kit& kit) {
    const auto under = [&](const std::string& folder) -> std::string_view {
        return path.starts_with(folder) ? path.substr(folder.size()) : std::string_view();
    };
    if (const auto own = under("resources/integrations/" + std::string(kit.name) + "/"); !own.empty())
        return std::string(own);
    if (kit.reader == Reader::Python)
        if (const auto rest = under("packaging/python/src/"); !rest.empty()) return std::string(rest);
    if (kit.reader == Reader::Rust)
        if (const auto rest = under("packaging/rust/"); !rest.empty())
            return "distributed_inference/" + std::string(rest);
    return {};
}

} // namespace

std::vector<std::string> kit_names() {
    std::vector<std::string> names;
    for (const auto& kit : kits) names.emplace_back(kit.name);
    return names;
}

std::string boundary_hints_json(const masks::SaturationMaps& maps) {
    using nlohmann::ordered_json;
    auto boundaries = ordered_json::array();
    for (const auto& [layer, mask] : maps.layers) {
        std::vector<std::uint32_t> frozen;
        for (std::size_t i = 0; i < mask.size(); ++i)
            if (mask.test(i)) frozen.push_back(static_cast<std::uint32_t>(i));
        ordered_json hint{{"layer_id", layer}, {"num_neurons", mask.size()}, {"frozen_indices", frozen}};
        const auto kept = mask.size() - frozen.size();
        hint["estimated_speedup"] =
            mask.size() == 0 ? ordered_json(1.0)
            : kept == 0      ? ordered_json()
                             : ordered_json(static_cast<double>(mask.size()) / static_cast<double>(kept));
        boundaries.push_back(std::move(hint));
    }
    return ordered_json{{"model_name", maps.model_name}, {"boundaries", std::move(boundaries)}}.dump(
               -1, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
}

Result<std::vector<fs::path>> write_kit(const std::string& name, const std::string& model_path,
                                        const masks::SaturationMaps& maps, const fs::path& folder) {
    const auto* kit =
        std::find_if(kits.begin(), kits.end(), [&](const Kit& known) { return known.name == name; });
    if (kit == kits.end()) {
        std::string known;
        for (const auto& each : kits) known += (known.empty() ? "" : ", ") + std::string(each.name);
        return Error{"there is no kit \"" + name + "\"; choose " + known};
    }
    std::error_code problem;
    if (fs::exists(folder, problem) && !(fs::is_directory(folder, problem) && fs::is_empty(folder, problem)))
        return Error{folder.string() + " has something in it already; choose a new folder"};
    std::vector<fs::path> written;
    const auto write = [&](const std::string& place, const std::string& text) -> Result<void> {
        const auto target = folder / place;
        fs::create_directories(target.parent_path(), problem);
        if (problem) return system_error("cannot make the folder", target.parent_path(), problem.value());
        PERMAFROST_CHECK(write_file(target, text));
        written.push_back(target);
        return {};
    };
    for (const auto& file : embedded::kit_texts()) {
        const auto place = place_in_kit(file.path, *kit);
        if (!place.empty()) PERMAFROST_CHECK(write(place, filled_in(file.text, model_path, maps)));
    }
    PERMAFROST_CHECK(write("masks" + std::string(masks::sidecar_ending), masks::sidecar_text(maps)));
    if (kit->reader == Reader::Rust)
        PERMAFROST_CHECK(write("boundary-hints.json", boundary_hints_json(maps)));
    return written;
}

} // namespace permafrost::exports
