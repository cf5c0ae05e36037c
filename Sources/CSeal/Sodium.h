#ifndef DAYBOOK_SODIUM_H
#define DAYBOOK_SODIUM_H

#include <sodium.h>

// The called functions of libsodium, by name, with the types of its headers.
#define DAYBOOK_SODIUM_FUNCTIONS(F)                                                                \
  F(sodium_init)                                                                                   \
  F(sodium_malloc)                                                                                 \
  F(sodium_free)                                                                                   \
  F(sodium_memzero)                                                                                \
  F(sodium_memcmp)                                                                                 \
  F(randombytes_buf)                                                                               \
  F(crypto_aead_xchacha20poly1305_ietf_encrypt_detached)                                           \
  F(crypto_aead_xchacha20poly1305_ietf_decrypt_detached)                                           \
  F(crypto_stream_xchacha20_xor)                                                                   \
  F(crypto_generichash)                                                                            \
  F(crypto_kdf_derive_from_key)                                                                    \
  F(crypto_pwhash)                                                                                 \
  F(crypto_box_seed_keypair)                                                                       \
  F(crypto_box_seal)                                                                               \
  F(crypto_box_seal_open)

// libsodium's functions after a successful `daybook_seal_load`.
struct daybook_sodium {
#define DAYBOOK_SODIUM_POINTER(name) __typeof__(&name) name;
  DAYBOOK_SODIUM_FUNCTIONS(DAYBOOK_SODIUM_POINTER)
#undef DAYBOOK_SODIUM_POINTER
};
extern struct daybook_sodium daybook_sodium;

#endif
