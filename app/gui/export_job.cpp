// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_job.h"

#include "app/gui/mask_command.h"
#include "app/gui/quality_ground.h"
#include "app/gui/workbench.h"
#include "core/exports/embed_masks.h"
#include "core/exports/exports.h"
#include "core/exports/integration_kit.h"
#include "core/exports/removal.h"
#include "core/quality/masked_model.h"
#include "widgets/numbers.h"

#include <QFileInfo>

namespace permafrost::gui {
namespace {

constexpr std::size_t windows = 8;
constexpr double most_difference = 0.005; // as `prune` allows

/// All that the work needs, so that the window may go on.
struct Work {
    OpenModel model;
    widgets::ProfilePtr profile;
    widgets::DecisionPtr decision;
    ExportRequest request;
    exports::ExportContext context;
    std::stop_token stop;
    std::function<void(bool writing, double share)> progress;

    std::filesystem::path target() const { return request.path.toStdString(); }
    Result<QString> encode() const;
    Result<QString> remove() const;
    Result<QString> write_kit() const;
};

Result<QString> Work::encode() const {
    formats::WriteControl control{stop, {}};
    control.progress = [this](std::uint64_t done, std::uint64_t total) {
        progress(true, static_cast<double>(done) / static_cast<double>(total));
    };
    PERMAFROST_CHECK(exports::embed_masks(*model.file, exports::saturation_maps(*profile, *decision, context),
                                          target(), control));
    return ExportJob::tr("The masks were read back and are the same.");
}

Result<QString> Work::remove() const {
    quality::FrozenHandling handling;
    if (request.keep_means) handling.all = quality::Handling::Mean;
    PERMAFROST_TRY(const auto frozen,
                   quality::masked_model("masks", quality::masks_of(*decision), model.config.intermediate,
                                         handling, profile.get()));
    PERMAFROST_TRY(const auto plan, exports::plan_removal(*model.file, frozen, {}, profile.get()));
    const auto ground = read_ground(model.file, windows, profile->info);
    if (!ground.corpus) return Error{ground.problem};
    PERMAFROST_TRY(const auto check,
                   exports::remove_neurons(model.file, plan, target(), *ground.corpus,
                                           background_evaluation(), most_difference,
                                           {[this](double share) { progress(true, share); },
                                            [this](double share) { progress(false, share); }},
                                           stop));
    return ExportJob::tr("Perplexity %1 on %2 held-out tokens; the masked original has %3, the original %4.")
        .arg(widgets::significant(check.smaller_perplexity, 6), widgets::count(check.tokens),
             widgets::significant(check.masked_perplexity, 6),
             widgets::significant(check.dense_perplexity, 6));
}

Result<QString> Work::write_kit() const {
    PERMAFROST_CHECK(exports::write_kit(request.kit.toStdString(), model.location.toStdString(),
                                        exports::saturation_maps(*profile, *decision, context), target()));
    return ExportJob::tr("README.md there says what to do with it.");
}

} // namespace

ExportJob::ExportJob(Workbench& workbench, QObject* parent) : QObject(parent), workbench_(workbench) {}

ExportJob::~ExportJob() { stop_.request_stop(); }

void ExportJob::start(const ExportRequest& request) {
    const auto& profile = workbench_.session().profile();
    const auto decision = workbench_.session().settle();
    if (running_ || !workbench_.model() || !profile || !decision) return;
    running_ = true;
    stop_ = {};
    exports::ExportContext context;
    const auto path = workbench_.profile_path();
    context.profiling_date =
        path.isEmpty() ? exports::present_date() : exports::modification_date(path.toStdString());
    Work work{*workbench_.model(), profile, decision, request, context, stop_.get_token(), {}};
    work.progress = [this, shown = -1](bool writing, double share) mutable {
        const int percent = static_cast<int>(100 * share);
        if (percent == shown) return;
        shown = percent;
        const auto step = writing ? tr("Writing") : tr("Comparing with the masked original");
        QMetaObject::invokeMethod(this, [this, step, percent] { Q_EMIT progressed(step, percent); });
    };
    ExportReport report;
    const bool folder = request.kind == ExportRequest::Kind::Kit;
    report.folder = folder ? request.path : QFileInfo(request.path).absolutePath();
    report.files = {request.path};
    report.command = export_command(request, workbench_.session().rule(),
                                    path.isEmpty() ? workbench_.place().run_path() : path,
                                    {workbench_.model()->location, profile->info.model_name});
    background_.run(
        this,
        [work = std::move(work)]() -> Result<QString> {
            if (work.request.kind == ExportRequest::Kind::Kit) return work.write_kit();
            return work.request.kind == ExportRequest::Kind::Smaller ? work.remove() : work.encode();
        },
        [this, report](const Result<QString>& remark) { finish(report, remark); });
}

void ExportJob::finish(ExportReport report, const Result<QString>& remark) {
    running_ = false;
    report.cancelled = remark.cancelled();
    if (remark.ok())
        report.remark = remark.value();
    else if (!remark.cancelled())
        report.problem = QString::fromStdString(remark.message());
    Q_EMIT finished(report);
}

} // namespace permafrost::gui
