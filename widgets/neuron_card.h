// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view_data.h"

#include <QWidget>

#include <functional>
#include <vector>

class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace permafrost::widgets {

/// All figures of the selected neuron and why it is frozen, guarded or active.
class NeuronCard : public QWidget {
    Q_OBJECT
  public:
    explicit NeuronCard(QWidget* parent = nullptr);

    void set_data(const ProfilePtr& profile, const DecisionPtr& decision);
    void set_selection(const Selection& selection);
    /// Whether the model is there to measure with.
    void set_measurable(bool measurable);
    /// What setting the selected neuron alone to zero was found to cost, or that it is being measured.
    void show_removal(const QString& text, bool running);

  Q_SIGNALS:
    void selected(const permafrost::widgets::Selection& selection);
    void removal_requested(const permafrost::widgets::Selection& selection);

  private:
    struct Figure {
        QLabel* label;
        std::function<QString(const profile::LayerProfile&, std::size_t)> text;
    };
    void add_figures(QFormLayout* form);
    void show_neuron();

    ProfilePtr profile_;
    DecisionPtr decision_;
    Selection selection_;
    QSpinBox* neuron_ = nullptr;
    QLabel* where_ = nullptr;
    QLabel* reason_ = nullptr;
    QPushButton* measure_ = nullptr;
    QLabel* removal_ = nullptr;
    bool measurable_ = false;
    QWidget* table_ = nullptr;
    std::vector<Figure> figures_;
};

} // namespace permafrost::widgets
