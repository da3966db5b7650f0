// SPDX-License-Identifier: GPL-3.0-or-later
//
// `permafrost --bench-gui FILE`: how fluent the real window is on this machine, with any platform plug-in. A profile is
// opened, thresholds are dragged, the heatmap is zoomed and panned, each with the events a mouse would send, and timed until
// the last pixel that follows is painted. A model is profiled, and the longest time is taken that an event kept the window
// from answering.
#pragma once

#include "widgets/rule_fields.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

class QCustomPlot;

namespace permafrost::gui {

class MainWindow;

/// Knows how long each event took that the GUI thread handled.
class TimedApplication : public QApplication {
    Q_OBJECT
  public:
    TimedApplication(int& count, char** arguments) : QApplication(count, arguments) {}
    bool notify(QObject* receiver, QEvent* event) override;

    double longest_milliseconds() const { return longest_; }
    /// What the longest event was: class of the receiver and number of the event.
    const QString& longest_event() const { return longest_event_; }
    void forget() { longest_ = 0; }

  private:
    int depth_ = 0;
    double longest_ = 0;
    QString longest_event_;
};

/// Emits painted() when each of the plots was drawn anew and painted since arm() and nothing is left to draw.
class PaintWatch : public QObject {
    Q_OBJECT
  public:
    explicit PaintWatch(const std::vector<QCustomPlot*>& plots, QObject* parent = nullptr);
    void arm();

  Q_SIGNALS:
    /// `milliseconds` from arm() to the end of the last painting.
    void painted(double milliseconds);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class State { Idle, Waiting, Drawn, Painted };
    struct Plot {
        QCustomPlot* plot;
        State state;
    };
    bool all_painted() const;
    void settle();

    std::vector<Plot> plots_;
    QElapsedTimer since_;
    QTimer idle_;
    double last_ = 0;
    int quiet_turns_ = 0;
};

/// One run over a file; prints its figures and ends the program.
class WindowBench : public QObject {
    Q_OBJECT
  public:
    WindowBench(MainWindow& window, TimedApplication& application, const QString& file,
                const QElapsedTimer& since_start);
    ~WindowBench() override;

  private:
    struct Step {
        std::function<bool()> act; ///< whether a picture will follow
        std::vector<double>* milliseconds;
    };
    void opened();
    void plan_profile();
    void plan_drag(widgets::RuleField field, std::vector<double>& milliseconds);
    void plan_zoom();
    void plan_pan();
    void painted(double milliseconds);
    void next();
    void report_profile();
    void report_run(bool complete, const QString& message);

    MainWindow& window_;
    TimedApplication& application_;
    QString file_;
    const QElapsedTimer& since_start_;
    QElapsedTimer opening_;
    std::unique_ptr<PaintWatch> all_, heatmap_;
    std::vector<Step> steps_;
    std::size_t step_ = 0;
    double first_picture_ = 0, since_launch_ = 0;
    std::uint64_t memory_before_ = 0;
    std::vector<double> variance_, gradient_, activation_, zoom_, pan_;
};

} // namespace permafrost::gui
