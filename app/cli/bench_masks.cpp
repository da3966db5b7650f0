// SPDX-License-Identifier: GPL-3.0-or-later
//
// Masks into a blob and back, as the seeds' benchmark script measures it, beside the figures that the seeds name.
#include "app/cli/bench.h"
#include "app/cli/option_checks.h"
#include "core/base/atomic_file.h"
#include "core/base/output_target.h"
#include "core/masks/mask_blob.h"
#include "core/masks/mask_files.h"
#include "core/masks/mask_sidecar.h"
#include "core/profile/sample_profile.h"
#include "core/quality/masked_model.h"
#include "core/verdict/decision.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace permafrost::cli {
namespace {

/// The shape of a model's feed-forward layers, and what the seeds say of its masks.
struct Shape {
    std::string_view name;
    std::uint32_t layers, neurons;
    double blob_kilobytes; ///< "Serialization overhead"
    double seconds;        ///< "Computation time", of 512 samples with the model
};
constexpr std::array shapes{Shape{"phi3", 32, 8192, 48, 15}, Shape{"qwen", 28, 18944, 35, 45},
                            Shape{"gemma", 42, 14336, 42, 60}, Shape{"llama", 80, 28672, 60, 180}};

struct MasksOptions {
    std::vector<std::string> models{"phi3"};
    std::size_t repeats = 50;
    std::string output;
    bool json = false;
};

/// A folder that is gone at the end.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "permafrost-bench-XXXXXX").string();
        if (mkdtemp(name.data())) path_ = name;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

// A thousand decodings of one layer are timed together: one takes less than the clock can tell.
Result<std::vector<Figure>> measure(const Shape& shape, std::size_t repeats) {
    constexpr std::uint32_t at_once = 1000, seeds_layers = 32;
    const ScratchFolder folder;
    if (folder.path().empty()) return Error{"no folder can be made for temporary files; set TMPDIR to one"};
    const auto profile = profile::sample_profile(shape.layers, shape.neurons, 1);
    masks::SaturationMaps maps;
    maps.layers = quality::masks_of(verdict::decide(*profile, {}));
    const auto blob = masks::make_mask_blob(maps.layers);
    PERMAFROST_TRY(const auto view, masks::MaskBlobView::open(blob, "bench"));
    const auto fixture = folder.path() / "fixture.saturation.json";
    PERMAFROST_CHECK(write_file(fixture, masks::sidecar_text(maps)));
    std::size_t seen = 0; // so that no work is left out
    const auto serialise =
        sorted_seconds(repeats, [&] { seen += masks::make_mask_blob(maps.layers).size(); });
    const auto open =
        sorted_seconds(repeats, [&] { seen += masks::MaskBlobView::open(blob, "bench")->layers().size(); });
    const auto one = sorted_seconds(repeats, [&] {
        for (std::uint32_t i = 0; i < at_once; ++i) seen += view.find(i % shape.layers)->bitmask().bytes()[0];
    });
    const auto all = sorted_seconds(repeats, [&] {
        for (std::uint32_t i = 0; i < seeds_layers; ++i)
            seen += view.find(i % shape.layers)->bitmask().bytes()[0];
    });
    const auto load = sorted_seconds(repeats, [&] {
        const auto read = masks::read_saturation_maps(fixture);
        if (read.ok()) seen += read->layers.size();
    });
    const auto whole = sorted_seconds(repeats, [&] {
        const auto layers = quality::masks_of(verdict::decide(*profile, {}));
        seen += masks::layers_of_blob(masks::make_mask_blob(layers), "bench").value().size();
    });
    if (seen == 0) return Error{"nothing was decoded"};
    const auto median = [](const std::vector<double>& seconds) { return 1e6 * quantile(seconds, 0.5); };
    const auto bytes = static_cast<double>(blob.size());
    return std::vector<Figure>{{"bytes", bytes, "bytes"},
                               {"bytes_of_the_seeds", 1000 * shape.blob_kilobytes, "bytes"},
                               {"serialise_us", median(serialise), "us"},
                               {"serialise_gbps", bytes / (1e3 * median(serialise)), "GB/s"},
                               {"open_and_check_us", median(open), "us"},
                               {"decode_layer_us", median(one) / at_once, "us"},
                               {"decode_layer_us_of_the_seeds", 45, "us"},
                               {"decode_32_layers_us", median(all), "us"},
                               {"decode_32_layers_us_of_the_seeds", 1400, "us"},
                               {"load_fixture_us", median(load), "us"},
                               {"profile_to_masks_us", median(whole), "us"},
                               {"text_to_masks_us_of_the_seeds", 1e6 * shape.seconds, "us"}};
}

Result<void> bench_masks(const MasksOptions& options) {
    if (!options.output.empty()) PERMAFROST_CHECK(check_output(options.output, {}));
    std::vector<Figure> figures;
    for (const auto& model : options.models) {
        const auto* shape = std::find_if(shapes.begin(), shapes.end(),
                                         [&](const Shape& known) { return known.name == model; });
        PERMAFROST_TRY(const auto measured, measure(*shape, options.repeats));
        // One model alone has the names that do not say which.
        const auto prefix = options.models.size() == 1 ? std::string("masks.") : "masks." + model + ".";
        for (const auto& figure : measured)
            figures.push_back({prefix + figure.name, figure.value, figure.unit});
    }
    if (!options.output.empty())
        PERMAFROST_CHECK(write_file(options.output, figures_json(figures, 1).dump(2) + "\n"));
    print_figures(options.json, figures, 1);
    return {};
}

} // namespace

void add_bench_masks(CLI::App& bench, Commands& commands) {
    auto options = std::make_shared<MasksOptions>();
    auto* command = bench.add_subcommand("masks", "masks of a model's shape: into a blob, a file and back");
    command->callback(
        [&commands, options] { commands.action = [options] { return bench_masks(*options); }; });
    command->add_option("--models", options->models, "shapes: phi3, qwen, gemma, llama; several may be named")
        ->check(CLI::IsMember({"phi3", "qwen", "gemma", "llama"}))
        ->capture_default_str();
    command->add_option("--repeats", options->repeats, "measured repeats")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "also write the JSON object to this file");
    command->add_flag("--json", options->json, "print one JSON object");
}

} // namespace permafrost::cli
