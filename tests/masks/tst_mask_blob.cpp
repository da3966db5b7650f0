// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_blob.h"

#include <QtTest>

#include <random>

using namespace permafrost;
using masks::Bitmask;
using masks::MaskBlobView;

namespace {

std::map<std::uint32_t, Bitmask>
random_masks(std::initializer_list<std::pair<std::uint32_t, std::size_t>> layers) {
    std::mt19937 random(5);
    std::map<std::uint32_t, Bitmask> result;
    for (const auto& [layer, neurons] : layers) {
        Bitmask mask(neurons);
        for (std::size_t i = 0; i < neurons; ++i) mask.set(i, random() % 5 == 0);
        result[layer] = mask;
    }
    return result;
}

} // namespace

class TestMaskBlob : public QObject {
    Q_OBJECT

  private slots:
    void masks_come_back() {
        const auto layers = random_masks({{0, 1}, {2, 8}, {3, 1537}, {70'000, 64}, {70'001, 0}});
        const auto blob = masks::make_mask_blob(layers);
        std::size_t largest = 64;
        for (const auto& [layer, mask] : layers) largest += (mask.size() + 7) / 8 + 16;
        QVERIFY(blob.size() <= largest);
        const auto view = MaskBlobView::open(blob, "here");
        QVERIFY2(view.ok(), view.ok() ? "" : view.message().c_str());
        QCOMPARE(view->layers().size(), layers.size());
        for (const auto& [layer, mask] : layers) {
            const auto* found = view->find(layer);
            QVERIFY(found);
            QCOMPARE(found->bitmask(), mask);
            QCOMPARE(found->frozen(), static_cast<std::uint32_t>(mask.count()));
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < mask.size(); ++i) {
                QCOMPARE(found->is_frozen(i), mask.test(i));
                if (mask.test(i)) expected.push_back(i);
            }
            QCOMPARE(found->frozen_neurons(), expected);
            const auto kept = found->dense_mask();
            QCOMPARE(kept.size(), std::size_t{found->neurons()});
            for (std::uint32_t neuron = 0; neuron < found->neurons(); ++neuron)
                QCOMPARE(kept[neuron], found->is_frozen(neuron) ? 0.0f : 1.0f);
            QVERIFY(!found->is_frozen(static_cast<std::uint32_t>(mask.size())));
        }
        QVERIFY(!view->find(1) && !view->find(90'000));
        QVERIFY(MaskBlobView::open(masks::make_mask_blob({}), "here")->layers().empty());
    }

    void every_changed_byte_and_every_cut_is_noticed() {
        const auto blob = masks::make_mask_blob(random_masks({{0, 12}, {1, 20}}));
        for (std::size_t place = 0; place < blob.size(); ++place)
            for (int bit = 0; bit < 8; ++bit) {
                auto changed = blob;
                changed[place] ^= static_cast<std::byte>(1 << bit);
                const auto view = MaskBlobView::open(changed, "there");
                QVERIFY(!view.ok() && view.message().starts_with("there: "));
            }
        for (std::size_t size = 0; size < blob.size(); ++size)
            QVERIFY(!MaskBlobView::open(ByteSpan(blob).first(size), "there").ok());
        auto longer = blob;
        longer.push_back({});
        QVERIFY(!MaskBlobView::open(longer, "there").ok());
    }

    void a_large_model_takes_less_than_a_megabyte() {
        std::map<std::uint32_t, Bitmask> layers;
        for (std::uint32_t layer = 0; layer < 80; ++layer) layers[layer] = Bitmask(28672);
        QVERIFY(masks::make_mask_blob(layers).size() < 1'000'000 / 3);
    }
};

QTEST_APPLESS_MAIN(TestMaskBlob)
#include "tst_mask_blob.moc"
