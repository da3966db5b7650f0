// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <openssl/evp.h>

#include <array>

namespace permafrost {

struct Sha256::Context {
    EVP_MD_CTX* digest = EVP_MD_CTX_new();
    ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    EVP_DigestInit_ex(context_->digest, EVP_sha256(), nullptr);
}
Sha256::~Sha256() = default;

void Sha256::add(ByteSpan bytes) { EVP_DigestUpdate(context_->digest, bytes.data(), bytes.size()); }

std::array<std::byte, 32> Sha256::finish_bytes() {
    std::array<std::byte, 32> digest{};
    EVP_DigestFinal_ex(context_->digest, reinterpret_cast<unsigned char*>(digest.data()), nullptr);
    return digest;
}

std::string Sha256::finish() {
    std::string hex;
    for (const auto byte : finish_bytes()) {
        hex += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> 4];
        hex += "0123456789abcdef"[std::to_integer<unsigned>(byte) & 15];
    }
    return hex;
}

std::string sha256_hex(ByteSpan bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.finish();
}

} // namespace permafrost
