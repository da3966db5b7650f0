// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/output_target.h"
#include "core/base/system_error.h"
#include "core/exports/exports.h"
#include "core/formats/knot.h"
#include "core/masks/saturation_maps.h"

#include <system_error>
#include <unistd.h>

namespace permafrost::exports {
namespace {

namespace fs = std::filesystem;

/// A finished file under a temporary name beside its target; removed unless moved into place.
class StagedFile {
  public:
    explicit StagedFile(const fs::path& target) : target_(target), staged_(target) {
        std::string name(1, '.');
        name += target.filename().string() + "." + std::to_string(getpid()) + ".new";
        staged_.replace_filename(name);
    }
    ~StagedFile() {
        std::error_code ignored;
        fs::remove(staged_, ignored);
    }
    StagedFile(const StagedFile&) = delete;
    StagedFile& operator=(const StagedFile&) = delete;

    const fs::path& path() const { return staged_; }
    Result<void> move_into_place() {
        std::error_code problem;
        fs::rename(staged_, target_, problem);
        if (problem) return Error{"Cannot write " + target_.string() + ": " + problem.message() + "."};
        return {};
    }

  private:
    fs::path target_;
    fs::path staged_;
};

Result<void> prepare_folder(const fs::path& folder, const std::vector<fs::path>& targets) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) return system_error("cannot make the folder", folder, problem.value());
    for (const auto& target : targets) PERMAFROST_CHECK(resolve_output(target));
    return {};
}

Result<AtomicFile> stage_text(const fs::path& target, const std::string& text) {
    PERMAFROST_TRY(AtomicFile file, AtomicFile::create(target));
    PERMAFROST_CHECK(file.write(text));
    return file;
}

formats::Metadata rknot_metadata(const profile::Profile& profile, const verdict::Decision& decision) {
    const auto& info = profile.info;
    formats::Metadata metadata;
    metadata.set("general.architecture", formats::make_value(info.architecture));
    metadata.set("general.name", formats::make_value(info.model_name));
    if (!info.corpus_sketch.smallest.empty())
        metadata.set(std::string(masks::corpus_sketch_key),
                     formats::make_value(text::to_string(info.corpus_sketch)));
    if (const auto scores = cliff_scores(profile, decision); !scores.empty())
        metadata.set(std::string(masks::cliff_scores_key),
                     formats::make_value(masks::cliff_scores_text(scores)));
    return metadata;
}

} // namespace

std::vector<fs::path> export_paths(const std::string& model_name, const fs::path& folder) {
    return {folder / "saturation-manifest.json", folder / "saturation-maps.rs",
            folder / "saturation-report.csv", folder / (file_stem(model_name) + ".rknot")};
}

Result<std::vector<fs::path>> export_all(const profile::Profile& profile, const verdict::Decision& decision,
                                         const ExportContext& context, const fs::path& folder) {
    const auto targets = export_paths(profile.info.model_name, folder);
    PERMAFROST_CHECK(prepare_folder(folder, targets));

    // Everything that needs room on the disk happens before the first target is touched.
    PERMAFROST_TRY(auto manifest, stage_text(targets[0], manifest_json(profile, decision, context)));
    PERMAFROST_TRY(auto source, stage_text(targets[1], rust_source(profile, decision, context)));
    PERMAFROST_TRY(auto report, stage_text(targets[2], report_csv(profile, decision)));
    PERMAFROST_TRY(const auto rknot_target, resolve_output(targets[3]));
    StagedFile rknot(rknot_target);
    PERMAFROST_CHECK(formats::write_knot(rknot.path(), rknot_metadata(profile, decision), {},
                                         saturation_maps_json(profile, decision, context)));
    PERMAFROST_CHECK(manifest.commit());
    PERMAFROST_CHECK(source.commit());
    PERMAFROST_CHECK(report.commit());
    PERMAFROST_CHECK(rknot.move_into_place());
    return targets;
}

} // namespace permafrost::exports
