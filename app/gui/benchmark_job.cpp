// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/benchmark_job.h"

#include "app/gui/quality_job.h"
#include "app/gui/workbench.h"
#include "core/masks/mask_identity.h"
#include "core/quality/masked_model.h"

#include <algorithm>
#include <chrono>
#include <mutex>

namespace permafrost::gui {
namespace {

constexpr int collect_milliseconds = 66; // 15 Hz
constexpr double least_share_for_a_forecast = 0.02;

using Clock = std::chrono::steady_clock;

} // namespace

struct BenchmarkJob::Task {
    BenchmarkPlan plan;
    std::stop_source stop;
    Clock::time_point began; ///< once the machine is free
    bool begun = false;

    std::mutex mutex; ///< guards what follows
    double share = 0;
    widgets::BenchmarkResults found;
    bool news = false;
    std::optional<widgets::BenchmarkResults> kept; ///< all, after the end

    Result<void> run();
};

// What was measured before a stop or a problem is as true as the rest.
Result<void> BenchmarkJob::Task::run() {
    BenchmarkObserver observer;
    observer.progress = [this](double now) {
        const std::lock_guard lock(mutex);
        share = now;
    };
    observer.measured = [this](const std::vector<widgets::BenchmarkRow>& rows, double ffn_share) {
        const std::lock_guard lock(mutex);
        found.ffn_share = ffn_share;
        found.add(rows);
        news = true;
    };
    auto result = gui::measure(plan, observer, stop.get_token());
    if (found.rows.empty()) return result;
    auto all = keep_timings(subject_of(plan.file->header_sha256()), found.ffn_share, found.rows);
    if (!all.ok()) return Error{all.message()};
    const std::lock_guard lock(mutex);
    kept = std::move(all).value();
    return result;
}

BenchmarkJob::BenchmarkJob(Workbench& workbench, QualityJob& quality, widgets::BenchmarkView* view,
                           QObject* parent)
    : QObject(parent), workbench_(workbench), session_(workbench.session()), quality_(quality), view_(view) {
    collect_.setInterval(collect_milliseconds);
    connect(&collect_, &QTimer::timeout, this, &BenchmarkJob::collect);
    connect(&session_, &Session::decision_changed, this, &BenchmarkJob::follow);
    connect(&workbench, &Workbench::state_changed, this, &BenchmarkJob::follow);
    connect(&quality, &QualityJob::swept, this, &BenchmarkJob::follow);
    connect(&quality, &QualityJob::sweep_began, this, &BenchmarkJob::follow);
    connect(&quality, &QualityJob::became_idle, this, &BenchmarkJob::begin);
    connect(view, &widgets::BenchmarkView::requested, this, &BenchmarkJob::measure);
    connect(view, &widgets::BenchmarkView::cancel_requested, this, &BenchmarkJob::cancel);
    follow();
}

BenchmarkJob::~BenchmarkJob() {
    if (task_) task_->stop.request_stop();
}

bool BenchmarkJob::has_model() const { return workbench_.model().has_value(); }

bool BenchmarkJob::has_mask() const {
    return session_.decision() && widgets::has_statistics(session_.profile());
}

bool BenchmarkJob::is_of_the_open_model(const formats::ModelFilePtr& file) const {
    return has_model() && workbench_.model()->file == file;
}

QString BenchmarkJob::obstacle() const {
    const auto& profile = session_.profile();
    const bool profiled = widgets::has_statistics(profile);
    if (!has_model() && !profiled) return tr("Open a model to measure how fast its layers are here.");
    if (!has_model() || (profiled && workbench_.model()->file->header_sha256() != profile->info.model_sha256))
        return tr("Open the model %1 to measure how fast its layers are here.")
            .arg(QString::fromStdString(profile->info.model_name));
    if (workbench_.is_running()) return tr("Waits until the run is finished.");
    if (quality_.is_sweeping()) return tr("Waits until the sweep is finished.");
    return {};
}

void BenchmarkJob::follow() {
    if (task_ && (workbench_.is_running() || !is_of_the_open_model(task_->plan.file))) cancel();
    if (has_model() ? !is_of_the_open_model(file_) : file_ != nullptr) load();
    show_present();
    auto reason = obstacle();
    view_->set_obstacle(reason);
    const State state{std::move(reason), is_measuring(), workbench_.is_opening()};
    if (state == state_) return; // it is asked after every decision of a drag
    state_ = state;
    Q_EMIT state_changed();
}

void BenchmarkJob::load() {
    file_ = has_model() ? workbench_.model()->file : nullptr;
    results_.reset();
    view_->set_results(results_);
    if (!file_) return;
    background_.run(
        this,
        [file = file_] {
            return std::make_shared<const widgets::BenchmarkResults>(
                read_timings(subject_of(file->header_sha256())));
        },
        [this, file = file_](const widgets::BenchmarkResultsPtr& results) {
            if (file != file_ || results_) return; // something was measured meanwhile
            results_ = results;
            view_->set_results(results_);
            show_present();
        });
}

void BenchmarkJob::show_present() {
    widgets::PresentMask present;
    if (has_mask()) {
        present.frozen_share = session_.decision()->frozen_share;
        // Only where there is something to compare it with: it is asked after every decision of a drag.
        if (results_ && std::any_of(results_->rows.begin(), results_->rows.end(),
                                    [](const auto& row) { return row.is_of_a_mask(); }))
            present.identity = masks::mask_identity(quality::masks_of(*session_.decision()));
    }
    view_->set_present(present);
    Q_EMIT measured(results_ && has_mask() ? widgets::measured_speed(*results_, present.identity)
                                           : std::nullopt);
}

void BenchmarkJob::measure(const widgets::BenchmarkRequest& request) {
    if (task_ || !obstacle().isEmpty()) return;
    session_.settle();
    task_ = std::make_shared<Task>();
    task_->plan = {workbench_.model()->file, has_mask() ? session_.decision() : nullptr, request.conditions,
                   request.mask_alone && has_mask(), request.repeats};
    view_->show_progress(0, -1);
    workbench_.set_timing(true); // follow() is called; the evaluation of quality stops for it
    if (!quality_.is_busy()) begin();
}

void BenchmarkJob::begin() {
    if (!task_ || task_->begun) return;
    if (task_->stop.stop_requested()) return finish({});
    task_->begun = true;
    task_->began = Clock::now();
    collect_.start();
    background_.run(
        this, [task = task_] { return task->run(); },
        [this](const Result<void>& result) {
            collect();
            finish(result.ok() || result.cancelled() ? QString() : QString::fromStdString(result.message()));
        });
}

void BenchmarkJob::cancel() {
    if (!task_) return;
    task_->stop.request_stop();
    view_->show_stopping();
    if (!task_->begun) finish({});
}

void BenchmarkJob::collect() {
    double share = 0;
    widgets::BenchmarkResultsPtr found;
    {
        const std::lock_guard lock(task_->mutex);
        share = task_->share;
        if (task_->kept) {
            found = std::make_shared<const widgets::BenchmarkResults>(*std::move(task_->kept));
            task_->kept.reset();
        } else if (task_->news) {
            auto all = results_ ? *results_ : widgets::BenchmarkResults{};
            all.ffn_share = task_->found.ffn_share;
            all.add(task_->found.rows);
            found = std::make_shared<const widgets::BenchmarkResults>(std::move(all));
        }
        task_->news = false;
    }
    if (!task_->stop.stop_requested()) {
        const double took = std::chrono::duration<double>(Clock::now() - task_->began).count();
        view_->show_progress(share, share < least_share_for_a_forecast ? -1 : took * (1 - share) / share);
    }
    if (!found || task_->plan.file != file_) return;
    results_ = found;
    view_->set_results(results_);
    show_present();
}

void BenchmarkJob::finish(const QString& problem) {
    collect_.stop();
    const bool stopped = task_->stop.stop_requested();
    task_.reset();
    view_->show_end(!problem.isEmpty() ? problem
                    : stopped ? tr("The measurement was stopped; figures that were complete are kept.")
                              : QString());
    workbench_.set_timing(false);
    follow();
}

} // namespace permafrost::gui
