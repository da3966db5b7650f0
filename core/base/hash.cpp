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

std::string Sha256::finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
    unsigned int length = 0;
    EVP_DigestFinal_ex(context_->digest, raw.data(), &length);
    std::string hex;
    for (unsigned int i = 0; i < length; ++i) {
        hex += "0123456789abcdef"[raw[i] >> 4];
        hex += "0123456789abcdef"[raw[i] & 15];
    }
    return hex;
}

std::string sha256_hex(ByteSpan bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.finish();
}

} // namespace permafrost
