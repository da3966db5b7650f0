// SPDX-License-Identifier: GPL-3.0-or-later
//
// A feed-forward layer for one token against plain loops in f64.
#include "core/model/ffn_batch.h"
#include "core/model/ffn_layer.h"
#include "core/tensor/decode.h"
#include "core/tensor/encode.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace permafrost;
using namespace permafrost::model;
using tensor::ElementType;

namespace {

struct Layer {
    std::vector<std::byte> gate, up, down;
    FfnMatrices matrices;
};

std::vector<std::byte> random_matrix(ElementType type, std::size_t rows, std::size_t columns,
                                     std::mt19937& random) {
    std::normal_distribution<float> normal(0, 1 / std::sqrt(static_cast<float>(columns)));
    std::vector<float> values(rows * columns);
    for (auto& value : values) value = normal(random);
    const auto& layout = tensor::info(type);
    std::vector<std::byte> bytes(values.size() / layout.block_elements * layout.block_bytes);
    tensor::encode(type, values.data(), bytes.data(), values.size());
    return bytes;
}

std::unique_ptr<Layer> random_layer(ElementType type, ElementType down, std::size_t hidden,
                                    std::size_t neurons, GateActivation activation) {
    std::mt19937 random(5);
    auto layer = std::make_unique<Layer>();
    layer->gate = random_matrix(type, neurons, hidden, random);
    layer->up = random_matrix(type, neurons, hidden, random);
    layer->down = random_matrix(down, hidden, neurons, random);
    layer->matrices = {{"gate", type, {neurons, hidden}, layer->gate, false},
                       {"up", type, {neurons, hidden}, layer->up, false},
                       {"down", down, {hidden, neurons}, layer->down, false},
                       activation};
    return layer;
}

std::vector<double> decoded(const tensor::TensorView& view) {
    std::vector<float> values(view.elements());
    tensor::decode_rows(view, 0, view.rows(), values.data());
    return {values.begin(), values.end()};
}

std::vector<double> plain(const FfnMatrices& layer, const std::vector<float>& x,
                          const std::vector<std::uint32_t>& frozen) {
    const auto gate = decoded(layer.gate), up = decoded(layer.up), down = decoded(layer.down);
    const auto hidden = layer.hidden(), neurons = layer.neurons();
    std::vector<double> h(neurons), y(hidden);
    for (std::size_t n = 0; n < neurons; ++n) {
        double g = 0, u = 0;
        for (std::size_t i = 0; i < hidden; ++i) {
            g += gate[n * hidden + i] * x[i];
            u += up[n * hidden + i] * x[i];
        }
        const double act = layer.activation == GateActivation::Silu
                               ? g / (1 + std::exp(-g))
                               : g / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (g + 0.044715 * g * g * g)));
        h[n] = act * u;
    }
    for (const auto neuron : frozen) h[neuron] = 0;
    for (std::size_t r = 0; r < hidden; ++r)
        for (std::size_t n = 0; n < neurons; ++n) y[r] += down[r * neurons + n] * h[n];
    return y;
}

double worst(const std::vector<float>& y, const std::vector<double>& expected) {
    double most = 0, size = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        most = std::max(most, std::abs(y[i] - expected[i]));
        size = std::max(size, std::abs(expected[i]));
    }
    return most / (size + 1e-30);
}

} // namespace

class TestFfnLayer : public QObject {
    Q_OBJECT

  private slots:
    void every_way_is_the_plain_loop_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("down");
        QTest::addColumn<int>("hidden");
        QTest::addColumn<int>("neurons");
        const auto row = [](const char* name, ElementType type, ElementType down, int hidden, int neurons) {
            QTest::newRow(name) << int(type) << int(down) << hidden << neurons;
        };
        row("f32", ElementType::F32, ElementType::F32, 64, 200);
        row("f32, odd sizes", ElementType::F32, ElementType::F32, 37, 101);
        row("f16", ElementType::F16, ElementType::F16, 48, 77);
        row("Q4_K", ElementType::Q4_K, ElementType::Q4_K, 256, 768);
        row("Q4_1 with Q8_0", ElementType::Q4_1, ElementType::Q8_0, 96, 320);
        row("Q4_0", ElementType::Q4_0, ElementType::Q4_0, 64, 96);
    }
    void every_way_is_the_plain_loop() {
        QFETCH(int, type);
        QFETCH(int, down);
        QFETCH(int, hidden);
        QFETCH(int, neurons);
        const auto activation = hidden == 64 ? GateActivation::GeluTanh : GateActivation::Silu;
        const auto layer =
            random_layer(static_cast<ElementType>(type), static_cast<ElementType>(down),
                         static_cast<std::size_t>(hidden), static_cast<std::size_t>(neurons), activation);
        std::mt19937 random(8);
        std::normal_distribution<float> normal;
        std::vector<float> x(static_cast<std::size_t>(hidden)), y(x.size());
        for (auto& value : x) value = normal(random);
        const auto dense = plain(layer->matrices, x, {});
        // x is rounded to 15 bits for weights of four.
        const double close = hidden >= 64 && type != int(ElementType::F32) ? 3e-4 : 1e-5;
        for (const std::size_t threads : {1, 3}) {
            ThreadPool pool(threads);
            FfnRunner runner(pool);
            runner.run_two_products(layer->matrices, x, y);
            QVERIFY2(worst(y, dense) < close, qPrintable(QString::number(worst(y, dense))));
            runner.run_fused(layer->matrices, ActiveNeurons::all(layer->matrices), x, y);
            QVERIFY2(worst(y, dense) < close, qPrintable(QString::number(worst(y, dense))));
            for (const int percent : {0, 3, 20, 50, 97, 100}) {
                for (const bool in_a_run : {false, true}) {
                    std::vector<std::uint32_t> frozen;
                    for (int i = 0; i < neurons; ++i)
                        if (in_a_run ? 100 * i < percent * neurons
                                     : static_cast<int>(random() % 100) < percent)
                            frozen.push_back(static_cast<std::uint32_t>(i));
                    const auto expected = plain(layer->matrices, x, frozen);
                    const ActiveNeurons active(layer->matrices, frozen);
                    QCOMPARE(active.count() + frozen.size(), static_cast<std::size_t>(neurons));
                    runner.run_fused(layer->matrices, active, x, y);
                    QVERIFY2(worst(y, expected) < close,
                             qPrintable(QString("%1 %: %2").arg(percent).arg(worst(y, expected))));
                    const CompactedFfn compacted(layer->matrices, frozen);
                    runner.run_fused(compacted.matrices(), ActiveNeurons::all(compacted.matrices()), x, y);
                    // What is left has the same values only where encoding again loses nothing.
                    const bool exact = tensor::info(static_cast<ElementType>(down)).block_elements == 1;
                    QVERIFY2(worst(y, expected) < (percent == 100 ? 1
                                                   : exact        ? close
                                                                  : 0.1),
                             qPrintable(QString::number(percent)));
                }
            }
        }
    }

    void many_tokens_are_the_plain_loop_each_data() { every_way_is_the_plain_loop_data(); }
    void many_tokens_are_the_plain_loop_each() {
        QFETCH(int, type);
        QFETCH(int, down);
        QFETCH(int, hidden);
        QFETCH(int, neurons);
        const auto width = static_cast<std::size_t>(hidden);
        const auto layer = random_layer(static_cast<ElementType>(type), static_cast<ElementType>(down), width,
                                        static_cast<std::size_t>(neurons), GateActivation::Silu);
        std::mt19937 random(9);
        std::normal_distribution<float> normal;
        constexpr std::size_t tokens = 13;
        std::vector<float> x(tokens * width), y(x.size());
        for (auto& value : x) value = normal(random);
        for (const std::size_t threads : {1, 3}) {
            ThreadPool pool(threads);
            FfnBatch batch(pool);
            for (const int percent : {0, 20, 97, 100}) {
                std::vector<std::uint32_t> frozen;
                for (int i = 0; i < neurons; ++i)
                    if (static_cast<int>(random() % 100) < percent)
                        frozen.push_back(static_cast<std::uint32_t>(i));
                batch.run(layer->matrices, ActiveNeurons(layer->matrices, frozen),
                          {x.data(), tokens, width, width}, {y.data(), tokens, width, width});
                for (std::size_t token = 0; token < tokens; ++token) {
                    const auto at = static_cast<std::ptrdiff_t>(token * width);
                    const std::vector<float> row(x.begin() + at,
                                                 x.begin() + at + static_cast<std::ptrdiff_t>(width));
                    const std::vector<float> out(y.begin() + at,
                                                 y.begin() + at + static_cast<std::ptrdiff_t>(width));
                    const double off = worst(out, plain(layer->matrices, row, frozen));
                    QVERIFY2(off < 1e-5, qPrintable(QString("%1 %: %2").arg(percent).arg(off)));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestFfnLayer)
#include "tst_ffn_layer.moc"
