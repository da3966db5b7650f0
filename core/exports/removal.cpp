// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/removal.h"

#include "core/base/number_text.h"
#include "core/base/output_target.h"
#include "core/exports/smaller_tensors.h"
#include "core/formats/gguf.h"
#include "core/quality/paired_evaluation.h"

#include <cmath>
#include <unistd.h>

namespace permafrost::exports {
namespace {

namespace fs = std::filesystem;

Result<void> check_target(const formats::ModelFile& model, const fs::path& target) {
    std::error_code missing;
    if (same_file(model.location(), target))
        return Error{target.string() + " is the model itself; choose another name"};
    if (model.format() == formats::FileFormat::Safetensors) {
        if (target.extension() == ".gguf" || target.extension() == ".safetensors")
            return Error{
                target.string() +
                ": a smaller model of safetensors is a folder with config.json and tokenizer; name a "
                "folder, or convert the model to GGUF first"};
        if (fs::exists(target, missing))
            return Error{target.string() + " is there already; choose a new folder"};
        return {};
    }
    if (target.extension() != ".gguf" || formats::named_as_gguf_part(target))
        return Error{target.string() + ": the smaller model is one GGUF; choose a name that ends in .gguf"};
    return check_output(target, {});
}

/// A name of this process's own beside the target; what lies there at the end is taken away.
class Scratch {
  public:
    explicit Scratch(const fs::path& target)
        : path_(fs::absolute(target).parent_path() /
                ("." + target.filename().string() + "." + std::to_string(getpid()) + ".unchecked")) {}
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

Result<RemovalCheck> compare(const formats::ModelFilePtr& model, const RemovalPlan& plan,
                             const formats::ModelFilePtr& smaller, const text::Corpus& corpus,
                             const quality::EvaluationSettings& settings, const RemovalObserver& observer,
                             const std::stop_token& stop) {
    // The masked original costs about two passes of the dense one.
    const auto part = [&](double from, double size) {
        return [&observer, from, size](double share) {
            if (observer.evaluating) observer.evaluating(from + size * share);
        };
    };
    PERMAFROST_TRY(const auto original, quality::evaluate_in_passes(model, corpus, {plan.removed}, 1,
                                                                    settings, part(0, 2.0 / 3), stop));
    PERMAFROST_TRY(const auto own, quality::evaluate_in_passes(smaller, corpus, {}, 1, settings,
                                                               part(2.0 / 3, 1.0 / 3), stop));
    return RemovalCheck{own.dense.tokens, original.dense.perplexity,
                        original.masked.front().masked.perplexity, own.dense.perplexity};
}

} // namespace

Result<void> write_smaller_model(const formats::ModelFile& model, const RemovalPlan& plan,
                                 const fs::path& target, const formats::WriteControl& control) {
    return model.format() == formats::FileFormat::Safetensors
               ? write_smaller_folder(model, plan, target, control)
               : write_smaller_gguf(model, plan, target, control);
}

Result<RemovalCheck> remove_neurons(const formats::ModelFilePtr& model, const RemovalPlan& plan,
                                    const fs::path& target, const text::Corpus& corpus,
                                    const quality::EvaluationSettings& settings, double most_difference,
                                    const RemovalObserver& observer, const std::stop_token& stop) {
    PERMAFROST_CHECK(check_target(*model, target));
    const Scratch scratch(target);
    formats::WriteControl control{stop, {}};
    if (observer.writing)
        control.progress = [&](std::uint64_t done, std::uint64_t total) {
            observer.writing(static_cast<double>(done) / static_cast<double>(total));
        };
    PERMAFROST_CHECK(write_smaller_model(*model, plan, scratch.path(), control));
    PERMAFROST_TRY(const auto smaller, formats::open_model_file(scratch.path().string()));
    PERMAFROST_TRY(const auto check, compare(model, plan, smaller, corpus, settings, observer, stop));
    if (!(std::abs(check.ratio() - 1) <= most_difference))
        return Error{"the smaller model's perplexity is " + fixed_text(check.smaller_perplexity, 4) +
                     " where the masked original's is " + fixed_text(check.masked_perplexity, 4) +
                     ", which is more than " + fixed_text(100 * most_difference, 2) +
                     " % apart; nothing was written; choose a more exact type for the down matrices, or "
                     "allow a larger difference"};
    std::error_code failed;
    fs::rename(scratch.path(), target, failed);
    if (failed) return Error{"cannot write " + target.string() + ": " + failed.message()};
    return check;
}

} // namespace permafrost::exports
