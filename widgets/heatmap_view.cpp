// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap_view.h"

#include "widgets/colormaps.h"
#include "widgets/decade_ticker.h"
#include "widgets/labels.h"
#include "widgets/layer_ticker.h"
#include "widgets/numbers.h"
#include "widgets/plot_style.h"
#include "widgets/theme.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace permafrost::widgets {
namespace {

using namespace Qt::StringLiterals;

constexpr double fewest_neurons = 8;

/// With shares of frozen neurons a column that holds a single one must differ from a column without any.
QMap<double, QColor> stops_with_a_step(const QMap<double, QColor>& stops) {
    QMap<double, QColor> stepped{{0.0, stops.first()}};
    for (auto it = stops.begin(); it != stops.end(); ++it)
        if (it.key() >= 0.25) stepped.insert(0.004 + (it.key() - 0.25) / 0.75 * 0.996, it.value());
    return stepped;
}

QPixmap hatched_swatch(int size) {
    QPixmap pixmap(size, size);
    pixmap.fill(theme().unprofiled);
    QPainter painter(&pixmap);
    painter.fillRect(pixmap.rect(), QBrush(theme().unprofiled_hatch, Qt::BDiagPattern));
    painter.setPen(theme().muted);
    painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1));
    return pixmap;
}

QBrush hatched_brush() {
    QPixmap tile(8, 8);
    tile.fill(theme().unprofiled);
    QPainter painter(&tile);
    painter.setPen(theme().unprofiled_hatch);
    painter.drawLine(0, 8, 8, 0);
    return QBrush(tile);
}

} // namespace

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent) {
    controls_ = new HeatmapControls;
    plot_ = new QCustomPlot;
    plot_->setObjectName(u"heatmap.plot"_s);
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setAccessibleName(tr("Heatmap of layers and neurons"));
    plot_->setMinimumHeight(140);
    plot_->installEventFilter(this);
    swatch_ = new QLabel;
    legend_ = muted_label();
    auto* footer = new QHBoxLayout;
    footer->setContentsMargins(8, 0, 8, 4);
    footer->setSpacing(8);
    footer->addWidget(swatch_);
    footer->addWidget(legend_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(controls_);
    column->addWidget(plot_, 1);
    column->addLayout(footer);
    setFocusProxy(plot_);

    refresh_.setSingleShot(true);
    refresh_.setInterval(0);
    connect(&refresh_, &QTimer::timeout, this, &HeatmapView::refresh);
    still_.setSingleShot(true);
    still_.setInterval(300);
    connect(&still_, &QTimer::timeout, this, &HeatmapView::remember_section);
    build_plot();
    connect_mouse();
    for (auto* axis : {plot_->xAxis, plot_->yAxis})
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), &still_,
                [this] { still_.start(); });
    connect(controls_, &HeatmapControls::options_changed, this, [this] {
        data_changed_ = true;
        refresh_.start();
        Q_EMIT options_changed();
    });
    connect(controls_, &HeatmapControls::fit_requested, this, &HeatmapView::fit);
    connect(controls_, &HeatmapControls::zoom_in_requested, this, [this] { zoom(0.5); });
    connect(controls_, &HeatmapControls::zoom_out_requested, this, [this] { zoom(2); });
    connect(controls_, &HeatmapControls::rubber_band_toggled, this,
            [this](bool on) { plot_->setSelectionRectMode(on ? QCP::srmZoom : QCP::srmNone); });
    restyle();
}

HeatmapView::~HeatmapView() = default;

void HeatmapView::build_plot() {
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->setNoAntialiasingOnDrag(true);
    add_overlay_layer(*plot_);
    layer_ticker_ = QSharedPointer<LayerTicker>::create();
    plot_->yAxis->setTicker(layer_ticker_);
    plot_->xAxis->setNumberFormat(u"f"_s);
    plot_->xAxis->setNumberPrecision(0);
    plot_->xAxis->setLabel(tr("neuron (index in the layer)"));
    plot_->yAxis->setLabel(tr("layer"));
    for (auto* axis : {plot_->xAxis, plot_->yAxis}) axis->grid()->setVisible(false);

    map_ = new QCPColorMap(plot_->xAxis, plot_->yAxis);
    map_->setInterpolate(false);
    map_->setTightBoundary(false);
    scale_ = new QCPColorScale(plot_);
    scale_->setType(QCPAxis::atRight);
    scale_->setBarWidth(12);
    scale_->setRangeDrag(false);
    scale_->setRangeZoom(false);
    plot_->plotLayout()->addElement(0, 1, scale_);
    map_->setColorScale(scale_);
    auto* margins = new QCPMarginGroup(plot_);
    plot_->axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    scale_->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    plot_->axisRect()->setupFullAxesBox(false);
    plot_->axisRect()->setMinimumMargins(QMargins(8, 8, 8, 8));

    layer_marker_ = new QCPItemRect(plot_);
    neuron_marker_ = new QCPItemLine(plot_);
    for (auto*& line : crosshair_) line = new QCPItemStraightLine(plot_);
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{layer_marker_, neuron_marker_,
                                                                         crosshair_[0], crosshair_[1]}) {
        item->setLayer(QString::fromUtf16(overlay_layer));
        item->setSelectable(false);
        item->setVisible(false);
    }
}

void HeatmapView::set_data(const ProfilePtr& profile, const DecisionPtr& decision) {
    const bool other_shape =
        !profile || !profile_ || profile->info.intermediate != profile_->info.intermediate;
    const auto metric = options().metric;
    const bool depends_on_rule = metric == Metric::Frozen || metric == Metric::LowActivity;
    const bool same_picture = profile == profile_ && !depends_on_rule && !data_changed_;
    profile_ = profile;
    decision_ = decision;
    if (same_picture || other_shape) data_.set(profile_, decision_, metric, options().order);
    if (same_picture) return describe_for_screen_readers();
    data_changed_ = true;
    if (other_shape) {
        sections_.clear();
        place_ = 0;
        fit();
    }
    refresh_.start();
}

void HeatmapView::set_selection(const Selection& selection) {
    selection_ = selection;
    mark_selection();
}

void HeatmapView::set_options(const HeatmapOptions& options) {
    controls_->set_options(options);
    data_changed_ = true;
    refresh_.start();
}

void HeatmapView::fit() {
    const double layers = std::max<double>(1, data_.layers());
    const double neurons = std::max<double>(1, data_.widest());
    layer_ticker_->set_flipped_layers(static_cast<int>(layers));
    plot_->xAxis->setRange(-0.5, neurons - 0.5);
    plot_->yAxis->setRange(-0.5, layers - 0.5);
    refresh_.start();
}

void HeatmapView::zoom(double factor) {
    double centre = plot_->xAxis->range().center();
    if (selection_.neuron) {
        const double place = data_.position_of(selection_.layer, *selection_.neuron);
        if (plot_->xAxis->range().contains(place)) centre = place;
    }
    plot_->xAxis->scaleRange(factor, centre);
}

HeatmapView::Section HeatmapView::section() const {
    const auto x = plot_->xAxis->range(), y = plot_->yAxis->range();
    return {x.lower, x.upper, y.lower, y.upper};
}

void HeatmapView::remember_section() {
    constexpr std::size_t most = 200;
    const auto now = section();
    if (!sections_.empty() && sections_[place_] == now) return;
    if (!sections_.empty()) sections_.resize(place_ + 1); // what came after is left behind
    if (sections_.size() == most) sections_.erase(sections_.begin());
    sections_.push_back(now);
    place_ = sections_.size() - 1;
}

void HeatmapView::go_to(std::size_t place) {
    place_ = place;
    const auto& there = sections_[place];
    plot_->xAxis->setRange(there.left, there.right);
    plot_->yAxis->setRange(there.bottom, there.top);
    refresh_.start();
}

void HeatmapView::back() {
    if (still_.isActive()) remember_section(); // so that forward comes back to here
    still_.stop();
    if (place_ > 0) go_to(place_ - 1);
}

void HeatmapView::forward() {
    if (place_ + 1 < sections_.size()) go_to(place_ + 1);
}

void HeatmapView::clamp_ranges() {
    const auto clamp = [](QCPAxis* axis, double count, double fewest) {
        const auto range = axis->range();
        auto bounded = range.bounded(-0.5, count - 0.5);
        if (bounded.size() < fewest) {
            const double half = std::min(fewest, count) / 2;
            bounded = QCPRange(bounded.center() - half, bounded.center() + half).bounded(-0.5, count - 0.5);
        }
        if (std::fabs(bounded.lower - range.lower) + std::fabs(bounded.upper - range.upper) > 1e-6)
            axis->setRange(bounded);
    };
    clamp(plot_->xAxis, std::max<double>(1, data_.widest()), fewest_neurons);
    clamp(plot_->yAxis, std::max<double>(1, data_.layers()), 1);
}

void HeatmapView::refresh() {
    if (!isVisible()) return;
    if (data_changed_) {
        data_.set(profile_, decision_, options().metric, options().order);
        place_markers(); // drawn with the whole plot below
        set_scale();
        describe_for_screen_readers();
        data_changed_ = false;
    }
    const auto bins = shown_bins();
    fill_map(bins);
    plot_->xAxis->setLabel(options().order == NeuronOrder::Index ? tr("neuron (index in the layer)")
                           : options().metric == Metric::Frozen
                               ? tr("neurons (frozen ones first in each layer)")
                               : tr("neurons (largest value first in each layer)"));
    bin_ = bins.bin;
    const auto pooled = options().metric == Metric::Frozen       ? tr("share of each column")
                        : options().pooling == Pooling::Largest  ? tr("largest of each column")
                        : options().pooling == Pooling::Smallest ? tr("smallest of each column")
                                                                 : tr("mean of each column");
    legend_->setText(bins.bin > 1
                         ? tr("not profiled · one column is %1 neurons: %2").arg(count(bins.bin), pooled)
                         : tr("not profiled · one column is one neuron"));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

HeatmapBins HeatmapView::shown_bins() const {
    const auto range = plot_->xAxis->range();
    const auto first = static_cast<std::uint32_t>(std::max(0.0, std::floor(range.lower + 0.5)));
    const auto last = static_cast<std::uint32_t>(std::max(1.0, std::ceil(range.upper - 0.5)));
    const auto width = static_cast<std::size_t>(std::max(64, plot_->axisRect()->width()));
    return data_.bins(first, last, width, options().pooling);
}

TextTable HeatmapView::table() const {
    const auto bins = shown_bins();
    TextTable table;
    table.headings.append(tr("layer"));
    for (std::size_t column = 0; column < bins.columns; ++column) {
        const auto first = bins.first + column * bins.bin;
        const auto last = first + bins.bin - 1;
        if (options().order == NeuronOrder::Metric)
            table.headings.append(bins.bin == 1 ? tr("rank %1").arg(first)
                                                : tr("ranks %1 to %2").arg(first).arg(last));
        else
            table.headings.append(bins.bin == 1 ? tr("neuron %1").arg(first)
                                                : tr("neurons %1 to %2").arg(first).arg(last));
    }
    for (std::size_t layer = 0; layer < bins.layers; ++layer) {
        QStringList row{QString::number(layer)};
        for (std::size_t column = 0; column < bins.columns; ++column)
            row.append(plain_number(static_cast<double>(bins.at(layer, column))));
        table.rows.push_back(row);
    }
    return table;
}

void HeatmapView::fill_map(const HeatmapBins& bins) {
    map_->setVisible(bins.columns > 0);
    if (bins.columns == 0) return;
    const int columns = std::max(2, static_cast<int>(bins.columns));
    const int layers = static_cast<int>(bins.layers);
    const int rows = std::max(2, layers); // the map divides by cells - 1
    const double half_bin = (bins.bin - 1) / 2.0;
    auto* cells = map_->data();
    cells->setSize(columns, rows);
    cells->setKeyRange(QCPRange(bins.first + half_bin, bins.first + (columns - 1.0) * bins.bin + half_bin));
    cells->setValueRange(layers > 1 ? QCPRange(0, layers - 1) : QCPRange(-0.25, 0.25));
    const bool share = is_share(options().metric);
    const double lowest = scale_->dataRange().lower;
    for (int row = 0; row < rows; ++row) {
        const int layer = layers > 1 ? layers - 1 - row : 0;
        for (int column = 0; column < columns; ++column) {
            double value = column < static_cast<int>(bins.columns)
                               ? bins.at(static_cast<std::size_t>(layer), static_cast<std::size_t>(column))
                               : std::nan("");
            if (share) value *= 100;
            cells->setCell(column, row, value < lowest ? lowest : value);
        }
    }
}

void HeatmapView::set_scale() {
    const auto metric = options().metric;
    const bool logarithmic = is_logarithmic(metric) && options().logarithmic;
    auto range = data_.range(logarithmic, options().clip);
    if (is_share(metric)) range = {0, 100};
    if (range.high <= range.low) range.high = range.low > 0 ? range.low * 2 : 1;
    if (logarithmic) range.low = std::max(range.low, range.high * 1e-9);

    QCPColorGradient gradient;
    const auto stops = colormap_stops(options().colormap);
    gradient.setColorStops(metric == Metric::Frozen ? stops_with_a_step(stops) : stops);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    scale_->setGradient(gradient);
    scale_->setDataScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    scale_->setDataRange(QCPRange(range.low, range.high));
    const auto ticker = ticker_for(logarithmic);
    ticker->setTickCount(5);
    scale_->axis()->setTicker(ticker);
    scale_->axis()->setNumberFormat(logarithmic ? u"eb"_s : u"gb"_s);
    scale_->axis()->setNumberPrecision(logarithmic ? 0 : 4);
    scale_->setLabel(name_of(metric) + u" ("_s + unit_of(metric) + u")"_s);
}

void HeatmapView::place_markers() {
    const bool valid = selection_.layer < data_.layers();
    layer_marker_->setVisible(valid);
    neuron_marker_->setVisible(valid && selection_.neuron.has_value());
    if (valid) {
        const double y = data_.layers() - 1.0 - selection_.layer;
        const double row =
            std::fabs(plot_->yAxis->coordToPixel(y + 0.5) - plot_->yAxis->coordToPixel(y - 0.5));
        layer_marker_->setPen(QPen(theme().accent, row < 8 ? 1 : 2)); // thin rows stay visible
        layer_marker_->topLeft->setCoords(plot_->xAxis->range().lower, y + 0.5);
        layer_marker_->bottomRight->setCoords(plot_->xAxis->range().upper, y - 0.5);
        if (selection_.neuron) {
            const double place = data_.position_of(selection_.layer, *selection_.neuron);
            // Sorted, the same place is another neuron in every other layer.
            const bool by_index = options().order == NeuronOrder::Index;
            const auto rows = plot_->yAxis->range();
            neuron_marker_->start->setCoords(place, by_index ? rows.lower : y - 0.5);
            neuron_marker_->end->setCoords(place, by_index ? rows.upper : y + 0.5);
        }
    }
}

void HeatmapView::mark_selection() {
    place_markers();
    plot_->layer(QString::fromUtf16(overlay_layer))->replot();
}

QString HeatmapView::describe(const Selection& cell) const {
    const auto where = tr("layer %1, neuron %2").arg(cell.layer).arg(*cell.neuron);
    const float value = data_.value(cell.layer, *cell.neuron);
    if (std::isnan(value)) return where + u" · "_s + tr("not profiled yet");
    const auto state = data_.is_frozen(cell.layer, *cell.neuron) ? tr("frozen") : tr("not frozen");
    if (options().metric == Metric::Frozen) return where + u" · "_s + state;
    return where + u" · "_s + name_of(options().metric) + u" "_s + with_unit(options().metric, value) +
           u" · "_s + state;
}

void HeatmapView::describe_for_screen_readers() {
    if (!profile_ || !decision_) {
        plot_->setAccessibleDescription(tr("Nothing is profiled yet."));
        return;
    }
    plot_->setAccessibleDescription(
        tr("%1 of %2 layers; %3 of %4 neurons are frozen, %5.")
            .arg(name_of(options().metric))
            .arg(profile_->layers.size())
            .arg(count(decision_->frozen), count(profile_->neurons()), percent(decision_->frozen_share)));
}

void HeatmapView::restyle() {
    style_plot(*plot_);
    plot_->axisRect()->setBackground(hatched_brush());
    swatch_->setPixmap(hatched_swatch(14));
    layer_marker_->setPen(QPen(theme().accent, 2));
    neuron_marker_->setPen(QPen(theme().accent, 1));
    for (auto* line : crosshair_) line->setPen(QPen(theme().muted, 1, Qt::DotLine));
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void HeatmapView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh_.start();
}

void HeatmapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace permafrost::widgets
