#include "CSeal.h"
#include "Layout.h"
#include "Sodium.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char derivation[crypto_kdf_CONTEXTBYTES] = {'d', 'a', 'y', 'b', 'o', 'o', 'k', '1'};

struct daybook_seal_key *daybook_seal_key_from(const uint8_t *bytes, const uint8_t *id) {
  // sodium_malloc locks the memory, keeps it out of core dumps and puts guard pages around it.
  struct daybook_seal_key *key = daybook_sodium.sodium_malloc(sizeof *key);
  if (!key) return NULL;
  key->references = 1;
  memcpy(key->bytes, bytes, sizeof key->bytes);
  memcpy(key->id, id, sizeof key->id);
  for (int i = 0; i < KEYS; i++)
    daybook_sodium.crypto_kdf_derive_from_key(key->derived[i], 32, (uint64_t)i + 1, derivation,
                                              key->bytes);
  daybook_sodium.crypto_box_seed_keypair(key->public_key, key->box_secret,
                                         key->derived[KEY_BOX_SEED]);
  return key;
}

struct daybook_seal_key *daybook_seal_key_new(void) {
  uint8_t bytes[DAYBOOK_SEAL_KEY_BYTES], id[DAYBOOK_SEAL_ID_BYTES];
  daybook_seal_random(bytes, sizeof bytes);
  daybook_seal_random(id, sizeof id);
  struct daybook_seal_key *key = daybook_seal_key_from(bytes, id);
  daybook_seal_wipe(bytes, sizeof bytes);
  return key;
}

struct daybook_seal_key *daybook_seal_key_retain(struct daybook_seal_key *key) {
  __atomic_add_fetch(&key->references, 1, __ATOMIC_RELAXED);
  return key;
}

void daybook_seal_key_release(struct daybook_seal_key *key) {
  // sodium_free wipes the memory.
  if (key && __atomic_sub_fetch(&key->references, 1, __ATOMIC_ACQ_REL) == 0)
    daybook_sodium.sodium_free(key);
}

const uint8_t *daybook_seal_key_id(const struct daybook_seal_key *key) { return key->id; }

const uint8_t *daybook_seal_key_public(const struct daybook_seal_key *key) {
  return key->public_key;
}

const uint8_t *daybook_seal_key_bytes(const struct daybook_seal_key *key) { return key->bytes; }

// MARK: Registered keys

static struct daybook_seal_key **registered;
static int registered_count, registered_room;
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;

static int place_of(const uint8_t *id) {
  for (int i = 0; i < registered_count; i++)
    if (memcmp(registered[i]->id, id, DAYBOOK_SEAL_ID_BYTES) == 0) return i;
  return -1;
}

void daybook_seal_key_register(struct daybook_seal_key *key) {
  daybook_seal_key_retain(key);
  pthread_mutex_lock(&registry);
  int place = place_of(key->id);
  if (place < 0 && registered_count == registered_room) {
    int room = 2 * registered_room + 8;
    struct daybook_seal_key **grown = realloc(registered, (size_t)room * sizeof *grown);
    if (!grown) abort();
    registered = grown;
    registered_room = room;
  }
  struct daybook_seal_key *old = place < 0 ? NULL : registered[place];
  registered[place < 0 ? registered_count++ : place] = key;
  pthread_mutex_unlock(&registry);
  daybook_seal_key_release(old);
}

void daybook_seal_key_forget(const uint8_t *id) {
  pthread_mutex_lock(&registry);
  int place = place_of(id);
  struct daybook_seal_key *old = place < 0 ? NULL : registered[place];
  if (place >= 0) registered[place] = registered[--registered_count];
  pthread_mutex_unlock(&registry);
  daybook_seal_key_release(old);
}

struct daybook_seal_key *daybook_seal_key_find(const uint8_t *id) {
  pthread_mutex_lock(&registry);
  int place = place_of(id);
  struct daybook_seal_key *key = place < 0 ? NULL : daybook_seal_key_retain(registered[place]);
  pthread_mutex_unlock(&registry);
  return key;
}

// MARK: Slots

// Where the fields of a slot begin.
enum {
  SLOT_KIND = 0,
  SLOT_ALGORITHM = 1,
  SLOT_OPERATIONS = 4,
  SLOT_MEMORY = 8,
  SLOT_SALT = 16,
  SLOT_NONCE = 32,
  SLOT_WRAPPED = 56,
  SLOT_RECOVERY_PUBLIC = 16,
  SLOT_RECOVERY_BOX = 48,
};

// The journal's id and the slot's parameters are authenticated with the wrapped key.
static void slot_context(const uint8_t *slot, const uint8_t *id, uint8_t *context) {
  memcpy(context, id, DAYBOOK_SEAL_ID_BYTES);
  memcpy(context + DAYBOOK_SEAL_ID_BYTES, slot, SLOT_NONCE);
}
enum { CONTEXT = DAYBOOK_SEAL_ID_BYTES + SLOT_NONCE };

// The largest cost that is paid for a slot, which may come from another machine.
enum { MOST_OPERATIONS = 64 };
#define MOST_MEMORY ((uint64_t)4 << 30)

static int passphrase_key(const uint8_t *slot, const void *secret, size_t count, uint8_t *output) {
  if (slot[SLOT_ALGORITHM] != crypto_pwhash_ALG_ARGON2ID13 ||
      get32(slot + SLOT_OPERATIONS) > MOST_OPERATIONS || get64(slot + SLOT_MEMORY) > MOST_MEMORY)
    return DAYBOOK_SEAL_NO_HEADER;
  return daybook_sodium.crypto_pwhash(output, 32, secret, count, slot + SLOT_SALT,
                                      get32(slot + SLOT_OPERATIONS),
                                      (size_t)get64(slot + SLOT_MEMORY),
                                      crypto_pwhash_ALG_ARGON2ID13) == 0
             ? DAYBOOK_SEAL_OK
             : DAYBOOK_SEAL_MEMORY;
}

int daybook_seal_slot_wrap_passphrase(uint8_t *slot, const struct daybook_seal_key *key,
                                      const char *passphrase, size_t count, uint32_t operations,
                                      uint64_t memory) {
  memset(slot, 0, DAYBOOK_SEAL_SLOT_BYTES);
  slot[SLOT_KIND] = DAYBOOK_SEAL_SLOT_PASSPHRASE;
  slot[SLOT_ALGORITHM] = crypto_pwhash_ALG_ARGON2ID13;
  put32(slot + SLOT_OPERATIONS, operations);
  put64(slot + SLOT_MEMORY, memory);
  daybook_seal_random(slot + SLOT_SALT, DAYBOOK_SEAL_SALT_BYTES);
  daybook_seal_random(slot + SLOT_NONCE, NONCE);
  uint8_t wrapping[32], context[CONTEXT];
  int result = passphrase_key(slot, passphrase, count, wrapping);
  if (result != DAYBOOK_SEAL_OK) return result;
  slot_context(slot, key->id, context);
  daybook_sodium.crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      slot + SLOT_WRAPPED, slot + SLOT_WRAPPED + 32, NULL, key->bytes, 32, context, sizeof context,
      NULL, slot + SLOT_NONCE, wrapping);
  daybook_seal_wipe(wrapping, sizeof wrapping);
  return DAYBOOK_SEAL_OK;
}

static void recovery_pair(const void *secret, size_t count, uint8_t *public_key,
                          uint8_t *secret_key) {
  static const uint8_t purpose[] = "daybook recovery key";
  uint8_t seed[32];
  daybook_sodium.crypto_generichash(seed, sizeof seed, secret, count, purpose, sizeof purpose - 1);
  daybook_sodium.crypto_box_seed_keypair(public_key, secret_key, seed);
  daybook_seal_wipe(seed, sizeof seed);
}

int daybook_seal_slot_wrap_recovery(uint8_t *slot, const struct daybook_seal_key *key,
                                    const uint8_t *recovery, size_t count) {
  memset(slot, 0, DAYBOOK_SEAL_SLOT_BYTES);
  slot[SLOT_KIND] = DAYBOOK_SEAL_SLOT_RECOVERY;
  uint8_t secret_key[32];
  recovery_pair(recovery, count, slot + SLOT_RECOVERY_PUBLIC, secret_key);
  daybook_seal_wipe(secret_key, sizeof secret_key);
  return daybook_seal_box(slot + SLOT_RECOVERY_PUBLIC, key->bytes, 32, slot + SLOT_RECOVERY_BOX);
}

static int unwrap_passphrase(const uint8_t *slot, const uint8_t *id, const void *secret,
                             size_t count, uint8_t *bytes) {
  uint8_t wrapping[32], context[CONTEXT];
  int result = passphrase_key(slot, secret, count, wrapping);
  if (result != DAYBOOK_SEAL_OK) return result;
  slot_context(slot, id, context);
  result = daybook_sodium.crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
      bytes, NULL, slot + SLOT_WRAPPED, 32, slot + SLOT_WRAPPED + 32, context, sizeof context,
      slot + SLOT_NONCE, wrapping);
  daybook_seal_wipe(wrapping, sizeof wrapping);
  return result == 0 ? DAYBOOK_SEAL_OK : DAYBOOK_SEAL_FORGED;
}

static int unwrap_recovery(const uint8_t *slot, const void *secret, size_t count, uint8_t *bytes) {
  uint8_t public_key[32], secret_key[32];
  recovery_pair(secret, count, public_key, secret_key);
  int result = daybook_sodium.crypto_box_seal_open(bytes, slot + SLOT_RECOVERY_BOX,
                                                   32 + DAYBOOK_SEAL_BOX_EXTRA_BYTES, public_key,
                                                   secret_key);
  daybook_seal_wipe(secret_key, sizeof secret_key);
  return result == 0 ? DAYBOOK_SEAL_OK : DAYBOOK_SEAL_FORGED;
}

int daybook_seal_slot_unwrap(const uint8_t *slot, const uint8_t *id, const void *secret,
                             size_t count, struct daybook_seal_key **key) {
  uint8_t bytes[DAYBOOK_SEAL_KEY_BYTES];
  int result = DAYBOOK_SEAL_FORGED;
  if (slot[SLOT_KIND] == DAYBOOK_SEAL_SLOT_PASSPHRASE)
    result = unwrap_passphrase(slot, id, secret, count, bytes);
  else if (slot[SLOT_KIND] == DAYBOOK_SEAL_SLOT_RECOVERY)
    result = unwrap_recovery(slot, secret, count, bytes);
  if (result == DAYBOOK_SEAL_OK) {
    *key = daybook_seal_key_from(bytes, id);
    if (!*key) result = DAYBOOK_SEAL_MEMORY;
  }
  daybook_seal_wipe(bytes, sizeof bytes);
  return result;
}
