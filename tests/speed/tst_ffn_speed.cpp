// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/speed/ffn_speed.h"

#include <QtTest>

using namespace permafrost;
using namespace permafrost::speed;

namespace {

constexpr std::uint64_t layer_bytes = 3 * 64 * 96 * sizeof(float);

/// The first two layers of four.
FfnLayers two_layers() {
    return random_layers({"small", "small", 4, 64, 96, 10'000}, tensor::ElementType::F32, 2 * layer_bytes);
}

SpeedSettings few_repeats() {
    SpeedSettings settings;
    settings.repeats = 2;
    settings.pinned = false;
    return settings;
}

} // namespace

class TestFfnSpeed : public QObject {
    Q_OBJECT

  private slots:
    void random_layers_are_as_many_bytes_as_asked_for() {
        const auto layers = two_layers();
        QCOMPARE(layers.bytes(), 2 * layer_bytes);
        QCOMPARE(layers.layers.front().hidden(), std::size_t{64});
        QCOMPARE(layers.layers.front().neurons(), std::size_t{96});
        QCOMPARE(layers.of_model, 4u);
        // 3 * 64 * 96 weights in each of four layers, beside 10 000.
        QCOMPARE(layers.ffn_share(), 4.0 * 18'432 / (4.0 * 18'432 + 10'000));
    }

    void chance_freezes_the_asked_share_of_each_layer() {
        const auto layers = two_layers();
        const auto frozen = random_frozen(layers, 25);
        QCOMPARE(frozen.layers.size(), std::size_t{2});
        for (const auto& layer : frozen.layers) {
            QCOMPARE(layer.size(), std::size_t{24});
            QVERIFY(std::is_sorted(layer.begin(), layer.end()));
            QVERIFY(std::adjacent_find(layer.begin(), layer.end()) == layer.end());
        }
        QVERIFY(frozen.layers[0] != frozen.layers[1]);
    }

    void a_narrower_layer_keeps_its_first_neurons() {
        const auto frozen = last_frozen(two_layers(), 75);
        QCOMPARE(frozen.layers[1].size(), std::size_t{24});
        QCOMPARE(frozen.layers[1].front(), 72u);
        QCOMPARE(frozen.layers[1].back(), 95u);
    }

    void bytes_and_operations_are_those_of_the_whole_model() {
        const auto layers = two_layers();
        auto settings = few_repeats();
        settings.conditions = {{1, 1}, {2, 3}};
        const auto measured = measure_ffn_speed(layers, {random_frozen(layers, 50)}, settings);
        QVERIFY(measured.ok());
        QCOMPARE(measured.value().size(), std::size_t{2});
        for (const auto& speed : measured.value()) {
            QCOMPARE(speed.fused.bytes, 4 * 3 * 64 * 96 * 4.0);
            QCOMPARE(speed.fused.operations, 4 * 6 * 64 * 96.0);
            QCOMPARE(speed.frozen.size(), std::size_t{1});
            const auto& half = speed.frozen.front();
            QCOMPARE(half.frozen_share, 0.5);
            QCOMPARE(half.ideal, 2.0);
            QVERIFY(half.compacted.has_value());
            QCOMPARE(half.compacted->bytes, speed.fused.bytes / 2);
            QVERIFY(half.masked.seconds > 0 && half.masked.fastest <= half.masked.slowest);
            QVERIFY(half.masked.least_speedup <= half.masked.speedup);
            QVERIFY(half.masked.speedup <= half.masked.most_speedup);
            QCOMPARE(speed.fused.least_speedup, 1.0); // against itself
            QCOMPARE(speed.fused.most_speedup, 1.0);
        }
        QCOMPARE(measured.value()[1].conditions.threads, std::size_t{2});
        QCOMPARE(measured.value()[1].conditions.tokens, std::size_t{3});
    }

    void progress_ends_at_all_and_each_step_is_told() {
        const auto layers = two_layers();
        double last = 0;
        int steps = 0;
        SpeedObserver observer;
        observer.progress = [&](double share) {
            QVERIFY(share >= last && share <= 1);
            last = share;
        };
        observer.measured = [&](const std::vector<FfnSpeed>&) { ++steps; };
        QVERIFY(measure_ffn_speed(layers, {random_frozen(layers, 10), last_frozen(layers, 50)}, few_repeats(),
                                  observer)
                    .ok());
        QCOMPARE(last, 1.0);
        QCOMPARE(steps, 3);
    }

    void frozen_neurons_of_another_model_are_refused() {
        const auto layers = two_layers();
        const auto outside = measure_ffn_speed(layers, {{"odd", {{}, {96}}}}, few_repeats());
        QVERIFY(!outside.ok());
        QVERIFY(QString::fromStdString(outside.message()).contains("layer 1 has 96 neurons"));
        QVERIFY(!measure_ffn_speed(layers, {{"odd", {{}, {}, {1}}}}, few_repeats()).ok());
    }

    void a_stop_ends_it() {
        std::stop_source source;
        SpeedObserver observer;
        observer.progress = [&](double) { source.request_stop(); };
        const auto layers = two_layers();
        QVERIFY(measure_ffn_speed(layers, {}, few_repeats(), observer, source.get_token()).cancelled());
    }

    void a_faster_part_makes_the_whole_faster_by_its_share() {
        QCOMPARE(whole_model_speedup(1.0, 2.0), 2.0);
        QCOMPARE(whole_model_speedup(0.5, 2.0), 1 / 0.75);
        QCOMPARE(whole_model_speedup(0.0, 2.0), 1.0);
    }
};

QTEST_APPLESS_MAIN(TestFfnSpeed)
#include "tst_ffn_speed.moc"
