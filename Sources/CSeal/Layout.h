#ifndef DAYBOOK_LAYOUT_H
#define DAYBOOK_LAYOUT_H

#include "CSeal.h"

#include <stdint.h>

// The form of a sealed file. Numbers are big-endian.
//
//   header, copy 0                       4,096 bytes
//   header, copy 1                       4,096 bytes
//   then for each 500 groups
//     upper map page, slot 0 and 1       2 pages
//     then for each group
//       lower map page, slot 0 and 1     2 pages
//       pages of the database            500 pages
//
// A lower map page has the versions of the pages of its group, an upper map page those of its lower
// map pages, and the header those of the upper map pages. A version is eight bytes of the nonce
// with which a page was sealed; 0 is that of a page that was never written and reads as zeros. So a
// page that is older than the header is noticed, although it was sealed with the right key.
//
// A map page has two slots, as the header has two copies: a transaction writes those that the last
// one left alone. Until the rollback journal is finished, the header copy from before it and the
// map pages that this copy names stay as they were, so that a hot journal always finds the map that
// belongs to it. A version's lowest bit names its slot.

enum {
  PAGE = DAYBOOK_SEAL_PAGE_BYTES,
  NONCE = 24,
  TAG = 16,
  RESERVED = NONCE + TAG,
  USABLE = PAGE - RESERVED,
  FAN_OUT = 500,
  ROOT_ENTRIES = 360,
  // Where a page's nonce has its transaction and its version.
  NONCE_TRANSACTION = 0,
  NONCE_VERSION = 8,
};

// Where the fields of a header copy begin.
enum {
  HEADER_MAGIC = 0,
  HEADER_PAGE_SIZE = 16,
  // 1 in a copy that was written after its transaction, and may not be on the disk yet.
  HEADER_IS_MIRROR = 20,
  HEADER_ID = 24,
  HEADER_PUBLIC_KEY = 40,
  HEADER_GENERATION = 72,
  HEADER_PAGES = 80,
  HEADER_SLOTS = 96,
  HEADER_ROOT = HEADER_SLOTS + DAYBOOK_SEAL_SLOTS * DAYBOOK_SEAL_SLOT_BYTES,
  HEADER_CODE = HEADER_ROOT + ROOT_ENTRIES * 8,
  HEADER_CHECKSUM = PAGE - 32,
};

#define DAYBOOK_SEAL_MAGIC "Daybook sealed 1"

// The largest database: 90 million pages, 368 GB.
#define MAX_PAGES ((uint64_t)ROOT_ENTRIES * FAN_OUT * FAN_OUT)

static inline uint64_t get64(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i++) v = v << 8 | p[i];
  return v;
}
static inline void put64(uint8_t *p, uint64_t v) {
  for (int i = 7; i >= 0; i--, v >>= 8) p[i] = (uint8_t)v;
}
static inline uint32_t get32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline void put32(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)(v >> 24), p[1] = (uint8_t)(v >> 16), p[2] = (uint8_t)(v >> 8), p[3] = (uint8_t)v;
}

// The offset of a page in the file; `number` counts from 1.
static inline int64_t page_offset(uint64_t number) {
  uint64_t index = number - 1, group = index / FAN_OUT, upper = group / FAN_OUT;
  return (int64_t)(2 + 2 * (upper + 1) + 2 * (group + 1) + index) * PAGE;
}
// The offset of a slot of a group's lower map page.
static inline int64_t lower_offset(uint64_t group, int slot) {
  uint64_t upper = group / FAN_OUT;
  return (int64_t)(2 + 2 * (upper + 1) + 2 * group + group * FAN_OUT + (uint64_t)slot) * PAGE;
}
// The offset of a slot of an upper map page.
static inline int64_t upper_offset(uint64_t upper, int slot) {
  uint64_t groups = upper * FAN_OUT;
  return (int64_t)(2 + 2 * upper + groups * (2 + FAN_OUT) + (uint64_t)slot) * PAGE;
}

// The keys that are derived from a journal's key, by number of libsodium's key derivation.
enum derived { KEY_PAGES, KEY_MAP, KEY_JOURNAL, KEY_CHECKSUMS, KEY_HEADER, KEY_MESSAGES, KEY_NAMES,
               KEY_BOX_SEED, KEYS };

struct daybook_seal_key {
  int references;
  uint8_t id[DAYBOOK_SEAL_ID_BYTES];
  uint8_t public_key[DAYBOOK_SEAL_PUBLIC_KEY_BYTES];
  uint8_t bytes[DAYBOOK_SEAL_KEY_BYTES];
  uint8_t derived[KEYS][32];
  uint8_t box_secret[32];
};

struct daybook_seal_key *daybook_seal_key_retain(struct daybook_seal_key *key);

// The kinds of sealed page, part of what is authenticated with it.
enum page_kind { KIND_PAGE = 'P', KIND_LOWER = 'L', KIND_UPPER = 'U', KIND_JOURNAL = 'J' };

// Seals 4,056 bytes of `input` into a page with a nonce; `extra` (8 bytes) is authenticated, too.
void daybook_seal_page(const struct daybook_seal_key *key, enum page_kind kind, uint64_t number,
                       const uint8_t *extra, const uint8_t *nonce, const uint8_t *input,
                       uint8_t *output);
// Opens a sealed page; the reserved bytes become zero. Returns 0, or -1 if it is not authentic.
int daybook_seal_page_open(const struct daybook_seal_key *key, enum page_kind kind, uint64_t number,
                           const uint8_t *extra, const uint8_t *input, uint8_t *output);

// Header copies as bytes.
int daybook_seal_copy_is_intact(const uint8_t *copy);
// Whether a copy counts before another one: it is newer, or of the same state and no mirror.
int daybook_seal_copy_is_before(const uint8_t *copy, const uint8_t *other);
int daybook_seal_copy_is_authentic(const uint8_t *copy, const struct daybook_seal_key *key);
void daybook_seal_copy_finish(uint8_t *copy, const struct daybook_seal_key *key);

#endif
