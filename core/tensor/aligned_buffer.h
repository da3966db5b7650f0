// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace permafrost::tensor {

/// Uninitialised memory for `size` elements of a trivial type, aligned to 64 bytes so that every run sees the same
/// vector boundaries (results must not depend on where the allocator put a buffer).
template <class T>
class AlignedBuffer {
  public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t size)
        : data_(size == 0 ? nullptr
                          : static_cast<T*>(::operator new (size * sizeof(T), std::align_val_t{64}))),
          size_(size) {}

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T& operator[](std::size_t i) const { return data_.get()[i]; }
    std::span<T> span() { return {data(), size_}; }
    std::span<const T> span() const { return {data(), size_}; }
    /// Grows or keeps; the contents are undefined afterwards.
    void ensure(std::size_t size) {
        if (size > size_) *this = AlignedBuffer(size);
    }

  private:
    struct Release {
        void operator()(T* memory) const { ::operator delete (memory, std::align_val_t{64}); }
    };
    std::unique_ptr<T, Release> data_;
    std::size_t size_ = 0;
};

} // namespace permafrost::tensor
