// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_target.h"

#include "core/base/atomic_file.h"
#include "core/base/system_error.h"

#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace permafrost {
namespace {

namespace fs = std::filesystem;

Error refused(const fs::path& path, const std::string& why) {
    return Error{"cannot write " + path.string() + ": " + why};
}

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

// The end of a chain of links that leads to nothing yet.
Result<fs::path> follow_dangling(const fs::path& path) {
    constexpr int longest_chain = 40;
    fs::path end = path;
    std::error_code problem;
    for (int links = 0; links < longest_chain; ++links) {
        if (!fs::is_symlink(fs::symlink_status(end, problem))) return end;
        const auto next = fs::read_symlink(end, problem);
        if (problem) return system_error("cannot write", path, problem.value());
        end = end.parent_path() / next; // an absolute `next` replaces all
    }
    return system_error("cannot write", path, ELOOP);
}

/// The nearest folder above `folder`, or itself, that exists.
fs::path existing_part(fs::path folder) {
    std::error_code missing;
    while (!folder.empty() && !fs::exists(fs::symlink_status(folder, missing)) &&
           folder != folder.parent_path())
        folder = folder.parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

} // namespace

Result<fs::path> resolve_output(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return errno == ELOOP ? Result<fs::path>(system_error("cannot write", path, ELOOP))
                              : follow_dangling(path);
    if (!S_ISREG(status.st_mode))
        return refused(path, std::string("it is ") + kind_of(status.st_mode) + "; name a file");
    std::error_code problem;
    if (!fs::is_symlink(fs::symlink_status(path, problem))) return path;
    const auto real = fs::canonical(path, problem);
    if (problem || !fs::equivalent(real, path, problem))
        return refused(path, "the file it leads to has no name of its own; name another");
    return real;
}

bool same_file(const fs::path& a, const fs::path& b) {
    std::error_code missing;
    if (fs::equivalent(a, b, missing) && !missing) return true;
    const auto plain = [&](const fs::path& path) {
        return fs::weakly_canonical(fs::absolute(path, missing), missing).lexically_normal();
    };
    const auto first = plain(a);
    return !first.empty() && first == plain(b);
}

Result<void> check_output(const fs::path& output, const std::vector<fs::path>& inputs) {
    for (const auto& input : inputs)
        if (same_file(output, input))
            return refused(output, (output == input ? std::string("it is")
                                                    : "it is the same file as " + input.string() + ",") +
                                       " an input of this command; choose another name");
    PERMAFROST_CHECK(AtomicFile::create(output));
    return {};
}

Result<void> check_output_folder(const fs::path& folder, const std::vector<fs::path>& outputs,
                                 const std::vector<fs::path>& inputs) {
    std::error_code problem;
    if (fs::is_directory(folder, problem)) {
        for (const auto& output : outputs) PERMAFROST_CHECK(check_output(output, inputs));
        return {};
    }
    const auto above = existing_part(folder.has_filename() ? folder : folder.parent_path());
    if (!fs::is_directory(above, problem))
        return Error{"cannot make the folder " + folder.string() + ": " + above.string() +
                     (fs::is_symlink(fs::symlink_status(above, problem)) ? " is a link to no folder"
                                                                         : " is not a folder") +
                     "; choose another"};
    auto probe = (above / ".part-XXXXXX").string();
    if (mkdtemp(probe.data()) == nullptr)
        return Error{"cannot make the folder " + folder.string() + ": " + above.string() +
                     " takes no new folders (" + std::generic_category().message(errno) +
                     "); choose another"};
    ::rmdir(probe.c_str());
    return {};
}

} // namespace permafrost
