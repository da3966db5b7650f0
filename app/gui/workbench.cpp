// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench.h"

#include "app/gui/mask_command.h"
#include "core/exports/exports.h"
#include "core/profile/profile_file.h"

#include <QDateTime>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

std::filesystem::path path_of(const QString& path) { return std::filesystem::path(path.toStdString()); }

Result<OpenModel> read_model(const QString& location) {
    OpenModel model;
    model.location = location;
    PERMAFROST_TRY(model.file, formats::open_model_file(location.toStdString()));
    PERMAFROST_TRY(model.config, model::read_model_config(*model.file));
    for (const auto& tensor : model.file->tensors()) model.file_bytes += tensor.bytes.size();
    return model;
}

/// What views show of a model that was not run yet: its layers, none of them reached.
ProfilePtr unreached(const model::ModelConfig& config) {
    auto profile = std::make_shared<profile::Profile>();
    profile->info.model_name = config.name;
    profile->info.architecture = config.architecture;
    profile->info.layers = config.layers;
    profile->info.hidden = config.hidden;
    profile->info.intermediate = config.intermediate;
    profile->layers.resize(config.layers);
    return profile;
}

std::string now_for_the_manifest() {
    return QDateTime::currentDateTimeUtc().toString(u"yyyy-MM-ddTHH:mm:ss.zzz"_s).toStdString() + "000Z";
}

} // namespace

Workbench::Workbench(QObject* parent) : QObject(parent) {}
Workbench::~Workbench() = default;

void Workbench::open(const QString& location) {
    if (location.endsWith(u".frost"_s, Qt::CaseInsensitive))
        open_profile(location);
    else
        open_model(location);
}

void Workbench::open_model(const QString& location) {
    ++opening_;
    const int turn = ++latest_open_;
    Q_EMIT state_changed();
    background_.run(
        this, [location] { return read_model(location); },
        [this, location, turn](Result<OpenModel> model) {
            --opening_;
            if (turn == latest_open_ && model.ok()) {
                drop_job();
                model_ = std::move(model).value();
                session_.set_profile(unreached(model_->config));
                profile_path_.clear();
                Q_EMIT model_opened();
                Q_EMIT opened(location);
            } else if (!model.ok()) {
                Q_EMIT failed(QString::fromStdString(model.message()));
            }
            Q_EMIT state_changed();
        });
}

void Workbench::open_profile(const QString& path) {
    ++opening_;
    const int turn = ++latest_open_;
    Q_EMIT state_changed();
    background_.run(
        this, [path] { return profile::read_profile(path_of(path)); },
        [this, path, turn](Result<ProfilePtr> profile) {
            --opening_;
            if (turn == latest_open_ && profile.ok()) {
                drop_job();
                profile_path_ = path;
                session_.set_profile(profile.value());
                Q_EMIT profile_opened();
                Q_EMIT opened(path);
            } else if (!profile.ok()) {
                Q_EMIT failed(QString::fromStdString(profile.message()));
            }
            Q_EMIT state_changed();
        });
}

void Workbench::start(const RunRequest& request) {
    if (job_ || !model_) return;
    profile_path_.clear();
    session_.set_profile(unreached(model_->config));
    job_ = std::make_unique<ProfileJob>(*model_, request);
    connect(job_.get(), &ProfileJob::snapshot_taken, &session_, &Session::set_profile);
    connect(job_.get(), &ProfileJob::progressed, this, &Workbench::run_progressed);
    connect(job_.get(), &ProfileJob::finished, this, &Workbench::finish_run);
    Q_EMIT state_changed();
}

void Workbench::pause(bool on) {
    if (!job_ || job_->is_paused() == on) return;
    job_->pause(on);
    Q_EMIT state_changed();
}

void Workbench::cancel() {
    if (job_) job_->cancel();
}

void Workbench::set_timing(bool on) {
    if (timing_ == on) return;
    timing_ = on;
    Q_EMIT state_changed();
}

void Workbench::drop_job() {
    if (!job_) return;
    auto* job = job_.release();
    job->disconnect(this);
    job->disconnect(&session_);
    job->setParent(this); // waited for when the workbench goes first
    connect(job, &ProfileJob::finished, job, &QObject::deleteLater);
    job->cancel();
}

void Workbench::finish_run(bool complete, bool cancelled, const QString& message) {
    job_.release()->deleteLater(); // its signal is being delivered; the thread has nothing left to do
    if (complete) autosave();
    Q_EMIT state_changed();
    Q_EMIT run_finished(complete, cancelled, message);
}

void Workbench::autosave() {
    if (!place_.is_own()) return;
    background_.run(
        this,
        [profile = session_.profile(), path = place_.run_path()] {
            return profile::write_profile(*profile, path_of(path));
        },
        [this](Result<std::string> written) {
            if (!written.ok())
                Q_EMIT failed(
                    tr("The run could not be kept: %1").arg(QString::fromStdString(written.message())));
        });
}

void Workbench::save_profile(const QString& path) {
    const auto profile = session_.profile();
    if (!profile) return;
    background_.run(
        this, [profile, path] { return profile::write_profile(*profile, path_of(path)); },
        [this, profile, path](Result<std::string> written) {
            if (!written.ok()) {
                Q_EMIT failed(QString::fromStdString(written.message()));
                return;
            }
            if (session_.profile() == profile) profile_path_ = path;
            Q_EMIT profile_saved(path);
            Q_EMIT state_changed();
        });
}

void Workbench::export_masks(const QString& folder, const verdict::QualityGate& gate) {
    const auto profile = session_.profile();
    const auto decision = session_.settle();
    if (!profile || !decision) return;
    const auto path = profile_path_;
    const auto command = mask_command(session_.rule(), path.isEmpty() ? place_.run_path() : path, folder);
    background_.run(
        this,
        [profile, decision, folder, path, gate] {
            exports::ExportContext context;
            context.gate = gate;
            context.profiling_date =
                path.isEmpty() ? now_for_the_manifest() : exports::modification_date(path_of(path));
            return exports::export_all(*profile, *decision, context, path_of(folder));
        },
        [this, folder, command](Result<std::vector<std::filesystem::path>> written) {
            ExportReport report;
            report.folder = folder;
            report.command = command;
            report.problem = QString::fromStdString(written.ok() ? "" : written.message());
            if (written.ok())
                for (const auto& file : written.value())
                    report.files.append(QString::fromStdString(file.string()));
            Q_EMIT export_finished(report);
        });
}

} // namespace permafrost::gui
