// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/quality_job.h"

#include "app/gui/workbench.h"
#include "core/base/embedded_files.h"
#include "core/base/number_text.h"
#include "core/model/read_tokenizer.h"
#include "core/quality/masked_model.h"
#include "core/quality/paired_evaluation.h"

#include <chrono>

namespace permafrost::gui {
namespace {

constexpr int delay_milliseconds = 400;
constexpr int collect_milliseconds = 66; // 15 Hz
constexpr std::uint32_t context = 512;
constexpr std::uint32_t wave_tokens = 4 * context; // the first figures come after so many tokens

} // namespace

struct QualityJob::Task {
    formats::ModelFilePtr file;
    std::vector<std::uint32_t> widths;
    ProfilePtr profile;
    DecisionPtr decision;
    std::shared_ptr<const text::Corpus> corpus; ///< null: still to be read
    widgets::QualityPoint point;                ///< without figures
    std::size_t windows = 0;                    ///< 0: all
    std::stop_source stop;

    std::mutex mutex; ///< guards what follows
    std::optional<widgets::QualityPoint> news;

    bool answers(const ProfilePtr& other_profile, const DecisionPtr& other,
                 const widgets::QualityRequest& request) const {
        if (profile != other_profile || point.handling != request.handling || windows != request.windows ||
            decision->masks.size() != other->masks.size())
            return false;
        for (std::size_t layer = 0; layer < other->masks.size(); ++layer)
            if (!(decision->masks[layer].frozen == other->masks[layer].frozen)) return false;
        return true;
    }

    Result<quality::PairedEvaluation> evaluate();
    void tell(const quality::PairedEvaluation& evaluation, double share);
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

void QualityJob::Task::tell(const quality::PairedEvaluation& evaluation, double share) {
    auto latest = point;
    latest.result = evaluation.masked.front();
    latest.tokens = evaluation.dense.tokens;
    latest.share = share;
    latest.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const std::lock_guard lock(mutex);
    news = latest;
}

Result<quality::PairedEvaluation> QualityJob::Task::evaluate() {
    if (!corpus) {
        PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*file));
        PERMAFROST_TRY(auto read, text::cut_text(*tokenizer, embedded::heldout_text(), context));
        corpus = std::make_shared<const text::Corpus>(std::move(read));
    }
    auto part = *corpus;
    if (windows != 0 && part.sequences.size() > windows) part.sequences.resize(windows);
    if (const double seen = text::shared_share(profile->info.corpus_sketch, part); seen > 0.01)
        return Error{fixed_text(100 * seen, 1) + " % of the held-out text was in the text that was profiled, "
                                                 "so quality would look better than it is. "
                                                 "Profile another text to measure it."};
    PERMAFROST_TRY(const auto variant, quality::masked_model("present mask", quality::masks_of(*decision),
                                                             widths, {point.handling, {}}, profile.get()));
    quality::EvaluationSettings settings;
    settings.context = context;
    settings.wave_tokens = wave_tokens;
    settings.background = true;
    double share = 0;
    quality::EvaluationObserver observer;
    observer.progress = [&](double done) { share = done; };
    observer.wave_done = [&](const quality::PairedEvaluation& so_far) {
        tell(so_far, std::min(share, 0.999));
    };
    return quality::evaluate_paired(file, part, {variant}, settings, observer, stop.get_token());
}

QualityJob::QualityJob(Workbench& workbench, widgets::QualityView* view, QObject* parent)
    : QObject(parent), workbench_(workbench), session_(workbench.session()), view_(view) {
    delay_.setSingleShot(true);
    delay_.setInterval(delay_milliseconds);
    collect_.setInterval(collect_milliseconds);
    connect(&delay_, &QTimer::timeout, this, &QualityJob::compute);
    connect(&collect_, &QTimer::timeout, this, &QualityJob::collect);
    connect(&session_, &Session::decision_changed, this, &QualityJob::wish);
    connect(&workbench, &Workbench::state_changed, this, &QualityJob::wish);
    connect(view, &widgets::QualityView::requested, this, &QualityJob::wish);
    connect(view, &widgets::QualityView::became_visible, this, &QualityJob::wish);
    connect(view, &widgets::QualityView::chosen, this, [this](const widgets::QualityPoint& point) {
        session_.begin_gesture();
        session_.edit_rule(point.rule, tr("Evaluated setting"));
    });
}

QualityJob::~QualityJob() { stop(); }

void QualityJob::stop() {
    if (task_) task_->stop.request_stop();
    task_.reset();
    collect_.stop();
}

QString QualityJob::obstacle() const {
    const auto& profile = session_.profile();
    if (!widgets::has_statistics(profile)) return tr("Profile a model, then switch live evaluation on.");
    if (workbench_.is_running()) return tr("Waits until the run is finished.");
    if (!workbench_.model() || workbench_.model()->file->header_sha256() != profile->info.model_sha256)
        return tr("Open the model %1 to measure what its mask costs.")
            .arg(QString::fromStdString(profile->info.model_name));
    if (!view_->request().live) return tr("Switch live evaluation on to measure the present mask.");
    return {};
}

void QualityJob::wish() {
    const auto reason = obstacle();
    if (!reason.isEmpty() || !session_.decision()) {
        stop();
        delay_.stop();
        view_->show_reason(reason);
        Q_EMIT measured({});
        return;
    }
    if (task_ && task_->answers(session_.profile(), session_.decision(), view_->request())) return;
    stop();
    view_->show_point({});
    Q_EMIT measured({});
    if (view_->isVisible()) delay_.start();
}

void QualityJob::compute() {
    const auto& decision = session_.decision();
    if (!obstacle().isEmpty() || !decision) return;
    const auto& model = *workbench_.model();
    if (points_model_ != model.file->header_sha256()) {
        points_model_ = model.file->header_sha256();
        points_.clear();
        corpus_.reset();
        view_->set_points({});
    }
    auto task = std::make_shared<Task>();
    task->file = model.file;
    task->widths = model.config.intermediate;
    task->profile = session_.profile();
    task->decision = decision;
    task->corpus = corpus_;
    task->windows = view_->request().windows;
    task->point.rule = session_.rule();
    task->point.handling = view_->request().handling;
    task->point.frozen_share = decision->frozen_share;
    task->point.estimated_speedup = decision->average_speedup;
    task_ = task;
    collect_.start();
    background_.run(
        this,
        [task] {
            auto result = task->evaluate();
            if (result.ok()) task->tell(result.value(), 1);
            return result;
        },
        [this, task](const Result<quality::PairedEvaluation>& result) {
            if (task != task_) return;
            collect();
            corpus_ = task->corpus;
            finish(result.ok() || result.cancelled() ? QString() : QString::fromStdString(result.message()));
        });
}

void QualityJob::collect() {
    std::optional<widgets::QualityPoint> news;
    {
        const std::lock_guard lock(task_->mutex);
        news.swap(task_->news);
    }
    if (!news) return;
    latest_ = *news;
    view_->show_point(latest_);
    Q_EMIT measured(news);
}

void QualityJob::finish(const QString& problem) {
    collect_.stop();
    if (!problem.isEmpty()) {
        view_->show_reason(problem);
        Q_EMIT measured({});
        return;
    }
    points_.push_back(latest_);
    view_->set_points(points_);
}

} // namespace permafrost::gui
