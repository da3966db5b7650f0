// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_bench.h"

#include "app/gui/main_window.h"
#include "app/gui/run_panel.h"
#include "app/gui/views.h"
#include "core/base/process_memory.h"
#include "widgets/heatmap_view.h"
#include "widgets/trend_view.h"

#include <QFileInfo>
#include <QMetaObject>
#include <QMouseEvent>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTabWidget>
#include <QTimer>
#include <QWheelEvent>
#include <qcustomplot.h>

#include <algorithm>
#include <cstdio>

namespace permafrost::gui {
namespace {

using namespace Qt::StringLiterals;

constexpr int moves = 120;

void send_mouse(QWidget* target, QEvent::Type type, const QPointF& place) {
    const auto button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    const auto buttons = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, place, target->mapToGlobal(place), button, buttons, Qt::NoModifier);
    QCoreApplication::sendEvent(target, &event);
}

QPointF handle_of(const QSlider& slider) {
    QStyleOptionSlider option;
    option.initFrom(&slider);
    option.orientation = slider.orientation();
    option.minimum = slider.minimum();
    option.maximum = slider.maximum();
    option.sliderPosition = option.sliderValue = slider.value();
    return slider.style()
        ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider)
        .center();
}

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

void print(const char* name, double value, const char* unit) {
    std::printf("%-44s %10.2f %s\n", name, value, unit);
}

void print_times(const char* name, const std::vector<double>& times) {
    std::printf("%-44s %10.2f ms p95, %.2f median, %.2f most, %zu events\n", name, quantile(times, 0.95),
                quantile(times, 0.5), quantile(times, 1), times.size());
}

} // namespace

bool TimedApplication::notify(QObject* receiver, QEvent* event) {
    if (depth_ > 0) return QApplication::notify(receiver, event);
    const auto type = static_cast<int>(event->type());
    const char* name = receiver->metaObject()->className();
    QElapsedTimer timer;
    timer.start();
    ++depth_;
    const bool handled = QApplication::notify(receiver, event);
    --depth_;
    const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    if (milliseconds > longest_) {
        longest_ = milliseconds;
        longest_event_ = u"%1, event %2"_s.arg(QString::fromLatin1(name)).arg(type);
    }
    return handled;
}

PaintWatch::PaintWatch(const std::vector<QCustomPlot*>& plots, QObject* parent) : QObject(parent) {
    for (auto* plot : plots) plots_.push_back({plot, State::Idle});
    for (auto& watched : plots_) {
        watched.plot->installEventFilter(this);
        // Before: the replot may paint by itself.
        connect(watched.plot, &QCustomPlot::beforeReplot, this, [this, &watched] {
            if (watched.state != State::Idle) watched.state = State::Drawn;
            quiet_turns_ = 0;
        });
    }
    idle_.setInterval(0);
    connect(&idle_, &QTimer::timeout, this, &PaintWatch::settle);
}

void PaintWatch::arm() {
    for (auto& watched : plots_) watched.state = State::Waiting;
    since_.start();
}

bool PaintWatch::all_painted() const {
    return std::all_of(plots_.begin(), plots_.end(),
                       [](const Plot& plot) { return plot.state == State::Painted; });
}

bool PaintWatch::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Paint) return false;
    for (auto& plot : plots_)
        if (plot.plot == watched && plot.state == State::Drawn) plot.state = State::Painted;
    if (!all_painted()) return false;
    // The painting itself is still to come: the time is taken when it is over.
    QMetaObject::invokeMethod(
        this, [this] { last_ = static_cast<double>(since_.nsecsElapsed()) / 1e6; }, Qt::QueuedConnection);
    quiet_turns_ = 0;
    idle_.start();
    return false;
}

// A first picture may be of what was there before; it is over when the event loop has turned without another.
void PaintWatch::settle() {
    constexpr int enough = 3;
    if (!all_painted() || ++quiet_turns_ < enough) return;
    idle_.stop();
    for (auto& watched : plots_) watched.state = State::Idle;
    Q_EMIT painted(last_);
}

WindowBench::WindowBench(MainWindow& window, TimedApplication& application, const QString& file,
                         const QElapsedTimer& since_start)
    : QObject(&window), window_(window), application_(application), file_(file), since_start_(since_start) {
    window.views().tabs->setCurrentIndex(0); // where both plots are
    auto* heatmap = window.views().heatmap->plot();
    auto* trend = window.views().trend->findChild<QCustomPlot*>();
    all_ = std::make_unique<PaintWatch>(std::vector<QCustomPlot*>{heatmap, trend});
    heatmap_ = std::make_unique<PaintWatch>(std::vector<QCustomPlot*>{heatmap});
    auto& workbench = window.workbench();
    connect(&workbench, &Workbench::failed, this, [](const QString& message) {
        std::fprintf(stderr, "permafrost: %s\n", qPrintable(message));
        QCoreApplication::exit(1);
    });
    connect(&workbench, &Workbench::profile_opened, this, [this] { all_->arm(); });
    connect(all_.get(), &PaintWatch::painted, this, &WindowBench::opened);
    connect(&workbench, &Workbench::model_opened, this, [this] {
        application_.forget();
        window_.workbench().start(window_.run_panel().request());
    });
    connect(&workbench, &Workbench::run_finished, this,
            [this](bool complete, bool, const QString& message) { report_run(complete, message); });
    QTimer::singleShot(500, this, [this] { // once the empty window stands
        memory_before_ = read_process_memory().anonymous;
        application_.forget();
        opening_.start();
        window_.workbench().open(file_);
    });
}

WindowBench::~WindowBench() = default;

void WindowBench::opened() {
    first_picture_ = static_cast<double>(opening_.nsecsElapsed()) / 1e6;
    since_launch_ = static_cast<double>(since_start_.nsecsElapsed()) / 1e6 - 500;
    disconnect(all_.get(), &PaintWatch::painted, this, nullptr);
    connect(all_.get(), &PaintWatch::painted, this, &WindowBench::painted);
    connect(heatmap_.get(), &PaintWatch::painted, this, &WindowBench::painted);
    plan_profile();
    QTimer::singleShot(300, this, &WindowBench::next); // what opening left to do is not the drag's
}

void WindowBench::plan_profile() {
    plan_drag(widgets::RuleField::Variance, variance_);
    plan_drag(widgets::RuleField::Gradient, gradient_);
    plan_zoom();
    plan_pan();
}

void WindowBench::plan_drag(widgets::RuleField field, std::vector<double>& milliseconds) {
    auto* slider =
        window_.findChild<QSlider*>(u"threshold.slider."_s + QString::number(static_cast<int>(field)));
    if (!slider) return;
    const double middle = slider->height() / 2.0;
    const auto place = [slider, middle](int move) {
        const double share = 0.35 + 0.3 * std::abs((move % 60) - 30) / 30.0 + (move / 60) * 0.004;
        return QPointF(share * slider->width(), middle);
    };
    steps_.push_back({[slider] {
                          send_mouse(slider, QEvent::MouseButtonPress, handle_of(*slider));
                          return false;
                      },
                      nullptr});
    for (int move = 0; move < moves; ++move)
        steps_.push_back({[this, slider, place, move] {
                              const int before = slider->value();
                              all_->arm();
                              send_mouse(slider, QEvent::MouseMove, place(move));
                              return slider->value() != before;
                          },
                          &milliseconds});
    steps_.push_back({[slider, place] {
                          send_mouse(slider, QEvent::MouseButtonRelease, place(moves - 1));
                          return false;
                      },
                      nullptr});
}

void WindowBench::plan_zoom() {
    auto* plot = window_.views().heatmap->plot();
    for (int move = 0; move < moves; ++move)
        steps_.push_back({[this, plot, move] {
                              heatmap_->arm();
                              const QPointF centre(plot->width() * 0.45, plot->height() * 0.5);
                              const int direction = (move / 20) % 2 == 0 ? 120 : -120;
                              QWheelEvent event(centre, plot->mapToGlobal(centre), {}, {0, direction},
                                                Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
                              QCoreApplication::sendEvent(plot, &event);
                              return true;
                          },
                          &zoom_});
}

void WindowBench::plan_pan() {
    auto* plot = window_.views().heatmap->plot();
    steps_.push_back({[this, plot] {
                          heatmap_->arm();
                          plot->xAxis->setRange(8000, 16000);
                          plot->replot();
                          return true;
                      },
                      nullptr});
    const auto place = [plot](int move) {
        return QPointF(plot->width() * (0.3 + 0.3 * std::abs((move % 60) - 30) / 30.0 + move * 0.0005),
                       plot->height() * 0.5);
    };
    steps_.push_back({[plot, place] {
                          send_mouse(plot, QEvent::MouseButtonPress, place(0));
                          return false;
                      },
                      nullptr});
    for (int move = 1; move <= moves; ++move)
        steps_.push_back({[this, plot, place, move] {
                              heatmap_->arm();
                              send_mouse(plot, QEvent::MouseMove, place(move));
                              return true;
                          },
                          &pan_});
    steps_.push_back({[plot, place] {
                          send_mouse(plot, QEvent::MouseButtonRelease, place(moves));
                          return false;
                      },
                      nullptr});
}

void WindowBench::painted(double milliseconds) {
    if (step_ > 0 && steps_[step_ - 1].milliseconds) steps_[step_ - 1].milliseconds->push_back(milliseconds);
    next();
}

void WindowBench::next() {
    if (step_ == steps_.size()) return report_profile();
    const auto& step = steps_[step_++];
    if (!step.act()) QTimer::singleShot(50, this, &WindowBench::next);
}

void WindowBench::report_profile() {
    const auto profile_bytes = static_cast<double>(QFileInfo(file_).size());
    const auto memory = read_process_memory();
    const auto& profile = window_.workbench().session().profile();
    std::printf("%s: %zu layers, %llu neurons, platform %s\n", qPrintable(file_), profile->layers.size(),
                static_cast<unsigned long long>(profile->neurons()),
                qPrintable(QGuiApplication::platformName()));
    print("open to first picture", first_picture_, "ms");
    print("the program's start to first picture", since_launch_, "ms");
    print_times("drag of the variance threshold", variance_);
    print_times("drag of the gradient threshold", gradient_);
    print_times("zoom of the heatmap", zoom_);
    print_times("pan of the heatmap", pan_);
    print("longest event of the GUI thread", application_.longest_milliseconds(),
          qPrintable(u"ms (%1)"_s.arg(application_.longest_event())));
    print("own memory beyond the profile", (static_cast<double>(memory.anonymous) - profile_bytes) / 1e6,
          "MB");
    print("of it before the profile was opened", static_cast<double>(memory_before_) / 1e6, "MB");
    print("profile", profile_bytes / 1e6, "MB");
    print("peak of all memory", static_cast<double>(memory.peak_resident) / 1e6, "MB");
    window_.close(); // properly, so that no session is left to restore
    QCoreApplication::exit(0);
}

void WindowBench::report_run(bool complete, const QString& message) {
    if (!complete) {
        std::fprintf(stderr, "permafrost: %s\n", qPrintable(message));
        return QCoreApplication::exit(1);
    }
    const auto& info = window_.workbench().session().profile()->info;
    std::printf("%s: %llu tokens profiled, platform %s\n", qPrintable(file_),
                static_cast<unsigned long long>(info.tokens), qPrintable(QGuiApplication::platformName()));
    print("longest event of the GUI thread", application_.longest_milliseconds(),
          qPrintable(u"ms (%1)"_s.arg(application_.longest_event())));
    window_.close();
    QCoreApplication::exit(0);
}

} // namespace permafrost::gui
