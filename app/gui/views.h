// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"

#include <QObject>

class QSplitter;
class QTabWidget;

namespace permafrost::widgets {
class BenchmarkView;
class HeatmapView;
class LayersTable;
class LayerView;
class NeuronCard;
class QualityView;
class SweepView;
class ThresholdPanel;
class TrendView;
class VerdictCard;
enum class RuleField;
} // namespace permafrost::widgets

namespace permafrost::gui {

/// The views of a session and the wires between them: what a view shows comes from the session, what a person
/// does in a view goes to the session.
class Views : public QObject {
    Q_OBJECT
  public:
    Views(Session& session, QObject* parent);

    widgets::HeatmapView* heatmap;
    widgets::TrendView* trend;
    widgets::LayerView* layer;
    widgets::LayersTable* layers;
    widgets::NeuronCard* neuron;
    widgets::ThresholdPanel* thresholds;
    widgets::SweepView* sweep;
    widgets::QualityView* quality;
    widgets::BenchmarkView* benchmark;
    widgets::VerdictCard* verdict;
    QTabWidget* tabs;
    QSplitter* overview;

    void load_settings();
    void save_settings() const;

  Q_SIGNALS:
    void hovered(const QString& text);
    void target_requested(double share);

  private:
    void edit_field(widgets::RuleField field, double value);

    void wire_decision();
    void wire_selection();
    void wire_edits();
    void add_export_menus();

    Session& session_;
};

} // namespace permafrost::gui
