// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/benchmark_result.h"

#include <QWidget>

class QBoxLayout;
class QComboBox;

namespace permafrost::widgets {

/// Under which conditions layers are timed and shown: tokens at once, threads, weights; and how often each is repeated. In one line
/// where there is room, else in two.
class BenchmarkChoices : public QWidget {
    Q_OBJECT
  public:
    static constexpr std::size_t prompt_tokens = 256;

    /// `processors`: threads when all are used.
    explicit BenchmarkChoices(std::size_t processors, QWidget* parent = nullptr);

    BenchmarkConditions conditions() const;
    /// One token and a prompt, all threads and one, with the weights that are chosen.
    std::vector<BenchmarkConditions> all_conditions() const;
    std::size_t repeats() const;
    void set_repeats(std::size_t repeats);

  Q_SIGNALS:
    void conditions_changed();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    QComboBox* add_choice(QBoxLayout* line, const QString& title, const QString& id);

    QBoxLayout* lines_ = nullptr;
    QComboBox *tokens_ = nullptr, *threads_ = nullptr, *weights_ = nullptr, *repeats_ = nullptr;
};

} // namespace permafrost::widgets
