// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session_keeper.h"

#include "app/gui/comparison.h"
#include "app/gui/views.h"
#include "app/gui/workbench.h"
#include "widgets/heatmap_view.h"

#include <QFileInfo>
#include <QPlainTextEdit>
#include <QTabWidget>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

constexpr int keep_milliseconds = 10'000;

bool same(const SavedSession& one, const SavedSession& other) {
    return one.profile == other.profile && one.model == other.model && one.rule == other.rule &&
           one.selection == other.selection && one.tab == other.tab && one.metric == other.metric &&
           one.sorted == other.sorted && one.compared == other.compared && one.notes == other.notes;
}

} // namespace

SessionKeeper::SessionKeeper(Workbench& workbench, Views& views, Comparison& comparison,
                             QPlainTextEdit* notes, QObject* parent)
    : QObject(parent), workbench_(workbench), views_(views), comparison_(comparison), notes_(notes) {
    leftover_ = workbench.place().is_own() && QFileInfo::exists(leftover_path());
    timer_.setInterval(keep_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &SessionKeeper::keep);
    timer_.start();
    connect(&workbench, &Workbench::model_opened, this, [this] {
        if (pending_) open_profile_of(*pending_);
    });
    connect(&workbench, &Workbench::profile_opened, this, [this] {
        if (!pending_) return;
        const auto session = *std::exchange(pending_, std::nullopt);
        apply(session);
    });
    connect(&workbench, &Workbench::failed, this, [this] {
        // A session without its model still has its profile.
        if (pending_ && !pending_->model.isEmpty()) {
            pending_->model.clear();
            open_profile_of(*pending_);
        } else {
            pending_.reset();
        }
    });
}

SessionKeeper::~SessionKeeper() = default;

SavedSession SessionKeeper::present() const {
    const auto& session = workbench_.session();
    SavedSession saved;
    saved.profile = workbench_.profile_path();
    if (workbench_.model()) saved.model = workbench_.model()->location;
    saved.rule = session.rule();
    saved.selection = session.selection();
    saved.tab = views_.tabs->currentIndex();
    saved.metric = widgets::identifier_of(views_.heatmap->options().metric);
    saved.sorted = views_.heatmap->options().order == widgets::NeuronOrder::Metric;
    saved.compared = comparison_.paths();
    saved.notes = notes_->toPlainText();
    return saved;
}

void SessionKeeper::save(const QString& path) {
    auto session = present();
    if (!session.profile.isEmpty()) return write(session, path);
    session.profile =
        QFileInfo(path).absolutePath() + u'/' + QFileInfo(path).completeBaseName() + u".frost"_s;
    // Once; a profile that is saved later by hand must not write a session again.
    auto* waiting = new QObject(this);
    connect(&workbench_, &Workbench::profile_saved, waiting,
            [this, waiting, session, path](const QString& saved) {
                if (saved != session.profile) return;
                waiting->deleteLater();
                write(session, path);
            });
    connect(&workbench_, &Workbench::failed, waiting, [waiting] { waiting->deleteLater(); });
    workbench_.save_profile(session.profile);
}

void SessionKeeper::write(SavedSession session, const QString& path) {
    background_.run(
        this,
        [session, path]() mutable {
            session.profile_sha256 = file_sha256(session.profile);
            return write_session(session, path);
        },
        [this, path](const Result<void>& written) {
            if (!written.ok()) return Q_EMIT failed(QString::fromStdString(written.message()));
            path_ = path;
            Q_EMIT saved(path);
        });
}

void SessionKeeper::open(const QString& path) {
    background_.run(
        this,
        [path]() -> Result<std::pair<SavedSession, bool>> {
            PERMAFROST_TRY(auto session, read_session(path));
            const bool other = !session.profile_sha256.isEmpty() && QFileInfo::exists(session.profile) &&
                               file_sha256(session.profile) != session.profile_sha256;
            return std::pair(std::move(session), other);
        },
        [this, path](const Result<std::pair<SavedSession, bool>>& read) {
            if (!read.ok()) return Q_EMIT failed(QString::fromStdString(read.message()));
            const auto& [session, other] = read.value();
            if (other)
                Q_EMIT warned(tr("%1 is not the profile this session was saved with: it was changed since.")
                                  .arg(session.profile));
            path_ = path == leftover_path() ? QString() : path;
            pending_ = session;
            open_model_of(session);
        });
}

void SessionKeeper::open_model_of(const SavedSession& session) {
    const bool there =
        session.model == u"demo" || (!session.model.isEmpty() && QFileInfo::exists(session.model));
    if (!there) return open_profile_of(session);
    workbench_.open(session.model);
}

void SessionKeeper::open_profile_of(const SavedSession& session) {
    if (!session.profile.isEmpty()) return workbench_.open(session.profile);
    const auto only_model = session;
    pending_.reset();
    apply(only_model);
}

void SessionKeeper::apply(const SavedSession& saved) {
    auto& session = workbench_.session();
    session.begin_gesture();
    session.edit_rule(saved.rule, tr("Session"));
    if (const auto& profile = session.profile(); profile && saved.selection.layer < profile->layers.size()) {
        auto selection = saved.selection;
        if (selection.neuron && *selection.neuron >= profile->info.intermediate[selection.layer])
            selection.neuron.reset();
        session.select(selection);
    }
    views_.tabs->setCurrentIndex(saved.tab);
    auto options = views_.heatmap->options();
    if (!saved.metric.isEmpty()) options.metric = widgets::metric_from_identifier(saved.metric);
    options.order = saved.sorted ? widgets::NeuronOrder::Metric : widgets::NeuronOrder::Index;
    views_.heatmap->set_options(options);
    comparison_.clear();
    for (const auto& profile : saved.compared) comparison_.add(profile);
    notes_->setPlainText(saved.notes);
    kept_ = present();
    Q_EMIT opened(path_);
}

void SessionKeeper::keep() {
    if (!workbench_.place().is_own() || leftover_ || pending_ ||
        !widgets::has_statistics(workbench_.session().profile()))
        return;
    auto session = present();
    // A finished run that nobody saved is in the program's own folder.
    if (session.profile.isEmpty() && !workbench_.is_running() &&
        QFileInfo::exists(workbench_.place().run_path()))
        session.profile = workbench_.place().run_path();
    if (session.profile.isEmpty() || same(session, kept_)) return;
    kept_ = session;
    background_.run(
        this, [session, path = leftover_path()] { return write_session(session, path); },
        [](const Result<void>&) {});
}

void SessionKeeper::restore_leftover() {
    leftover_ = false;
    open(leftover_path());
}

void SessionKeeper::discard_leftover() {
    leftover_ = false;
    QFile::remove(leftover_path());
}

void SessionKeeper::close() {
    timer_.stop();
    if (workbench_.place().is_own() && !leftover_) QFile::remove(leftover_path());
}

} // namespace permafrost::gui
