// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of Q4_K, part of row_kernel.cpp: included once for each kind of processor, inside its namespace. On x86 the products are
// of integers, 64 at a time; the f32 loop for other processors converts each weight first.

// The eight scales and minimums of a Q4_K block in turn, a byte each (their packing: decode_k_blocks.cpp).
HWY_INLINE void unpack_scales(const std::byte* packed, std::uint8_t* scales_and_minimums) {
    constexpr std::uint32_t six = 0x3f3f3f3fu, four = 0x0f0f0f0fu, two = 0x03030303u;
    std::uint32_t words[3];
    std::memcpy(words, packed, sizeof words);
    const std::uint32_t unpacked[4] = {words[0] & six, (words[2] & four) | (words[0] >> 6 & two) << 4,
                                       words[1] & six, (words[2] >> 4 & four) | (words[1] >> 6 & two) << 4};
    std::memcpy(scales_and_minimums, unpacked, sizeof unpacked);
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4700 4701, ignored "-Wmaybe-uninitialized")

// Products of a pair of weights (0 … 15) with x fit 16 bits: 2 * 15 * 128. They are multiplied with the block's 6-bit scales, and sums
// of 256 fit 32 bits even after `high` counts 128-fold: 128 * 2 * 2 * 4 * 3840 * 63 < 2^31.
#if HWY_TARGET <= HWY_AVX3

// (128 * high + low) * weights * scales, summed over a block to 16 lanes.
HWY_INLINE __m512 block_sums(const std::uint8_t* packed, __m128i scales, const std::int8_t* high,
                             const std::int8_t* low) {
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i shifts = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4);
    const __m512i every_scale = _mm512_broadcast_i32x4(_mm_cvtepu8_epi16(scales));
    // Bytes of 16-bit scale 2 * pair for the lower half of a vector, and of the next for the upper one.
    const auto choice = [](int pair) {
        const auto lower = static_cast<std::int16_t>(0x0100 + 0x0404 * pair);
        return _mm512_inserti64x4(_mm512_set1_epi16(lower),
                                  _mm256_set1_epi16(static_cast<std::int16_t>(lower + 0x0202)), 1);
    };
    __m512i high_sum = _mm512_setzero_si512(), low_sum = _mm512_setzero_si512();
    for (int pair = 0; pair < 4; ++pair) {
        // The low nibbles of 32 bytes are one run of weights, the high ones the next.
        const auto both =
            _mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(packed + 32 * pair)));
        const auto weights = _mm512_and_si512(_mm512_srlv_epi32(both, shifts), nibble);
        const auto scale = _mm512_shuffle_epi8(every_scale, choice(pair));
        high_sum = add_products(high_sum, _mm512_maddubs_epi16(weights, _mm512_loadu_si512(high + 64 * pair)),
                                scale);
        low_sum =
            add_products(low_sum, _mm512_maddubs_epi16(weights, _mm512_loadu_si512(low + 64 * pair)), scale);
    }
    return _mm512_cvtepi32_ps(_mm512_add_epi32(_mm512_slli_epi32(high_sum, 7), low_sum));
}

#else

// The same with vectors of half the size.
HWY_INLINE __m256 block_sums(const std::uint8_t* packed, __m128i scales, const std::int8_t* high,
                             const std::int8_t* low) {
    const auto nibble = _mm256_set1_epi8(15);
    const auto every_scale = _mm256_broadcastsi128_si256(_mm_cvtepu8_epi16(scales));
    const auto at = [](const std::int8_t* x) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
    };
    auto high_sum = _mm256_setzero_si256(), low_sum = high_sum;
    const auto add = [&](__m256i weights, int run) {
        const auto scale = _mm256_shuffle_epi8(
            every_scale, _mm256_set1_epi16(static_cast<std::int16_t>(0x0100 + 0x0202 * run)));
        high_sum = _mm256_add_epi32(
            high_sum, _mm256_madd_epi16(_mm256_maddubs_epi16(weights, at(high + 32 * run)), scale));
        low_sum = _mm256_add_epi32(
            low_sum, _mm256_madd_epi16(_mm256_maddubs_epi16(weights, at(low + 32 * run)), scale));
    };
    for (int pair = 0; pair < 4; ++pair) {
        const auto both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(packed + 32 * pair));
        add(_mm256_and_si256(both, nibble), 2 * pair);
        add(_mm256_and_si256(_mm256_srli_epi16(both, 4), nibble), 2 * pair + 1);
    }
    return _mm256_cvtepi32_ps(_mm256_add_epi32(_mm256_slli_epi32(high_sum, 7), low_sum));
}

#endif

float dot_q4_k(const std::byte* row, const std::byte* ahead, const RowInput::Slice& x, std::size_t count) {
    auto sum = no_sums();
    auto offsets = _mm256_setzero_ps();
    alignas(16) std::uint8_t unpacked[16];
    for (std::size_t block = 0; block < count / 256; ++block, row += 144, ahead += 144) {
        prefetch_block<144>(ahead);
        unpack_scales(row + 4, unpacked);
        const auto scales = _mm_load_si128(reinterpret_cast<const __m128i*>(unpacked));
        const auto minimums = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_unpackhi_epi64(scales, scales)));
        sum =
            add_scaled(sum, block_sums(bytes_at(row + 16), scales, x.high + 256 * block, x.low + 256 * block),
                       half_at(row) * x.scales[block]);
        offsets = _mm256_fmadd_ps(_mm256_mul_ps(minimums, _mm256_set1_ps(half_at(row + 2))),
                                  _mm256_loadu_ps(x.rounded_sums + 8 * block), offsets);
    }
    return total(sum) - total_of_eight(offsets);
}

HWY_DIAGNOSTICS(pop)

#else

float dot_q4_k(const std::byte* row, const std::byte* ahead, const RowInput::Slice& input,
               std::size_t count) {
    using EightFloats = hn::CappedTag<float, 8>;
    const Floats floats;
    const EightFloats eight;
    const hn::Rebind<std::int32_t, EightFloats> integers;
    const hn::Rebind<std::uint8_t, EightFloats> bytes;
    constexpr std::size_t step = lanes < 8 ? lanes : 8;
    const auto *x = input.values, *sums = input.sums;
    Vector first = hn::Zero(floats), second = hn::Zero(floats);
    auto offset = hn::Zero(eight);
    alignas(32) float scales[8];
    alignas(16) std::uint8_t packed_scales[16];
    for (std::size_t block = 0; block < count / 256; ++block, row += 144, ahead += 144, x += 256, sums += 8) {
        prefetch_block<144>(ahead);
        unpack_scales(row + 4, packed_scales);
        const auto d = hn::Set(eight, half_at(row)), d_minimum = hn::Set(eight, half_at(row + 2));
        for (std::size_t i = 0; i < 8; i += step) {
            const auto scale =
                hn::ConvertTo(eight, hn::PromoteTo(integers, hn::LoadU(bytes, packed_scales + i)));
            const auto minimum =
                hn::ConvertTo(eight, hn::PromoteTo(integers, hn::LoadU(bytes, packed_scales + 8 + i)));
            hn::Store(hn::Mul(scale, d), eight, scales + i);
            offset = hn::MulAdd(hn::Mul(minimum, d_minimum), hn::LoadU(eight, sums + i), offset);
        }
        const auto* packed = bytes_at(row + 16);
        for (std::size_t pair = 0; pair < 4; ++pair, packed += 32) {
            Vector low = hn::Zero(floats), high = hn::Zero(floats);
            add_nibbles(packed, 32, x + 64 * pair, x + 64 * pair + 32, low, high);
            first = hn::MulAdd(low, hn::Set(floats, scales[2 * pair]), first);
            second = hn::MulAdd(high, hn::Set(floats, scales[2 * pair + 1]), second);
        }
    }
    return sum_of(first, second) - hn::GetLane(hn::SumOfLanes(eight, offset));
}

#endif
