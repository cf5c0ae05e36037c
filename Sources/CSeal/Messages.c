#include "CSeal.h"
#include "Layout.h"
#include "Sodium.h"

#include <stdlib.h>
#include <string.h>

static long opened_pages, sealed_pages;

void daybook_seal_work(long *opened, long *sealed) {
  *opened = __atomic_load_n(&opened_pages, __ATOMIC_RELAXED);
  *sealed = __atomic_load_n(&sealed_pages, __ATOMIC_RELAXED);
}

// What is authenticated with a page: the journal, the kind, the number, and eight more bytes.
enum { PAGE_CONTEXT = DAYBOOK_SEAL_ID_BYTES + 1 + 8 + 8 };

// Returns the key of a page, and its context.
static const uint8_t *page_key(const struct daybook_seal_key *key, enum page_kind kind,
                               uint64_t number, const uint8_t *extra, uint8_t *context) {
  memcpy(context, key->id, DAYBOOK_SEAL_ID_BYTES);
  context[DAYBOOK_SEAL_ID_BYTES] = (uint8_t)kind;
  put64(context + DAYBOOK_SEAL_ID_BYTES + 1, number);
  memcpy(context + DAYBOOK_SEAL_ID_BYTES + 9, extra, 8);
  enum derived derived = kind == KIND_PAGE      ? KEY_PAGES
                         : kind == KIND_JOURNAL ? KEY_JOURNAL
                                                : KEY_MAP;
  return key->derived[derived];
}

void daybook_seal_page(const struct daybook_seal_key *key, enum page_kind kind, uint64_t number,
                       const uint8_t *extra, const uint8_t *nonce, const uint8_t *input,
                       uint8_t *output) {
  uint8_t context[PAGE_CONTEXT];
  const uint8_t *sealing = page_key(key, kind, number, extra, context);
  daybook_sodium.crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      output, output + USABLE + NONCE, NULL, input, USABLE, context, sizeof context, NULL, nonce,
      sealing);
  memcpy(output + USABLE, nonce, NONCE);
  __atomic_add_fetch(&sealed_pages, 1, __ATOMIC_RELAXED);
}

int daybook_seal_page_open(const struct daybook_seal_key *key, enum page_kind kind, uint64_t number,
                           const uint8_t *extra, const uint8_t *input, uint8_t *output) {
  uint8_t context[PAGE_CONTEXT];
  const uint8_t *sealing = page_key(key, kind, number, extra, context);
  __atomic_add_fetch(&opened_pages, 1, __ATOMIC_RELAXED);
  if (daybook_sodium.crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
          output, NULL, input, USABLE, input + USABLE + NONCE, context, sizeof context,
          input + USABLE, sealing) != 0)
    return -1;
  memset(output + USABLE, 0, RESERVED);
  return 0;
}

// A message's context: the journal's id and the purpose.
static uint8_t *context_of(const struct daybook_seal_key *key, const char *purpose, size_t *count) {
  size_t length = strlen(purpose);
  uint8_t *context = malloc(DAYBOOK_SEAL_ID_BYTES + length);
  if (!context) return NULL;
  memcpy(context, key->id, DAYBOOK_SEAL_ID_BYTES);
  memcpy(context + DAYBOOK_SEAL_ID_BYTES, purpose, length);
  *count = DAYBOOK_SEAL_ID_BYTES + length;
  return context;
}

// Seals a message whose nonce is in the output already.
static int seal_message(const struct daybook_seal_key *key, const char *purpose,
                        const uint8_t *input, size_t count, uint8_t *output) {
  size_t context_count;
  uint8_t *context = context_of(key, purpose, &context_count);
  if (!context) return DAYBOOK_SEAL_MEMORY;
  daybook_sodium.crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      output + NONCE, output + NONCE + count, NULL, input, count, context, context_count, NULL,
      output, key->derived[KEY_MESSAGES]);
  free(context);
  return DAYBOOK_SEAL_OK;
}

int daybook_seal_message(const struct daybook_seal_key *key, const char *purpose,
                         const uint8_t *input, size_t count, uint8_t *output) {
  daybook_seal_random(output, NONCE);
  return seal_message(key, purpose, input, count, output);
}

int daybook_seal_message_repeatable(const struct daybook_seal_key *key, const char *purpose,
                                    const uint8_t *input, size_t count, uint8_t *output) {
  uint8_t hash[32];
  daybook_seal_name(key, purpose, input, count, hash);
  memcpy(output, hash, NONCE);
  return seal_message(key, purpose, input, count, output);
}

int daybook_seal_message_open(const struct daybook_seal_key *key, const char *purpose,
                              const uint8_t *input, size_t count, uint8_t *output) {
  if (count < DAYBOOK_SEAL_EXTRA_BYTES) return DAYBOOK_SEAL_FORGED;
  size_t context_count;
  uint8_t *context = context_of(key, purpose, &context_count);
  if (!context) return DAYBOOK_SEAL_MEMORY;
  int result = daybook_sodium.crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
      output, NULL, input + NONCE, count - RESERVED, input + count - TAG, context, context_count,
      input, key->derived[KEY_MESSAGES]);
  free(context);
  return result == 0 ? DAYBOOK_SEAL_OK : DAYBOOK_SEAL_FORGED;
}

void daybook_seal_name(const struct daybook_seal_key *key, const char *purpose,
                       const uint8_t *input, size_t count, uint8_t *output) {
  // A key for each purpose, so that equal inputs of two purposes have different names.
  uint8_t derived[32];
  daybook_sodium.crypto_generichash(derived, sizeof derived, (const uint8_t *)purpose,
                                    strlen(purpose), key->derived[KEY_NAMES], 32);
  daybook_sodium.crypto_generichash(output, 32, input, count, derived, sizeof derived);
  daybook_seal_wipe(derived, sizeof derived);
}

int daybook_seal_box(const uint8_t *public_key, const uint8_t *input, size_t count,
                     uint8_t *output) {
  return daybook_sodium.crypto_box_seal(output, input, count, public_key) == 0
             ? DAYBOOK_SEAL_OK
             : DAYBOOK_SEAL_FORGED;
}

int daybook_seal_box_open(const struct daybook_seal_key *key, const uint8_t *input, size_t count,
                          uint8_t *output) {
  if (count < DAYBOOK_SEAL_BOX_EXTRA_BYTES) return DAYBOOK_SEAL_FORGED;
  return daybook_sodium.crypto_box_seal_open(output, input, count, key->public_key,
                                             key->box_secret) == 0
             ? DAYBOOK_SEAL_OK
             : DAYBOOK_SEAL_FORGED;
}
