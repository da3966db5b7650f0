// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/quality_point.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QCPErrorBars;
class QCPGraph;
class QCustomPlot;
class QLabel;
class QProgressBar;
class QPushButton;

namespace permafrost::widgets {

/// What is asked for in the view.
struct QualityRequest {
    bool live = false;
    quality::Handling handling = quality::Handling::Zero;
    std::size_t windows = 8; ///< 0: the whole text
    QString questions;       ///< file of multiple choice, "builtin", or empty: none
    bool operator==(const QualityRequest&) const = default;
};

/// What the present mask does to the model's predictions, measured: three figures with their errors, a comparison with
/// quantisation, and every setting that was evaluated as a point of frozen share against KL, to go back to with a click.
class QualityView : public QWidget {
    Q_OBJECT
  public:
    explicit QualityView(QWidget* parent = nullptr);

    const QualityRequest& request() const { return request_; }
    void set_request(const QualityRequest& request);
    /// What is known of the present mask, or why nothing is.
    void show_point(const QualityPoint& point);
    void show_reason(const QString& reason);
    /// All settings that were evaluated to the end.
    void set_points(std::vector<QualityPoint> points);
    void show_estimate(const QualityEstimate& estimate);
    void set_sweep_possible(bool possible);
    /// A sweep over so many settings is so far.
    void show_sweep(double share, std::size_t settings);
    /// Questions from this file from now on; empty: none.
    void set_questions(const QString& path);
    QCustomPlot* plot() const { return plot_; }
    QString sentence() const;

  Q_SIGNALS:
    void requested(const permafrost::widgets::QualityRequest& request);
    void became_visible();
    void sweep_requested();
    void stop_requested();
    void questions_file_requested();
    void chosen(const permafrost::widgets::QualityPoint& point);

  protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    struct Figure {
        QLabel* value = nullptr;
        QLabel* error = nullptr;
    };
    QWidget* build_request();
    QWidget* build_figures();
    QWidget* build_sentence();
    void build_plot();
    double place_of(double frozen_share, double speedup) const;
    void show_front();
    void show_answers();
    void take_questions(int index);
    void show_points();
    void restyle();
    void clear_figures();
    void take_request();
    void choose_at(const QPoint& place);

    QualityRequest request_;
    std::optional<QualityPoint> point_;
    std::vector<QualityPoint> points_;
    QCheckBox* live_ = nullptr;
    QComboBox* handling_ = nullptr;
    QComboBox* windows_ = nullptr;
    QComboBox* questions_ = nullptr;
    QComboBox* axis_ = nullptr;
    QPushButton* sweep_ = nullptr;
    bool sweeping_ = false;
    QualityEstimate estimate_;
    Figure ratio_, divergence_, expected_, retained_, answers_;
    QLabel* sentence_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QCustomPlot* plot_ = nullptr;
    QCPGraph* zeroed_ = nullptr;
    QCPGraph* folded_ = nullptr; ///< at their mean, or the better of both
    QCPGraph* present_ = nullptr;
    QCPGraph* guess_ = nullptr; ///< where the estimate expects the present mask
    QCPGraph* front_ = nullptr; ///< settings that no other one betters
    QCPErrorBars* zeroed_errors_ = nullptr;
    QCPErrorBars* folded_errors_ = nullptr;
};

} // namespace permafrost::widgets
