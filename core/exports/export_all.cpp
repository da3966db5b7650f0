// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/exports/exports.h"
#include "core/formats/knot.h"

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
    if (problem) return Error{"Cannot make the folder " + folder.string() + ": " + problem.message() + "."};
    for (const auto& target : targets)
        if (fs::is_directory(target, problem))
            return Error{"Cannot write " + target.string() + ": there is a folder of that name."};
    return {};
}

Result<AtomicFile> stage_text(const fs::path& target, const std::string& text) {
    PERMAFROST_TRY(AtomicFile file, AtomicFile::create(target));
    PERMAFROST_CHECK(file.write(text));
    return file;
}

formats::Metadata rknot_metadata(const profile::ProfileInfo& info) {
    formats::Metadata metadata;
    metadata.set("general.architecture", formats::make_value(info.architecture));
    metadata.set("general.name", formats::make_value(info.model_name));
    return metadata;
}

} // namespace

Result<std::vector<fs::path>> export_all(const profile::Profile& profile, const verdict::Decision& decision,
                                         const ExportContext& context, const fs::path& folder) {
    const std::vector<fs::path> targets{folder / "saturation-manifest.json", folder / "saturation-maps.rs",
                                        folder / "saturation-report.csv",
                                        folder / (file_stem(profile.info.model_name) + ".rknot")};
    PERMAFROST_CHECK(prepare_folder(folder, targets));

    // Everything that needs room on the disk happens before the first target is touched.
    PERMAFROST_TRY(auto manifest, stage_text(targets[0], manifest_json(profile, decision, context)));
    PERMAFROST_TRY(auto source, stage_text(targets[1], rust_source(profile, decision, context)));
    PERMAFROST_TRY(auto report, stage_text(targets[2], report_csv(profile, decision)));
    StagedFile rknot(targets[3]);
    PERMAFROST_CHECK(formats::write_knot(rknot.path(), rknot_metadata(profile.info), {},
                                         saturation_maps_json(profile, decision, context)));
    PERMAFROST_CHECK(manifest.commit());
    PERMAFROST_CHECK(source.commit());
    PERMAFROST_CHECK(report.commit());
    PERMAFROST_CHECK(rknot.move_into_place());
    return targets;
}

} // namespace permafrost::exports
