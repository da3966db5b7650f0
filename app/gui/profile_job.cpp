// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/profile_job.h"

#include "core/text/corpus_source.h"

namespace permafrost::gui {
namespace {

constexpr int collect_milliseconds = 66; // 15 Hz

std::filesystem::path path_of(const QString& path) { return std::filesystem::path(path.toStdString()); }

text::CorpusSource source_of(const RunRequest& request) {
    text::CorpusSource source;
    source.most_prompts = request.most_prompts;
    if (request.source == RunRequest::Source::Text) source.text = path_of(request.path);
    if (request.source == RunRequest::Source::Prompts) source.prompts = path_of(request.path);
    return source;
}

} // namespace

ProfileJob::ProfileJob(OpenModel model, RunRequest request, QObject* parent)
    : QObject(parent), model_(std::move(model)), request_(std::move(request)) {
    connect(&collect_, &QTimer::timeout, this, &ProfileJob::collect);
    collect_.start(collect_milliseconds);
    thread_ = std::jthread([this](const std::stop_token& stop) {
        auto result = profile(stop);
        const std::lock_guard lock(mailbox_.mutex);
        mailbox_.result.emplace(std::move(result));
    });
}

ProfileJob::~ProfileJob() = default;

void ProfileJob::pause(bool on) { paused_ = on; }

void ProfileJob::cancel() {
    paused_ = false;
    thread_.request_stop();
}

profile::RunObserver ProfileJob::observer() {
    profile::RunObserver observer;
    observer.progress = [this](const profile::RunProgress& progress) {
        const std::lock_guard lock(mailbox_.mutex);
        mailbox_.progress = progress;
    };
    observer.snapshot = [this](profile::ProfilePtr snapshot) {
        const std::lock_guard lock(mailbox_.mutex);
        mailbox_.snapshot.swap(snapshot);
    };
    observer.paused = [this] { return paused_.load(); };
    return observer;
}

Result<profile::RunResult> ProfileJob::profile(const std::stop_token& stop) {
    PERMAFROST_TRY(const auto tokenizer, model::read_tokenizer(*model_.file));
    PERMAFROST_TRY(const auto named,
                   text::read_corpus(source_of(request_), *tokenizer, request_.context, stop));
    profile::RunSettings settings;
    settings.context = request_.context;
    settings.threads = request_.threads;
    settings.background = true;
    settings.prompts = named.prompts;
    settings.corpus_source = named.source;
    return profile::run_profile(model_.file, named.corpus, settings, observer(), stop);
}

void ProfileJob::collect() {
    std::optional<profile::RunProgress> progress;
    profile::ProfilePtr snapshot;
    std::optional<Result<profile::RunResult>> result;
    {
        const std::lock_guard lock(mailbox_.mutex);
        progress.swap(mailbox_.progress);
        snapshot.swap(mailbox_.snapshot);
        result.swap(mailbox_.result);
    }
    if (result && result->ok()) snapshot = result->value().profile;
    if (snapshot) Q_EMIT snapshot_taken(snapshot);
    if (progress) Q_EMIT progressed(*progress);
    if (!result) return;
    collect_.stop();
    Q_EMIT finished(result->ok(), result->cancelled(),
                    QString::fromStdString(result->ok() ? "" : result->message()));
}

} // namespace permafrost::gui
