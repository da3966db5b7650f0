// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/views.h"

#include "app/gui/settings.h"
#include "app/gui/sweep_job.h"
#include "widgets/benchmark_plot.h"
#include "widgets/benchmark_table.h"
#include "widgets/benchmark_view.h"
#include "widgets/export_menu.h"
#include "widgets/heatmap_view.h"
#include "widgets/histogram_view.h"
#include "widgets/layer_view.h"
#include "widgets/layers_table.h"
#include "widgets/mask_grid.h"
#include "widgets/neuron_card.h"
#include "widgets/neurons_table.h"
#include "widgets/quality_view.h"
#include "widgets/scatter_view.h"
#include "widgets/sweep_view.h"
#include "widgets/threshold_panel.h"
#include "widgets/trend_view.h"
#include "widgets/verdict_card.h"

#include <QSplitter>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>
#include <thread>

namespace permafrost::gui {

using namespace Qt::StringLiterals;
using namespace widgets;

namespace {

quality::Handling handling_setting() {
    const auto text = read_setting(settings::quality_handling).toString().toStdString();
    const auto handling = quality::parse_handling(text);
    return handling.ok() ? handling->all : quality::Handling::Zero;
}

} // namespace

Views::Views(Session& session, QObject* parent) : QObject(parent), session_(session) {
    heatmap = new HeatmapView;
    trend = new TrendView;
    layer = new LayerView;
    layers = new LayersTable;
    neuron = new NeuronCard;
    thresholds = new ThresholdPanel;
    sweep = new SweepView;
    new SweepJob(session, sweep, this);
    quality = new QualityView;
    benchmark = new BenchmarkView(std::max(1u, std::thread::hardware_concurrency()));
    verdict = new VerdictCard;
    overview = new QSplitter(Qt::Vertical);
    overview->setObjectName(u"overview.splitter"_s);
    overview->addWidget(heatmap);
    overview->addWidget(trend);
    overview->setStretchFactor(0, 3);
    overview->setStretchFactor(1, 2);
    overview->setChildrenCollapsible(false);
    tabs = new QTabWidget;
    tabs->setObjectName(u"view.tabs"_s);
    tabs->setAccessibleName(tr("Views"));
    tabs->setDocumentMode(true);
    tabs->addTab(overview, tr("&Overview"));
    tabs->addTab(layer, tr("&Layer detail"));
    tabs->addTab(sweep, tr("&Sweep"));
    tabs->setTabToolTip(2, tr("Frozen share and estimated speed-up against each threshold"));
    tabs->setTabToolTip(0, tr("All layers and neurons, and the trend over depth"));
    tabs->setTabToolTip(1, tr("Histogram, threshold and bitmask of the selected layer"));
    wire_decision();
    wire_selection();
    wire_edits();
    add_export_menus();
}

void Views::wire_decision() {
    const auto show = [this](auto* view) {
        connect(&session_, &Session::decision_changed, view,
                [this, view] { view->set_data(session_.profile(), session_.decision()); });
    };
    show(heatmap);
    show(trend);
    show(layer);
    show(layers);
    show(neuron);
    show(verdict);
    show(sweep);
    connect(&session_, &Session::rule_changed, thresholds, [this] { thresholds->set_rule(session_.rule()); });
    thresholds->set_rule(session_.rule());
}

void Views::wire_selection() {
    const auto follow = [this](auto* view) {
        using View = std::remove_pointer_t<decltype(view)>;
        connect(&session_, &Session::selection_changed, view,
                [this, view] { view->set_selection(session_.selection()); });
        connect(view, &View::selected, this,
                [this](const Selection& selection) { session_.select(selection); });
    };
    follow(heatmap);
    follow(trend);
    follow(layer);
    follow(layers);
    follow(neuron);
    connect(heatmap, &HeatmapView::hovered, this, &Views::hovered);
    connect(trend, &TrendView::hovered, this, &Views::hovered);
    connect(benchmark->plot(), &BenchmarkPlot::hovered, this, &Views::hovered);
    connect(layer->mask(), &MaskGrid::hovered, this, &Views::hovered);
    connect(layer->histogram(), &HistogramView::hovered, this, &Views::hovered);
    connect(layer->scatter(), &ScatterView::hovered, this, &Views::hovered);
}

void Views::wire_edits() {
    connect(thresholds, &ThresholdPanel::gesture_began, this, [this] { session_.begin_gesture(); });
    connect(thresholds, &ThresholdPanel::rule_edited, this,
            [this](const masks::FreezeRule& rule, const QString& what) { session_.edit_rule(rule, what); });
    connect(thresholds, &ThresholdPanel::field_touched, layer->histogram(), &HistogramView::show_field);
    const auto follow = [this](auto* view) {
        using View = std::remove_pointer_t<decltype(view)>;
        connect(view, &View::gesture_began, this, [this] { session_.begin_gesture(); });
        connect(view, &View::edited, this, &Views::edit_field);
    };
    follow(layer->histogram());
    follow(layer->scatter());
    connect(sweep, &SweepView::gesture_began, this, [this] { session_.begin_gesture(); });
    connect(sweep, &SweepView::edited, this, [this](RuleField field, double value) {
        session_.edit_rule(with_value(session_.rule(), field, value), name_of(field));
    });
    connect(layers, &LayersTable::rows_selected, thresholds, &ThresholdPanel::set_marked_layers);
    connect(layers, &LayersTable::inclusion_changed, this, [this](const RuleScope& which, bool included) {
        const auto count = static_cast<std::uint32_t>(session_.profile()->layers.size());
        session_.begin_gesture();
        session_.edit_rule(with_layers_included(session_.rule(), which, included, count),
                           (included ? tr("Include %1") : tr("Leave out %1")).arg(name_of(which)));
    });
    connect(thresholds, &ThresholdPanel::target_requested, this, &Views::target_requested);
}

/// A line that is dragged in a layer's plot changes what holds there: the scope of the threshold panel, else
/// the layer's own number where it has one, else the rule.
void Views::edit_field(RuleField field, double value) {
    auto scope = thresholds->scope();
    const auto shown = session_.selection().layer;
    if (scope.layers.empty() && has_own_value(session_.rule(), field, shown)) scope.layers = {shown};
    session_.edit_rule(with_value(session_.rule(), field, value, scope), name_of(field, scope));
}

void Views::add_export_menus() {
    ExportMenu::of_plot(heatmap->plot(), u"heatmap"_s, [this] { return heatmap->table(); });
    ExportMenu::of_plot(trend->plot(), u"trend"_s);
    ExportMenu::of_plot(layer->histogram()->plot(), u"histogram"_s);
    ExportMenu::of_plot(layer->scatter()->plot(), u"scatter"_s);
    ExportMenu::of_table(layer->neurons()->view(), u"neurons"_s,
                         [this] { return layer->neurons()->table(); });
    ExportMenu::of_plot(sweep->plot(), u"sweep"_s);
    ExportMenu::of_plot(quality->plot(), u"quality"_s);
    ExportMenu::of_plot(benchmark->plot()->plot(), u"benchmark"_s,
                        [this] { return benchmark->table()->table(); });
    ExportMenu::of_table(benchmark->table(), u"benchmark"_s, [this] { return benchmark->table()->table(); });
    ExportMenu::of_table(layers->view(), u"layers"_s, [this] { return layers->table(); });
}

void Views::load_settings() {
    HeatmapOptions options;
    options.metric = metric_from_identifier(read_setting(settings::heatmap_metric).toString());
    options.colormap = read_setting(settings::heatmap_colormap).toString();
    options.logarithmic = read_setting(settings::heatmap_logarithmic).toBool();
    options.clip = read_setting(settings::heatmap_clip).toBool();
    options.order =
        read_setting(settings::heatmap_sorted).toBool() ? NeuronOrder::Metric : NeuronOrder::Index;
    options.pooling = static_cast<Pooling>(qBound(0, read_setting(settings::heatmap_pooling).toInt(), 2));
    heatmap->set_options(options);
    benchmark->set_repeats(read_setting(settings::benchmark_repeats).toULongLong());
    quality->set_request({read_setting(settings::quality_live).toBool(), handling_setting(),
                          read_setting(settings::quality_windows).toULongLong(),
                          read_setting(settings::quality_questions).toString()});
}

void Views::save_settings() const {
    const auto& options = heatmap->options();
    write_setting(settings::heatmap_metric, identifier_of(options.metric));
    write_setting(settings::heatmap_colormap, options.colormap);
    write_setting(settings::heatmap_logarithmic, options.logarithmic);
    write_setting(settings::heatmap_clip, options.clip);
    write_setting(settings::heatmap_sorted, options.order == NeuronOrder::Metric);
    write_setting(settings::heatmap_pooling, static_cast<int>(options.pooling));
    write_setting(settings::benchmark_repeats, static_cast<qulonglong>(benchmark->request(false).repeats));
    write_setting(settings::quality_live, quality->request().live);
    write_setting(settings::quality_questions, quality->request().questions);
    write_setting(settings::quality_handling,
                  QString::fromStdString(quality::handling_text({quality->request().handling, {}})));
    write_setting(settings::quality_windows, static_cast<qulonglong>(quality->request().windows));
}

} // namespace permafrost::gui
