#pragma once
#include <openssl/evp.h>

/// SHA-256 into 32 bytes; 1 on success. The context is made once per thread: making one, and looking the algorithm up by its name,
/// costs several times as much as hashing a key.
static inline int headgate_sha256(const void *data, size_t count, unsigned char *digest) {
    static _Thread_local EVP_MD_CTX *context = NULL;
    if (context == NULL) {
        context = EVP_MD_CTX_new();
        if (context == NULL || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1) return 0;
    } else if (EVP_DigestInit_ex(context, NULL, NULL) != 1) {
        return 0;
    }
    return EVP_DigestUpdate(context, data, count) == 1 && EVP_DigestFinal_ex(context, digest, NULL) == 1;
}
