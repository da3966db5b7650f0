// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/agreement.h"
#include "tests/support/synthetic_profile.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace permafrost;
using masks::Agreement;
using masks::Bitmask;
using profile::LayerProfilePtr;

namespace {

Bitmask mask_of(const std::vector<bool>& bits) {
    Bitmask mask(bits.size());
    for (std::size_t i = 0; i < bits.size(); ++i) mask.set(i, bits[i]);
    return mask;
}

masks::FreezeRule default_rule_without_guard() {
    masks::FreezeRule rule;
    rule.guard = false;
    return rule;
}

/// Layers whose neurons are frozen by low variance and zero gradient where `bits` say so.
LayerProfilePtr layer_with(const std::vector<bool>& bits) {
    std::vector<test::NeuronFigures> neurons;
    for (const bool frozen : bits) neurons.push_back({frozen ? 0.0 : 1.0, frozen ? 0.001 : 1.0, 0.5, 1, 1});
    return test::layer_of(neurons);
}

} // namespace

class TestAgreement : public QObject {
    Q_OBJECT

  private slots:
    void counts_are_those_of_a_plain_loop() {
        std::mt19937 random(5);
        for (const std::size_t size : {1u, 7u, 8u, 65u, 1000u}) {
            std::vector<bool> x(size), y(size);
            double in_x = 0, in_y = 0, in_both = 0, in_either = 0;
            for (std::size_t i = 0; i < size; ++i) {
                x[i] = random() % 3 == 0;
                y[i] = random() % 2 == 0;
                in_x += x[i];
                in_y += y[i];
                in_both += x[i] && y[i];
                in_either += x[i] || y[i];
            }
            const auto found = masks::agreement(mask_of(x), mask_of(y));
            const auto neurons = static_cast<double>(size);
            QCOMPARE(found.neurons, std::uint64_t{size});
            QCOMPARE(found.jaccard(), in_either == 0 ? 1 : in_both / in_either);
            QCOMPARE(found.jaccard(), masks::jaccard(mask_of(x), mask_of(y)));
            QCOMPARE(found.share_a(), in_x / neurons);
            QCOMPARE(found.share_b(), in_y / neurons);
            QCOMPARE(found.share_difference(), std::fabs(in_x / neurons - in_y / neurons));
        }
    }

    void masks_without_a_frozen_neuron_are_equal() {
        const auto found = masks::agreement(Bitmask(10), Bitmask(10));
        QCOMPARE(found.jaccard(), 1.0);
        QCOMPARE(found.share_difference(), 0.0);
        QCOMPARE(masks::agreement({}, {}).share_a(), 0.0);
    }

    void layers_are_added_neuron_by_neuron() {
        const std::vector<Agreement> layers{{10, 4, 3, 2}, {90, 1, 0, 0}};
        const auto total = masks::sum(layers);
        QCOMPARE(total.neurons, std::uint64_t{100});
        QCOMPARE(total.jaccard(), 2.0 / 6.0); // not the mean of 2/5 and 0
        QCOMPARE(total.share_a(), 0.05);
        QCOMPARE(total.share_b(), 0.03);
    }

    void a_rule_says_what_is_frozen_in_each_half() {
        const std::vector<LayerProfilePtr> a{layer_with({true, true, false, false}),
                                             layer_with({true, false})};
        const std::vector<LayerProfilePtr> b{layer_with({true, false, true, true}),
                                             layer_with({true, false})};
        const auto layers = masks::agreement_by_layer(a, b, default_rule_without_guard());
        QCOMPARE(layers.size(), std::size_t{2});
        QCOMPARE(layers[0].frozen_a, std::uint64_t{2});
        QCOMPARE(layers[0].frozen_b, std::uint64_t{3});
        QCOMPARE(layers[0].frozen_both, std::uint64_t{1});
        QCOMPARE(layers[1].jaccard(), 1.0);

        const auto point = masks::halves_compared_by(default_rule_without_guard())(a, b);
        QCOMPARE(point.frozen_a, std::uint64_t{3});
        QCOMPARE(point.frozen_b, std::uint64_t{4});
        QCOMPARE(point.frozen_both, std::uint64_t{2});
        QCOMPARE(point.layer_difference, 0.25);
    }

    void layers_left_out_freeze_nothing() {
        const std::vector<LayerProfilePtr> halves{layer_with({true, true}), nullptr,
                                                  layer_with({true, false})};
        auto rule = default_rule_without_guard();
        rule.layers = std::pair(1u, 2u);
        const auto layers = masks::agreement_by_layer(halves, halves, rule);
        QCOMPARE(layers[0].frozen_a, std::uint64_t{0});
        QCOMPARE(layers[0].neurons, std::uint64_t{2});
        QCOMPARE(layers[1].neurons, std::uint64_t{0});
        QCOMPARE(layers[2].frozen_both, std::uint64_t{1});
    }

    void layers_have_numbers_of_their_own() {
        const std::vector<LayerProfilePtr> halves{layer_with({true, false}), layer_with({true, false})};
        auto rule = default_rule_without_guard();
        rule.layer_rules[1].variance_threshold = 0.0001;
        const auto layers = masks::agreement_by_layer(halves, halves, rule);
        QCOMPARE(layers[0].frozen_a, std::uint64_t{1});
        QCOMPARE(layers[1].frozen_a, std::uint64_t{0});
    }
};

QTEST_APPLESS_MAIN(TestAgreement)
#include "tst_agreement.moc"
