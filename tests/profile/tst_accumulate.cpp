// SPDX-License-Identifier: GPL-3.0-or-later
//
// The accumulator against plain loops (tests/support/naive_statistics.h), to the bit.
#include "core/profile/accumulate.h"
#include "tests/support/naive_statistics.h"
#include "tests/support/same_statistics.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace permafrost;
using profile::Accumulator;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

double silu(double x) { return x / (1 + std::exp(-x)); }

/// A tile of random gate and up projections, and what came of it.
struct Case {
    model::Tile tile;
    std::size_t neurons, gap; ///< gap: elements between two rows that belong to nobody
    model::GateActivation activation = model::GateActivation::Silu;
    std::vector<float> gate, up, h;

    Case(const std::vector<std::uint32_t>& lengths, std::size_t neuron_count, std::uint64_t seed,
         std::size_t first_sequence = 0)
        : neurons(neuron_count), gap(neuron_count + 3) {
        for (const auto length : lengths) {
            tile.parts.push_back({first_sequence++, tile.tokens, length});
            tile.tokens += length;
        }
        tile.rows = (tile.tokens + 15) / 16 * 16;
        gate.resize(tile.rows * stride(), 7.0f);
        up.resize(tile.rows * stride(), 7.0f);
        std::mt19937_64 random(seed);
        std::normal_distribution<float> normal;
        for (std::size_t row = 0; row < tile.tokens; ++row)
            for (std::size_t i = 0; i < neurons; ++i) {
                // From almost silent to lively neurons, so that every bin is met.
                const float spread =
                    std::pow(10.0f, -2.5f + 4.0f * static_cast<float>(i) / static_cast<float>(neurons));
                gate[row * stride() + i] = spread * normal(random);
                up[row * stride() + i] = spread * normal(random);
            }
    }
    std::size_t stride() const { return neurons + gap; }
    float& gate_at(std::size_t row, std::size_t neuron) { return gate[row * stride() + neuron]; }
    float& up_at(std::size_t row, std::size_t neuron) { return up[row * stride() + neuron]; }
    float h_at(std::size_t row, std::size_t neuron) const { return h[row * stride() + neuron]; }

    void add_to(Accumulator& accumulator) {
        h = gate;
        model::FfnActivations activations{
            tile,
            0,
            0,
            activation,
            {h.data(), tile.rows, neurons, stride()},
            {up.data(), tile.rows, neurons, stride()}};
        accumulator.add(activations);
    }

    /// h of the usable values as the accumulator wrote it (checked elsewhere), of the others as it follows
    /// from g and u.
    std::vector<test::RawSequence> raw() const {
        std::vector<test::RawSequence> sequences;
        for (const auto& part : tile.parts) {
            auto& sequence = sequences.emplace_back();
            for (std::size_t row = part.first_row; row < part.first_row + part.length; ++row)
                for (std::size_t i = row * stride(); i < row * stride() + neurons; ++i) {
                    const double exact = silu(static_cast<double>(gate[i])) * static_cast<double>(up[i]);
                    sequence.gate.push_back(gate[i]);
                    sequence.up.push_back(up[i]);
                    sequence.h.push_back(std::fabs(exact) < 0x1p22 ? h[i] : static_cast<float>(exact));
                }
        }
        return sequences;
    }
};

constexpr std::uint32_t context = 100;

profile::LayerStatistics naive(const std::vector<test::RawSequence>& sequences, std::size_t neurons) {
    return test::naive_statistics(sequences, static_cast<std::uint32_t>(neurons), context,
                                  std::vector<float>(neurons));
}

} // namespace

class TestAccumulate : public QObject {
    Q_OBJECT

  private slots:
    void statistics_equal_plain_loops_data() {
        QTest::addColumn<int>("neurons");
        for (const int neurons : {1, 63, 64, 65, 130}) QTest::addRow("%d neurons", neurons) << neurons;
    }
    void statistics_equal_plain_loops() {
        QFETCH(int, neurons);
        Case values({1, 100, 37, 2, 64}, static_cast<std::size_t>(neurons), 1);
        Accumulator accumulator(context);
        accumulator.begin_layer(static_cast<std::uint32_t>(neurons));
        values.add_to(accumulator);
        QCOMPARE(test::difference(accumulator.statistics(), naive(values.raw(), values.neurons)),
                 std::string());
        QVERIFY(accumulator.non_finite().empty());
    }

    void h_replaces_the_gate() {
        Case values({50, 20}, 65, 2);
        Accumulator accumulator(context);
        accumulator.begin_layer(65);
        values.add_to(accumulator);
        for (std::size_t row = 0; row < values.tile.rows; ++row)
            for (std::size_t i = 0; i < values.stride(); ++i) {
                const auto at = row * values.stride() + i;
                if (i >= 65) {
                    QCOMPARE(values.h[at], values.gate[at]); // between two rows: untouched
                } else if (row >= values.tile.tokens) {
                    QCOMPARE(values.h[at], 0.0f); // no token here
                } else {
                    const double exact =
                        silu(static_cast<double>(values.gate[at])) * static_cast<double>(values.up[at]);
                    QVERIFY(std::fabs(static_cast<double>(values.h[at]) - exact) <= 1e-6 * std::fabs(exact));
                }
            }
    }

    void the_gate_of_the_gemma_family_is_a_gelu() {
        Case values({50, 20}, 65, 2);
        Accumulator accumulator(context);
        accumulator.begin_layer(65);
        values.activation = model::GateActivation::GeluTanh;
        values.add_to(accumulator);
        for (std::size_t row = 0; row < values.tile.tokens; ++row)
            for (std::size_t i = 0; i < 65; ++i) {
                const auto x = static_cast<double>(values.gate_at(row, i));
                const double gelu =
                    x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
                const double exact = gelu * static_cast<double>(values.up_at(row, i));
                QVERIFY(std::fabs(static_cast<double>(values.h_at(row, i)) - exact) <=
                        1e-6 * std::max(1.0, std::fabs(exact)));
            }
    }

    void tiles_add_up() {
        Case first({20, 9}, 65, 3), second({100}, 65, 4, 2);
        Accumulator accumulator(context);
        accumulator.begin_layer(65);
        first.add_to(accumulator);
        second.add_to(accumulator);
        auto all = first.raw();
        for (auto& sequence : second.raw()) all.push_back(std::move(sequence));
        QCOMPARE(test::difference(accumulator.statistics(), naive(all, 65)), std::string());
    }

    void each_layer_begins_empty() {
        Case values({10}, 5, 5);
        values.gate_at(3, 2) = not_a_number;
        Accumulator accumulator(context);
        accumulator.begin_layer(5);
        values.add_to(accumulator);
        accumulator.begin_layer(7);
        QCOMPARE(accumulator.statistics().neurons, 7u);
        QCOMPARE(accumulator.statistics().tokens, std::uint64_t{0});
        QVERIFY(accumulator.non_finite().empty());
    }

    void what_is_not_finite_is_left_out_data() {
        QTest::addColumn<float>("gate");
        QTest::addColumn<float>("up");
        QTest::newRow("gate not a number") << not_a_number << 1.0f;
        QTest::newRow("up not a number") << 1.0f << not_a_number;
        QTest::newRow("gate infinite") << infinite << 1.0f;
        QTest::newRow("gate minus infinite") << -infinite << 1.0f;
        QTest::newRow("up infinite, gate zero") << 0.0f << infinite;
        QTest::newRow("gate huge") << 1e30f << 1e-30f;
        QTest::newRow("h huge, gate and up not") << 1e4f << 1e4f;
        QTest::newRow("gate at the limit") << profile::largest_magnitude << 0.0f;
    }
    void what_is_not_finite_is_left_out() {
        QFETCH(float, gate);
        QFETCH(float, up);
        // First, inner and last tokens, two in a row, at both ends of blocks of neurons.
        const std::vector<std::pair<std::size_t, std::size_t>> places{{0, 0},   {5, 63}, {6, 63},
                                                                      {19, 64}, {20, 1}, {29, 129}};
        Case values({20, 10, 4}, 130, 6);
        for (const auto& [row, neuron] : places) {
            values.gate_at(row, neuron) = gate;
            values.up_at(row, neuron) = up;
        }
        Accumulator accumulator(context);
        accumulator.begin_layer(130);
        values.add_to(accumulator);
        const auto& statistics = accumulator.statistics();
        QCOMPARE(test::difference(statistics, naive(values.raw(), 130)), std::string());
        QCOMPARE(statistics.non_finite[63], 2u);
        QCOMPARE(statistics.non_finite[0], 1u);
        for (const auto& [row, neuron] : places) QCOMPARE(values.h_at(row, neuron), 0.0f);
        const std::vector<profile::NonFiniteSpot> spots{{0, 0}, {0, 63}, {0, 64}, {1, 1}, {1, 129}};
        QVERIFY(accumulator.non_finite() == spots);
    }

    void large_values_below_the_limit_count() {
        Case values({6}, 3, 7);
        values.gate_at(2, 1) = 2000.0f;
        values.up_at(2, 1) = 2000.0f;
        Accumulator accumulator(context);
        accumulator.begin_layer(3);
        values.add_to(accumulator);
        QCOMPARE(test::difference(accumulator.statistics(), naive(values.raw(), 3)), std::string());
        QCOMPARE(accumulator.statistics().maximum[1], 4e6f);
        QCOMPARE(accumulator.statistics().non_finite[1], 0u);
    }

    void a_neuron_that_is_never_finite_does_not_disturb_its_neighbours() {
        Case clean({40, 30}, 65, 8), broken({40, 30}, 65, 8);
        for (std::size_t row = 0; row < 70; ++row) broken.gate_at(row, 20) = not_a_number;
        Accumulator with(context), without(context);
        with.begin_layer(65);
        without.begin_layer(65);
        broken.add_to(with);
        clean.add_to(without);
        QCOMPARE(with.statistics().non_finite[20], 70u);
        for (std::size_t i = 0; i < 65; ++i) {
            if (i == 20) continue;
            QVERIFY(with.statistics().sum[i] == without.statistics().sum[i]);
            QVERIFY(with.statistics().sum_squares[i] == without.statistics().sum_squares[i]);
            QVERIFY(with.statistics().transition_sum[i] == without.statistics().transition_sum[i]);
            QCOMPARE(with.statistics().maximum[i], without.statistics().maximum[i]);
        }
    }

    void names_the_first_sixteen_places() {
        Case values({1, 1, 1}, 65, 9, 100);
        for (std::size_t i = 0; i < 65; ++i) {
            values.gate_at(1, i) = not_a_number;
            values.gate_at(2, i) = not_a_number;
        }
        values.gate_at(0, 64) = infinite;
        Accumulator accumulator(context);
        accumulator.begin_layer(65);
        values.add_to(accumulator);
        const auto& spots = accumulator.non_finite();
        QCOMPARE(spots.size(), profile::most_places);
        QVERIFY((spots[0] == profile::NonFiniteSpot{100, 64}));
        for (std::uint32_t i = 0; i < 15; ++i) QVERIFY((spots[i + 1] == profile::NonFiniteSpot{101, i}));
    }

    void every_edge_of_the_bins_falls_on_its_upper_side() {
        // A gate of 1 and an up that makes h an edge, or the number just below or above it.
        const float one = static_cast<float>(silu(1.0));
        std::vector<float> ups;
        for (const float edge : profile::magnitude_bins::edges())
            for (int steps = -3; steps <= 3; ++steps) {
                float up = edge / one;
                for (int i = 0; i < std::abs(steps); ++i)
                    up = std::nextafterf(up, steps < 0 ? 0.0f : infinite);
                ups.push_back(steps % 2 == 0 ? up : -up);
            }
        Case values({static_cast<std::uint32_t>(ups.size() / 7), 100, 100}, 7, 10);
        for (std::size_t i = 0; i < ups.size(); ++i) {
            values.gate_at(i / 7, i % 7) = 1;
            values.up_at(i / 7, i % 7) = ups[i];
        }
        Accumulator accumulator(context);
        accumulator.begin_layer(7);
        values.add_to(accumulator);
        QCOMPARE(test::difference(accumulator.statistics(), naive(values.raw(), 7)), std::string());
    }
};

QTEST_APPLESS_MAIN(TestAccumulate)
#include "tst_accumulate.moc"
