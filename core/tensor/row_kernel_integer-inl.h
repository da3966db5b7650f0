// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the integer kernels of row_kernel.cpp share, for x86: included once for each kind of processor, inside its namespace.

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

// GCC 12 takes the undefined values in its own intrinsics for ours.
HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4700 4701, ignored "-Wmaybe-uninitialized")

#if HWY_TARGET <= HWY_AVX3

/// sum + the products of 16-bit pairs.
HWY_INLINE __m512i add_products(__m512i sum, __m512i a, __m512i b) {
#ifdef __AVX512VNNI__
    return _mm512_dpwssd_epi32(sum, a, b);
#else
    return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
#endif
}

using BlockSums = __m512;
HWY_INLINE BlockSums no_sums() { return _mm512_setzero_ps(); }
HWY_INLINE BlockSums add_scaled(BlockSums sum, BlockSums block, float scale) {
    return _mm512_fmadd_ps(block, _mm512_set1_ps(scale), sum);
}

#else

using BlockSums = __m256;
HWY_INLINE BlockSums no_sums() { return _mm256_setzero_ps(); }
HWY_INLINE BlockSums add_scaled(BlockSums sum, BlockSums block, float scale) {
    return _mm256_fmadd_ps(block, _mm256_set1_ps(scale), sum);
}

#endif

HWY_INLINE float total(BlockSums sums) { return hn::GetLane(hn::SumOfLanes(Floats(), Vector{sums})); }
HWY_INLINE float total_of_eight(__m256 sums) {
    const hn::CappedTag<float, 8> eight;
    return hn::GetLane(hn::SumOfLanes(eight, hn::Vec<decltype(eight)>{sums}));
}

HWY_DIAGNOSTICS(pop)

#endif
