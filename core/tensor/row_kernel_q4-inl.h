// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of Q4_0 and Q4_1, part of row_kernel.cpp: included once for each kind of processor, inside its namespace. On x86 the products are
// of integers, as for Q4_K; each block of 32 has a scale of its own.

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4700 4701, ignored "-Wmaybe-uninitialized")

/// What the first four bytes of 8 blocks hold, as far as there are so many: d, and after it the minimum of Q4_1.
struct BlockHeads {
    __m256 scales, minimums;
};
HWY_INLINE BlockHeads heads_of(const std::byte* row, std::size_t block_bytes, std::size_t blocks) {
    const auto step = static_cast<int>(block_bytes);
    const auto lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const auto wanted = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(blocks)), lane);
    const auto words =
        _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), reinterpret_cast<const int*>(row),
                                    _mm256_mullo_epi32(lane, _mm256_set1_epi32(step)), wanted, 1);
    const auto lower = _mm256_and_si256(words, _mm256_set1_epi32(0xffff)),
               upper = _mm256_srli_epi32(words, 16);
    const auto halves = _mm256_permute4x64_epi64(_mm256_packus_epi32(lower, upper), 0xd8);
    return {_mm256_cvtph_ps(_mm256_castsi256_si128(halves)),
            _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1))};
}

#if HWY_TARGET <= HWY_AVX3

// Two blocks that follow each other.
HWY_INLINE __m512 products_of(const std::byte* first, const std::byte* second, const std::int8_t* high,
                              const std::int8_t* low) {
    const auto shifts = _mm512_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4, 0, 0, 0, 0, 4, 4, 4, 4);
    const auto at = [](const std::byte* packed) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(packed));
    };
    const auto both = _mm512_mask_broadcast_i32x4(_mm512_broadcast_i32x4(at(first)), 0xff00, at(second));
    const auto weights = _mm512_and_si512(_mm512_srlv_epi32(both, shifts), _mm512_set1_epi8(15));
    const auto sums =
        add_products(_mm512_setzero_si512(), _mm512_maddubs_epi16(weights, _mm512_loadu_si512(high)),
                     _mm512_set1_epi16(128));
    return _mm512_cvtepi32_ps(
        add_products(sums, _mm512_maddubs_epi16(weights, _mm512_loadu_si512(low)), _mm512_set1_epi16(1)));
}

// Sums of up to 8 blocks times their scales; `x_scale` comes in last.
HWY_INLINE __m512 scaled_products(const std::byte* packed, std::size_t block_bytes, std::size_t blocks,
                                  const float* scales, const std::int8_t* high, const std::int8_t* low) {
    auto sum = _mm512_setzero_ps();
    for (std::size_t block = 0; block < blocks; block += 2) {
        const auto* first = packed + block * block_bytes;
        const auto scale = _mm512_mask_broadcastss_ps(_mm512_set1_ps(scales[block]), 0xff00,
                                                      _mm_load_ss(scales + block + 1));
        // An odd block at the end stands for its neighbour too, whose scale is 0.
        sum = _mm512_fmadd_ps(products_of(first, block + 1 < blocks ? first + block_bytes : first,
                                          high + 32 * block, low + 32 * block),
                              scale, sum);
    }
    return sum;
}

#else

HWY_INLINE __m256 scaled_products(const std::byte* packed, std::size_t block_bytes, std::size_t blocks,
                                  const float* scales, const std::int8_t* high, const std::int8_t* low) {
    const auto shifts = _mm256_setr_epi32(0, 0, 0, 0, 4, 4, 4, 4);
    const auto at = [](const std::int8_t* x) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
    };
    auto sum = _mm256_setzero_ps();
    for (std::size_t block = 0; block < blocks; ++block, packed += block_bytes) {
        const auto both =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(packed)));
        const auto weights = _mm256_and_si256(_mm256_srlv_epi32(both, shifts), _mm256_set1_epi8(15));
        const auto upper =
            _mm256_madd_epi16(_mm256_maddubs_epi16(weights, at(high + 32 * block)), _mm256_set1_epi16(128));
        const auto lower =
            _mm256_madd_epi16(_mm256_maddubs_epi16(weights, at(low + 32 * block)), _mm256_set1_epi16(1));
        sum = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_add_epi32(upper, lower)),
                              _mm256_set1_ps(scales[block]), sum);
    }
    return sum;
}

#endif

/// `head`: bytes of a block before its nibbles: 2, or 4 with a minimum. Without one a weight is d * (q - 8).
template <std::size_t head>
float dot_q4(const std::byte* row, const std::byte* ahead, const RowInput::Slice& x, std::size_t count) {
    constexpr std::size_t block_bytes = head + 16;
    auto sum = no_sums();
    auto offsets = _mm256_setzero_ps();
    alignas(32) float scales[8];
    const std::size_t all = count / 32;
    for (std::size_t block = 0; block < all; block += 8) {
        const auto blocks = all - block < 8 ? all - block : 8;
        const auto* at = row + block * block_bytes;
        prefetch_block<8 * block_bytes>(ahead + block * block_bytes);
        const auto heads = heads_of(at, block_bytes, blocks);
        _mm256_store_ps(scales, heads.scales);
        sum = add_scaled(
            sum,
            scaled_products(at + head, block_bytes, blocks, scales, x.high + 32 * block, x.low + 32 * block),
            x.scales[block / 8]);
        alignas(32) float run_sums[8] = {};
        const float* sums = x.rounded_sums + block;
        if (blocks < 8) {
            for (std::size_t i = 0; i < blocks; ++i) run_sums[i] = sums[i];
            sums = run_sums;
        }
        offsets =
            _mm256_fmadd_ps(head == 4 ? heads.minimums : _mm256_mul_ps(heads.scales, _mm256_set1_ps(-8)),
                            _mm256_loadu_ps(sums), offsets);
    }
    return total(sum) + total_of_eight(offsets);
}

float dot_q4_0(const std::byte* row, const std::byte* ahead, const RowInput::Slice& x, std::size_t count) {
    return dot_q4<2>(row, ahead, x, count);
}
float dot_q4_1(const std::byte* row, const std::byte* ahead, const RowInput::Slice& x, std::size_t count) {
    return dot_q4<4>(row, ahead, x, count);
}

HWY_DIAGNOSTICS(pop)

#else

float dot_q4_0(const std::byte* row, const std::byte* ahead, const RowInput::Slice& input,
               std::size_t count) {
    const Floats floats;
    const auto *x = input.values, *sums = input.sums;
    Vector first = hn::Zero(floats), second = hn::Zero(floats);
    float offset = 0;
    for (std::size_t block = 0; block < count / 32; ++block, row += 18, ahead += 18, x += 32) {
        prefetch_block<18>(ahead);
        const float d = half_at(row);
        Vector low = hn::Zero(floats), high = hn::Zero(floats);
        add_nibbles(bytes_at(row + 2), 16, x, x + 16, low, high);
        first = hn::MulAdd(low, hn::Set(floats, d), first);
        second = hn::MulAdd(high, hn::Set(floats, d), second);
        offset += d * sums[block];
    }
    return sum_of(first, second) - 8 * offset;
}

float dot_q4_1(const std::byte* row, const std::byte* ahead, const RowInput::Slice& input,
               std::size_t count) {
    const Floats floats;
    const auto *x = input.values, *sums = input.sums;
    Vector first = hn::Zero(floats), second = hn::Zero(floats);
    float offset = 0;
    for (std::size_t block = 0; block < count / 32; ++block, row += 20, ahead += 20, x += 32) {
        prefetch_block<20>(ahead);
        const float d = half_at(row);
        Vector low = hn::Zero(floats), high = hn::Zero(floats);
        add_nibbles(bytes_at(row + 4), 16, x, x + 16, low, high);
        first = hn::MulAdd(low, hn::Set(floats, d), first);
        second = hn::MulAdd(high, hn::Set(floats, d), second);
        offset += half_at(row + 2) * sums[block];
    }
    return sum_of(first, second) + offset;
}

#endif
