// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/benchmark_figures.h"

#include <QWidget>

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace permafrost::widgets {

class BenchmarkChoices;

/// What is asked to be timed.
struct BenchmarkRequest {
    std::vector<BenchmarkConditions> conditions;
    bool mask_alone = false; ///< not the shares frozen by chance, nor the widths
    std::size_t repeats = 11;
};

/// How fast the open model's feed-forward layers are here: chosen conditions, what they say of the present mask, and all figures as
/// plot and table.
class BenchmarkView : public QWidget {
    Q_OBJECT
  public:
    /// `processors`: threads when all are used.
    explicit BenchmarkView(std::size_t processors, QWidget* parent = nullptr);

    /// Null: no model is open.
    void set_results(const BenchmarkResultsPtr& results);
    void set_present(const PresentMask& present);
    /// Why nothing can be measured now; empty when it can.
    void set_obstacle(const QString& reason);
    /// `seconds_left` below 0: not known yet.
    void show_progress(double share, double seconds_left);
    void show_stopping();
    /// It came to its end, was stopped, or failed for the reason in `message`.
    void show_end(const QString& message);

    BenchmarkConditions conditions() const; ///< that are shown
    /// What is shown, or all four with the weights that are shown.
    BenchmarkRequest request(bool all) const;
    /// The mask alone, generating with all threads.
    BenchmarkRequest request_of_mask() const;
    void set_repeats(std::size_t repeats);
    BenchmarkTable* table() const { return figures_->table(); }
    BenchmarkPlot* plot() const { return figures_->plot(); }

  Q_SIGNALS:
    void requested(const permafrost::widgets::BenchmarkRequest& request);
    void cancel_requested();

  private:
    QLayout* build_buttons();
    QWidget* build_empty();
    void show_results();
    void show_sentence();
    void show_buttons();

    std::size_t processors_;
    BenchmarkResultsPtr results_;
    PresentMask present_;
    QString obstacle_, message_;
    bool measuring_ = false, stopping_ = false;
    BenchmarkChoices* choices_ = nullptr;
    QPushButton *measure_ = nullptr, *all_ = nullptr, *cancel_ = nullptr, *begin_ = nullptr;
    QLabel *sentence_ = nullptr, *empty_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    BenchmarkFigures* figures_ = nullptr;
};

} // namespace permafrost::widgets
