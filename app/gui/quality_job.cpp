// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/quality_job.h"

#include "app/gui/quality_store.h"
#include "app/gui/workbench.h"
#include "core/model/read_tokenizer.h"
#include "core/quality/loss_estimate.h"
#include "core/quality/masked_model.h"
#include "core/quality/tasks.h"

#include <chrono>

namespace permafrost::gui {
namespace {

constexpr int delay_milliseconds = 400;
constexpr int collect_milliseconds = 66; // 15 Hz
constexpr std::size_t settings_a_pass = 4;

widgets::QualityPoint point_of(const quality::SweptSetting& swept, std::uint64_t tokens) {
    widgets::QualityPoint point;
    point.rule = swept.setting.rule;
    point.handling = swept.setting.handling.all;
    point.frozen_share = swept.frozen_share;
    point.estimated_speedup = swept.estimated_speedup;
    point.output_loss = swept.output_loss;
    point.result = swept.result;
    point.tokens = tokens;
    point.share = 1;
    return point;
}

} // namespace

struct QualityJob::Task {
    QualityGround ground;
    ProfilePtr profile;
    DecisionPtr decision;                        ///< null for a sweep
    widgets::QualityPoint point;                 ///< without figures
    std::string questions;                       ///< file, "builtin", or empty
    std::vector<quality::SweepSetting> settings; ///< of a sweep
    std::stop_source stop;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

    std::mutex mutex; ///< guards what follows
    std::optional<widgets::QualityPoint> news;
    std::optional<quality::Sweep> kept;
    double done = 0;

    bool answers(const ProfilePtr& other_profile, const DecisionPtr& other,
                 const widgets::QualityRequest& request) const {
        if (!decision || profile != other_profile || point.handling != request.handling ||
            ground.windows != request.windows || questions != request.questions.toStdString() ||
            decision->masks.size() != other->masks.size())
            return false;
        for (std::size_t layer = 0; layer < other->masks.size(); ++layer)
            if (!(decision->masks[layer].frozen == other->masks[layer].frozen)) return false;
        return true;
    }

    Result<void> run() { return decision ? evaluate() : sweep(); }
    Result<void> evaluate();
    Result<void> ask(const quality::MaskedModel& variant);
    Result<void> sweep();
    void tell(const quality::Comparison& comparison, std::uint64_t tokens, double share);
};

void QualityJob::Task::tell(const quality::Comparison& comparison, std::uint64_t tokens, double share) {
    point.result = comparison;
    point.tokens = tokens;
    point.share = share;
    point.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const std::lock_guard lock(mutex);
    news = point;
}

Result<void> QualityJob::Task::evaluate() {
    double share = 0;
    bool measured = false;
    quality::SweepObserver observer;
    observer.progress = [&](double now) { share = now; };
    observer.wave_done = [&](const quality::PairedEvaluation& so_far) {
        measured = true;
        tell(so_far.masked.front(), so_far.dense.tokens, std::min(share, 0.999));
    };
    const quality::SweepSetting setting{point.rule, {point.handling, {}}};
    PERMAFROST_TRY(auto result,
                   quality::evaluate_sweep(ground.file, *profile, *ground.corpus, {setting}, ground.kept,
                                           background_evaluation(), 1, observer, stop.get_token()));
    result.settings.resize(1); // the one that was asked for comes first
    point.known = !measured;
    point.output_loss = result.settings.front().output_loss;
    tell(result.settings.front().result, result.dense.tokens, 1);
    PERMAFROST_TRY(auto all, keep(result));
    {
        const std::lock_guard lock(mutex);
        kept = std::move(all);
    }
    if (questions.empty()) return {};
    PERMAFROST_TRY(const auto variant,
                   quality::masked_model("present mask", quality::masks_of(*decision),
                                         profile->info.intermediate, setting.handling, profile.get()));
    return ask(variant);
}

Result<void> QualityJob::Task::ask(const quality::MaskedModel& variant) {
    PERMAFROST_TRY(const auto tasks, quality::read_tasks(questions));
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*ground.file));
    const auto evaluation = background_evaluation();
    PERMAFROST_TRY(auto answers, quality::evaluate_tasks(ground.file, *tokenizer, tasks, {}, {variant},
                                                         evaluation, {}, stop.get_token()));
    point.answers = std::make_shared<const quality::TaskEvaluation>(std::move(answers));
    const std::lock_guard lock(mutex);
    news = point;
    return {};
}

Result<void> QualityJob::Task::sweep() {
    const auto evaluation = background_evaluation();
    Result<void> written;
    quality::SweepObserver observer;
    observer.progress = [&](double share) {
        const std::lock_guard lock(mutex);
        done = share;
    };
    observer.pass_done = [&](const quality::Sweep& so_far) {
        auto all = keep(so_far);
        if (!all.ok()) {
            written = Error{all.message()};
            stop.request_stop();
            return;
        }
        const std::lock_guard lock(mutex);
        kept = std::move(all).value();
    };
    const auto result = quality::evaluate_sweep(ground.file, *profile, *ground.corpus, settings, ground.kept,
                                                evaluation, settings_a_pass, observer, stop.get_token());
    PERMAFROST_CHECK(written);
    if (!result.ok() && !result.cancelled()) return Error{result.message()};
    if (result.ok()) observer.pass_done(result.value()); // also when all was known
    return written;
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
    connect(view, &widgets::QualityView::stop_requested, this, &QualityJob::stop_sweep);
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
    if (workbench_.is_timing()) return tr("Waits until the benchmark is finished.");
    if (!workbench_.model() || workbench_.model()->file->header_sha256() != profile->info.model_sha256)
        return tr("Open the model %1 to measure what its mask costs.")
            .arg(QString::fromStdString(profile->info.model_name));
    return ground_fits() ? QString::fromStdString(ground_->problem) : QString();
}

bool QualityJob::ground_fits() const {
    return ground_ && workbench_.model() && ground_->file == workbench_.model()->file &&
           ground_->windows == view_->request().windows &&
           ground_->profiled == session_.profile()->info.corpus_sha256;
}

bool QualityJob::has_ground() const { return session_.profile() && ground_fits() && ground_->corpus; }

void QualityJob::wish() {
    auto reason = obstacle();
    view_->set_sweep_possible(reason.isEmpty() && !sweeping_ && has_ground());
    if (reason.isEmpty() && !has_ground() && view_->isVisible()) load();
    if (sweeping_) {
        if (reason.isEmpty()) return;
        stop_sweep(); // a run goes first, or another model was opened
    }
    estimate();
    if (reason.isEmpty() && !view_->request().live)
        reason = tr("Switch live evaluation on to measure the present mask.");
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

void QualityJob::load() {
    if (loading_) return;
    loading_ = true;
    background_.run(
        this,
        [file = workbench_.model()->file, windows = view_->request().windows, profile = session_.profile()] {
            return read_ground(file, windows, profile->info);
        },
        [this](QualityGround ground) {
            loading_ = false;
            ground_ = std::move(ground);
            take_kept(ground_->kept);
            wish();
        });
}

void QualityJob::take_kept(const quality::Sweep& kept) {
    ground_->kept = kept;
    points_.clear();
    for (const auto& swept : kept.settings) points_.push_back(point_of(swept, kept.dense.tokens));
    view_->set_points(points_);
    estimate();
}

void QualityJob::compute() {
    const auto& decision = session_.decision();
    if (!obstacle().isEmpty() || !decision || !view_->request().live) return;
    if (!has_ground()) return load(); // wishes again when it is there
    auto task = std::make_shared<Task>();
    task->ground = *ground_;
    task->profile = session_.profile();
    task->decision = decision;
    task->questions = view_->request().questions.toStdString();
    task->point.rule = session_.rule();
    task->point.handling = view_->request().handling;
    task->point.frozen_share = decision->frozen_share;
    task->point.estimated_speedup = decision->average_speedup;
    start(task);
}

void QualityJob::sweep(const std::vector<quality::SweepSetting>& settings) {
    if (!obstacle().isEmpty() || !has_ground() || settings.empty()) return;
    stop();
    delay_.stop();
    auto task = std::make_shared<Task>();
    task->ground = *ground_;
    task->profile = session_.profile();
    task->settings = settings;
    sweeping_ = true;
    view_->set_sweep_possible(false);
    view_->show_sweep(0, settings.size());
    Q_EMIT measured({});
    start(task);
    Q_EMIT sweep_began();
}

void QualityJob::stop_sweep() {
    if (!sweeping_) return;
    sweeping_ = false;
    stop();
    Q_EMIT swept({});
    wish();
}

void QualityJob::start(const std::shared_ptr<Task>& task) {
    task_ = task;
    ++evaluating_;
    collect_.start();
    background_.run(
        this, [task] { return task->run(); },
        [this, task](const Result<void>& result) {
            if (--evaluating_ == 0) Q_EMIT became_idle();
            if (task != task_) return;
            collect();
            finish(task,
                   result.ok() || result.cancelled() ? QString() : QString::fromStdString(result.message()));
        });
}

void QualityJob::collect() {
    std::optional<widgets::QualityPoint> news;
    std::optional<quality::Sweep> kept;
    double done = 0;
    {
        const std::lock_guard lock(task_->mutex);
        news.swap(task_->news);
        kept.swap(task_->kept);
        done = task_->done;
    }
    if (kept && has_ground()) take_kept(*kept);
    if (sweeping_) view_->show_sweep(done, task_->settings.size());
    if (!news) return;
    if (news->share == 1 && !news->known) seconds_a_setting_ = news->seconds;
    view_->show_point(*news);
    Q_EMIT measured(news);
}

void QualityJob::finish(const std::shared_ptr<Task>& task, const QString& problem) {
    collect_.stop();
    if (!task->decision) {
        sweeping_ = false;
        task_.reset();
        Q_EMIT swept(problem);
        wish();
        return;
    }
    if (problem.isEmpty()) return;
    view_->show_reason(problem);
    Q_EMIT measured({});
}

// A drag asks more often than this can answer: the newest mask is taken up afterwards.
void QualityJob::estimate() {
    estimate_again_ = estimating_;
    if (estimating_) return;
    if (!session_.decision() || !has_ground() || points_.empty()) return view_->show_estimate({});
    estimating_ = true;
    std::vector<quality::LossPoint> known;
    for (const auto& point : points_)
        known.push_back({point.output_loss, point.result.kl_mean, quality::loss_kind(point.rule)});
    background_.run(
        this,
        [profile = session_.profile(), decision = session_.decision(), handling = view_->request().handling,
         known] {
            return quality::estimate_loss(known, quality::output_loss(*profile, *decision, {handling, {}}),
                                          quality::loss_kind(decision->rule));
        },
        [this, decision = session_.decision()](const quality::LossEstimate& estimate) {
            estimating_ = false;
            if (decision == session_.decision())
                view_->show_estimate({estimate, decision->frozen_share, decision->average_speedup});
            if (estimate_again_) this->estimate();
        });
}

} // namespace permafrost::gui
