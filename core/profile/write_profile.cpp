// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/hash.h"
#include "core/profile/layer_tensors.h"
#include "core/profile/profile_file.h"
#include "core/profile/profile_metadata.h"

#include <nlohmann/json.hpp>

namespace permafrost::profile {
namespace {

using nlohmann::ordered_json;

/// Calls visit(layer, tensor, bytes) in the order of the file: all 8-byte items first, so that every tensor
/// is aligned.
template <class Visit>
Result<void> visit_tensors(const Profile& profile, Visit visit) {
    for (const std::uint64_t item_bytes : {8u, 4u}) {
        for (std::uint32_t layer = 0; layer < profile.layers.size(); ++layer) {
            if (!profile.layers[layer]) continue;
            const auto& statistics = profile.layers[layer]->statistics();
            const auto tensors = layer_tensors(statistics.neurons);
            const auto bytes = layer_bytes(statistics);
            for (std::size_t i = 0; i < tensors.size(); ++i)
                if (tensors[i].item_bytes() == item_bytes)
                    PERMAFROST_CHECK(visit(layer, tensors[i], bytes[i]));
        }
    }
    return {};
}

Result<std::string> header_of(const Profile& profile) {
    ordered_json header;
    header["__metadata__"] = to_strings(profile.info);
    std::uint64_t offset = 0;
    PERMAFROST_CHECK(
        visit_tensors(profile, [&](std::uint32_t layer, const LayerTensor& tensor, ByteSpan bytes) {
            if (bytes.size() != tensor.bytes())
                return Result<void>(Error{"Layer " + std::to_string(layer) +
                                          "'s statistics are inconsistent: " + std::string(tensor.field) +
                                          " has another size than its neurons ask for."});
            header[tensor_name(layer, tensor.field)] = {{"dtype", tensor.type},
                                                        {"shape", tensor.shape},
                                                        {"data_offsets", {offset, offset + bytes.size()}}};
            offset += bytes.size();
            return Result<void>();
        }));
    std::string text = header.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    text.resize(align_up(text.size(), 8), ' ');
    return text;
}

/// Calls put(bytes) for all that the file consists of, in order.
template <class Put>
Result<void> put_all(const Profile& profile, Put put) {
    PERMAFROST_TRY(const std::string header, header_of(profile));
    const std::uint64_t header_length = header.size();
    PERMAFROST_CHECK(put(bytes_of(std::span(&header_length, 1))));
    PERMAFROST_CHECK(put(bytes_of(header)));
    return visit_tensors(profile,
                         [&](std::uint32_t, const LayerTensor&, ByteSpan bytes) { return put(bytes); });
}

} // namespace

Result<std::string> write_profile(const Profile& profile, const std::filesystem::path& target) {
    PERMAFROST_TRY(AtomicFile file, AtomicFile::create(target));
    Sha256 hash;
    PERMAFROST_CHECK(put_all(profile, [&](ByteSpan bytes) {
        hash.add(bytes);
        return file.write(bytes);
    }));
    PERMAFROST_CHECK(file.commit());
    return hash.finish();
}

Result<std::string> profile_bytes(const Profile& profile) {
    std::uint64_t size = 0;
    PERMAFROST_CHECK(put_all(profile, [&](ByteSpan bytes) {
        size += bytes.size();
        return Result<void>();
    }));
    std::string all;
    all.reserve(size);
    PERMAFROST_CHECK(put_all(profile, [&](ByteSpan bytes) {
        all += text_of(bytes);
        return Result<void>();
    }));
    return all;
}

} // namespace permafrost::profile
