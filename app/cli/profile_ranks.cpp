// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_ranks.h"

#include "core/profile/merge.h"
#include "core/profile/profile_file.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace permafrost::cli {
namespace {

/// What is summed up besides the profile.
struct Facts {
    std::uint64_t tokens = 0;
    std::uint64_t threads = 0;
    double seconds = 0;
    double operations = 0;
    profile::MemoryAccount memory;
};
static_assert(std::is_trivially_copyable_v<Facts>);

void add(Facts& sum, const Facts& other) {
    sum.tokens += other.tokens;
    sum.threads += other.threads;
    sum.seconds = std::max(sum.seconds, other.seconds);
    sum.operations += other.operations;
    if (other.memory.peak_rss > sum.memory.peak_rss) sum.memory = other.memory;
}

std::string text_of(const Facts& facts) { return {reinterpret_cast<const char*>(&facts), sizeof facts}; }

Result<Facts> receive_facts(Ranks& ranks, int from) {
    PERMAFROST_TRY(const auto text, ranks.receive(from));
    Facts facts;
    if (text.size() != sizeof facts)
        return Error{ranks.name(from) + " runs another version of permafrost-cli; install one on all nodes"};
    std::memcpy(&facts, text.data(), sizeof facts);
    return facts;
}

/// This rank's part and those of its children.
Result<profile::ProfilePtr> gather(Ranks& ranks, const profile::ProfilePtr& mine, Facts& facts) {
    profile::Merger merger;
    auto state = merger.add(*mine, ranks.name(ranks.rank()));
    for (const int child : ranks.children()) {
        // Everything that comes is received, whatever went wrong, since the sender waits for that.
        auto their_facts = receive_facts(ranks, child);
        auto bytes = ranks.receive(child);
        if (!state.ok()) continue;
        state = [&]() -> Result<void> {
            PERMAFROST_TRY(const auto received, std::move(their_facts));
            PERMAFROST_TRY(auto content, std::move(bytes));
            PERMAFROST_TRY(const auto part,
                           profile::read_profile_bytes(std::move(content), ranks.name(child)));
            add(facts, received);
            return merger.add(*part, ranks.name(child));
        }();
    }
    PERMAFROST_CHECK(state);
    return std::move(merger).finish();
}

/// The N of "NAME.2-of-4.resume"; 1 for "NAME.resume", 0 for any other file.
int ranks_of_checkpoint(const std::string& file, const std::string& name) {
    if (file == name + ".resume") return 1;
    int rank = 0, size = 0, length = 0;
    if (!file.starts_with(name + '.')) return 0;
    const auto* const rest = file.c_str() + name.size();
    if (std::sscanf(rest, ".%9d-of-%9d.resume%n", &rank, &size, &length) != 2) return 0;
    return rest[length] == '\0' && length > 0 ? size : 0;
}

} // namespace

std::filesystem::path checkpoint_of(const std::filesystem::path& output) {
    const auto& ranks = Ranks::here();
    const auto share = ranks.alone()
                           ? std::string()
                           : "." + std::to_string(ranks.rank() + 1) + "-of-" + std::to_string(ranks.size());
    return output.string() + share + ".resume";
}

Result<void> check_resumable(const std::filesystem::path& output) {
    const int size = Ranks::here().size();
    const auto folder = output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
        const int others = ranks_of_checkpoint(entry.path().filename().string(), output.filename().string());
        if (others == 0 || others == size) continue;
        const auto path = output.has_parent_path() ? entry.path() : entry.path().filename();
        return Error{path.string() + " is of a run " +
                     (others == 1 ? std::string("without mpirun: resume it so")
                                  : "on " + std::to_string(others) + " ranks: resume it with mpirun -n " +
                                        std::to_string(others)) +
                     ", or delete it"};
    }
    return {};
}

Result<profile::RunResult> unite(Result<profile::RunResult> mine, const std::filesystem::path& checkpoint,
                                 const Ranks::Waiting& waiting) {
    auto& ranks = Ranks::here();
    // A rank that is lost from now on costs the others nothing of what they have done.
    if (mine.ok() && !checkpoint.empty())
        if (const auto kept = profile::write_profile(*mine->profile, checkpoint); !kept.ok())
            mine = kept.failure();
    PERMAFROST_CHECK(ranks.agree(mine.ok() ? Result<void>() : Result<void>(mine.failure()), waiting));

    auto& result = mine.value();
    Facts facts{result.tokens, result.threads, result.seconds, result.floating_point_operations,
                result.memory};
    auto whole = gather(ranks, result.profile, facts);
    if (!ranks.speaks()) {
        ranks.send(ranks.parent(), text_of(facts));
        ranks.send(ranks.parent(), whole.ok() ? profile::profile_bytes(*whole.value())
                                              : Result<std::string>(whole.failure()));
    }
    PERMAFROST_TRY(result.profile, std::move(whole));
    result.tokens = facts.tokens;
    result.threads = static_cast<std::size_t>(facts.threads);
    result.seconds = facts.seconds;
    result.floating_point_operations = facts.operations;
    result.memory = facts.memory;
    return mine;
}

} // namespace permafrost::cli
