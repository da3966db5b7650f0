// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_blob.h"

#include "core/base/hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace permafrost::masks {
namespace {

constexpr std::string_view magic = "PFMB";
constexpr std::uint16_t version = 1, minor_version = 0;
constexpr std::size_t header_bytes = 64, record_bytes = 16, digest_place = 32, digest_bytes = 32;

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t place, T value) {
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(bytes.data() + place, &value, sizeof value);
}

template <class T>
T get(ByteSpan bytes, std::size_t place) {
    T value;
    std::memcpy(&value, bytes.data() + place, sizeof value);
    return value;
}

std::array<std::byte, digest_bytes> digest_of(ByteSpan blob) {
    constexpr std::array<std::byte, digest_bytes> zeros{};
    Sha256 hash;
    hash.add(blob.first(digest_place));
    hash.add(zeros);
    hash.add(blob.subspan(header_bytes));
    return hash.finish_bytes();
}

std::uint64_t count_bits(ByteSpan bytes) {
    std::uint64_t bits = 0;
    for (const auto byte : bytes)
        bits += static_cast<std::uint64_t>(std::popcount(std::to_integer<std::uint8_t>(byte)));
    return bits;
}

} // namespace

std::vector<std::byte> make_mask_blob(const std::map<std::uint32_t, Bitmask>& layers) {
    std::size_t size = header_bytes + record_bytes * layers.size();
    for (const auto& [layer, mask] : layers) size += mask.bytes().size();
    std::vector<std::byte> blob(size);
    std::memcpy(blob.data(), magic.data(), magic.size());
    put(blob, 4, version);
    put(blob, 6, minor_version);
    put(blob, 8, static_cast<std::uint32_t>(layers.size()));
    put(blob, 16, std::uint64_t{size});
    std::size_t record = header_bytes, place = header_bytes + record_bytes * layers.size();
    for (const auto& [layer, mask] : layers) {
        put(blob, record, layer);
        put(blob, record + 4, static_cast<std::uint32_t>(mask.size()));
        put(blob, record + 8, static_cast<std::uint32_t>(mask.count()));
        put(blob, record + 12, static_cast<std::uint32_t>(place));
        std::copy_n(std::as_bytes(mask.bytes()).begin(), mask.bytes().size(),
                    blob.begin() + static_cast<std::ptrdiff_t>(place));
        record += record_bytes;
        place += mask.bytes().size();
    }
    const auto digest = digest_of(blob);
    std::copy(digest.begin(), digest.end(), blob.begin() + digest_place);
    return blob;
}

std::vector<std::uint32_t> LayerMaskView::frozen_neurons() const {
    std::vector<std::uint32_t> neurons;
    neurons.reserve(frozen_);
    for (std::uint32_t byte = 0; byte < (neurons_ + 7) / 8; ++byte)
        for (auto bits = bits_[byte]; bits != 0; bits &= static_cast<std::uint8_t>(bits - 1))
            neurons.push_back(8 * byte + static_cast<std::uint32_t>(std::countr_zero(bits)));
    return neurons;
}

std::vector<float> LayerMaskView::dense_mask() const {
    std::vector<float> kept(neurons_);
    for (std::uint32_t neuron = 0; neuron < neurons_; ++neuron)
        kept[neuron] = is_frozen(neuron) ? 0.0f : 1.0f;
    return kept;
}

Bitmask LayerMaskView::bitmask() const {
    return {neurons_, std::vector<std::uint8_t>(bits_, bits_ + (neurons_ + 7) / 8)};
}

Result<MaskBlobView> MaskBlobView::open(ByteSpan bytes, const std::string& where) {
    const auto refused = [&](const std::string& why) {
        return Error{where + ": its masks cannot be read: " + why};
    };
    if (bytes.size() < header_bytes || text_of(bytes.first(magic.size())) != magic)
        return refused("they are no block of masks");
    if (get<std::uint16_t>(bytes, 4) > version)
        return refused("they were written by a newer Permafrost; use that one, or a newer one");
    if (get<std::uint64_t>(bytes, 16) != bytes.size())
        return refused("the block has " + std::to_string(bytes.size()) + " bytes and says it has " +
                       std::to_string(get<std::uint64_t>(bytes, 16)) + "; the file is truncated or damaged");
    const auto digest = digest_of(bytes);
    if (!std::equal(digest.begin(), digest.end(), bytes.begin() + digest_place))
        return refused("their checksum is wrong; the file is damaged, encode the masks again");
    const std::uint64_t count = get<std::uint32_t>(bytes, 8);
    if (count > (bytes.size() - header_bytes) / record_bytes)
        return refused("it has fewer bytes than layers");
    MaskBlobView view;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto record = header_bytes + record_bytes * i;
        const auto layer = get<std::uint32_t>(bytes, record), neurons = get<std::uint32_t>(bytes, record + 4);
        const auto frozen = get<std::uint32_t>(bytes, record + 8);
        const std::uint64_t place = get<std::uint32_t>(bytes, record + 12);
        const std::uint64_t size = (std::uint64_t{neurons} + 7) / 8;
        if (!view.layers_.empty() && layer <= view.layers_.back().layer())
            return refused("its layers are out of order");
        if (place < header_bytes + record_bytes * count || place > bytes.size() ||
            size > bytes.size() - place)
            return refused("the mask of layer " + std::to_string(layer) + " lies outside the block");
        const auto bits = bytes.subspan(place, size);
        const bool stray = neurons % 8 != 0 && (std::to_integer<unsigned>(bits.back()) >> (neurons % 8)) != 0;
        if (stray || count_bits(bits) != frozen)
            return refused("the mask of layer " + std::to_string(layer) +
                           " contradicts its count of frozen neurons");
        view.layers_.emplace_back(layer, neurons, frozen, reinterpret_cast<const std::uint8_t*>(bits.data()));
    }
    return view;
}

const LayerMaskView* MaskBlobView::find(std::uint32_t layer) const {
    const auto place = std::lower_bound(
        layers_.begin(), layers_.end(), layer,
        [](const LayerMaskView& view, std::uint32_t wanted) { return view.layer() < wanted; });
    return place == layers_.end() || place->layer() != layer ? nullptr : &*place;
}

} // namespace permafrost::masks
