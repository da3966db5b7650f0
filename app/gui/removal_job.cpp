// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/removal_job.h"

#include "app/gui/quality_ground.h"
#include "app/gui/workbench.h"
#include "core/quality/masked_model.h"
#include "core/quality/quantisation_scale.h"
#include "widgets/neuron_card.h"
#include "widgets/numbers.h"

namespace permafrost::gui {
namespace {

constexpr std::size_t windows = 8;

} // namespace

RemovalJob::RemovalJob(Workbench& workbench, widgets::NeuronCard* card, QObject* parent)
    : QObject(parent), workbench_(workbench), card_(card) {
    connect(card, &widgets::NeuronCard::removal_requested, this, &RemovalJob::measure);
    connect(&workbench, &Workbench::state_changed, this, &RemovalJob::follow);
    connect(&workbench.session(), &Session::decision_changed, this, &RemovalJob::follow);
    connect(&workbench.session(), &Session::selection_changed, this, [this] {
        ++turn_;
        stop_.request_stop();
    });
}

RemovalJob::~RemovalJob() { stop_.request_stop(); }

void RemovalJob::follow() {
    const auto& profile = workbench_.session().profile();
    if (workbench_.is_timing()) stop_.request_stop();
    card_->set_measurable(widgets::has_statistics(profile) && !workbench_.is_running() &&
                          !workbench_.is_timing() && workbench_.model() &&
                          workbench_.model()->file->header_sha256() == profile->info.model_sha256);
}

void RemovalJob::measure(const Selection& selection) {
    if (!workbench_.model() || !selection.neuron) return;
    stop_.request_stop();
    stop_ = {};
    const auto& model = *workbench_.model();
    card_->show_removal(tr("Measuring…"), true);
    background_.run(
        this,
        [file = model.file, widths = model.config.intermediate, selection,
         profile = workbench_.session().profile(),
         stop = stop_.get_token()]() -> Result<quality::PairedEvaluation> {
            PERMAFROST_TRY(const auto variant,
                           quality::without_neuron(selection.layer, *selection.neuron, widths));
            const auto ground = read_ground(file, windows, profile->info);
            if (!ground.corpus) return Error{ground.problem};
            return quality::evaluate_paired(file, *ground.corpus, {variant}, background_evaluation(), {},
                                            stop);
        },
        [this, turn = ++turn_](const Result<quality::PairedEvaluation>& result) {
            if (turn != turn_) return;
            if (!result.ok())
                return card_->show_removal(
                    result.cancelled() ? QString() : QString::fromStdString(result.message()), false);
            const auto& found = result->masked.front();
            card_->show_removal(
                tr("Alone at zero: KL %1 ± %2 nats, %3; perplexity × %4 ± %5 (%6 tokens).")
                    .arg(widgets::significant(found.kl_mean, 3), widgets::significant(found.kl_mean_error, 2),
                         QString::fromStdString(quality::compared_with_quantisation(found.kl_mean)),
                         widgets::significant(found.perplexity_ratio, 6),
                         widgets::significant(found.perplexity_ratio_error, 2),
                         widgets::count(result->dense.tokens)),
                false);
        });
}

} // namespace permafrost::gui
