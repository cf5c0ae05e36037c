#define _GNU_SOURCE
#include "CSeal.h"
#include "Layout.h"
#include "Sodium.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int has_magic(const uint8_t *copy) { return memcmp(copy, DAYBOOK_SEAL_MAGIC, 16) == 0; }

int daybook_seal_is_sealed(const uint8_t *bytes, size_t count) {
  if (count >= 16 && has_magic(bytes)) return 1;
  // The first copy may be damaged.
  return count >= PAGE + 16 && has_magic(bytes + PAGE) && memcmp(bytes, "SQLite format 3", 16) != 0;
}

static void checksum(const uint8_t *copy, uint8_t *output) {
  daybook_sodium.crypto_generichash(output, 32, copy, HEADER_CHECKSUM, NULL, 0);
}

static void code(const uint8_t *copy, const struct daybook_seal_key *key, uint8_t *output) {
  daybook_sodium.crypto_generichash(output, 32, copy, HEADER_CODE, key->derived[KEY_HEADER], 32);
}

int daybook_seal_copy_is_intact(const uint8_t *copy) {
  uint8_t expected[32];
  if (!has_magic(copy) || get32(copy + HEADER_PAGE_SIZE) != PAGE) return 0;
  checksum(copy, expected);
  return memcmp(expected, copy + HEADER_CHECKSUM, 32) == 0;
}

int daybook_seal_copy_is_authentic(const uint8_t *copy, const struct daybook_seal_key *key) {
  uint8_t expected[32];
  if (!daybook_seal_copy_is_intact(copy) ||
      memcmp(copy + HEADER_ID, key->id, DAYBOOK_SEAL_ID_BYTES) != 0)
    return 0;
  code(copy, key, expected);
  return daybook_sodium.sodium_memcmp(expected, copy + HEADER_CODE, 32) == 0;
}

int daybook_seal_copy_is_before(const uint8_t *copy, const uint8_t *other) {
  uint64_t one = get64(copy + HEADER_GENERATION), two = get64(other + HEADER_GENERATION);
  return one > two || (one == two && copy[HEADER_IS_MIRROR] < other[HEADER_IS_MIRROR]);
}

void daybook_seal_copy_finish(uint8_t *copy, const struct daybook_seal_key *key) {
  memset(copy + HEADER_CODE, 0, PAGE - HEADER_CODE);
  code(copy, key, copy + HEADER_CODE);
  checksum(copy, copy + HEADER_CHECKSUM);
}

// The newer intact copy, or NULL; with a key the newer authentic one.
static const uint8_t *newer(const uint8_t *bytes, size_t count,
                            const struct daybook_seal_key *key) {
  const uint8_t *best = NULL;
  for (size_t start = 0; start + PAGE <= count && start < 2 * PAGE; start += PAGE) {
    const uint8_t *copy = bytes + start;
    if (!daybook_seal_copy_is_intact(copy)) continue;
    if (key && !daybook_seal_copy_is_authentic(copy, key)) continue;
    if (!best || daybook_seal_copy_is_before(copy, best)) best = copy;
  }
  return best;
}

int daybook_seal_header_parse(const uint8_t *bytes, size_t count,
                              struct daybook_seal_header *header) {
  const uint8_t *copy = newer(bytes, count, NULL);
  if (!copy) return DAYBOOK_SEAL_NO_HEADER;
  memcpy(header->id, copy + HEADER_ID, sizeof header->id);
  memcpy(header->public_key, copy + HEADER_PUBLIC_KEY, sizeof header->public_key);
  header->generation = get64(copy + HEADER_GENERATION);
  header->pages = get64(copy + HEADER_PAGES);
  memcpy(header->slots, copy + HEADER_SLOTS, sizeof header->slots);
  return DAYBOOK_SEAL_OK;
}

int daybook_seal_header_verify(const uint8_t *bytes, size_t count,
                               const struct daybook_seal_key *key) {
  if (!newer(bytes, count, NULL)) return DAYBOOK_SEAL_NO_HEADER;
  return newer(bytes, count, key) ? DAYBOOK_SEAL_OK : DAYBOOK_SEAL_FORGED;
}

int daybook_seal_header_check(const uint8_t *bytes, size_t count, int copy,
                              const struct daybook_seal_key *key) {
  size_t start = (size_t)copy * PAGE;
  if (start + PAGE > count || !daybook_seal_copy_is_intact(bytes + start))
    return DAYBOOK_SEAL_NO_HEADER;
  return daybook_seal_copy_is_authentic(bytes + start, key) ? DAYBOOK_SEAL_OK
                                                            : DAYBOOK_SEAL_FORGED;
}

static int write_all(int file, const uint8_t *bytes, size_t count, off_t offset) {
  while (count > 0) {
    ssize_t written = pwrite(file, bytes, count, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return DAYBOOK_SEAL_SYSTEM;
    bytes += written, count -= (size_t)written, offset += written;
  }
  return DAYBOOK_SEAL_OK;
}

int daybook_seal_header_create(int file, const struct daybook_seal_key *key,
                               const uint8_t *slots) {
  uint8_t bytes[2 * PAGE] = {0};
  memcpy(bytes + HEADER_MAGIC, DAYBOOK_SEAL_MAGIC, 16);
  put32(bytes + HEADER_PAGE_SIZE, PAGE);
  memcpy(bytes + HEADER_ID, key->id, sizeof key->id);
  memcpy(bytes + HEADER_PUBLIC_KEY, key->public_key, sizeof key->public_key);
  put64(bytes + HEADER_GENERATION, 1);
  memcpy(bytes + HEADER_SLOTS, slots, DAYBOOK_SEAL_SLOTS * DAYBOOK_SEAL_SLOT_BYTES);
  daybook_seal_copy_finish(bytes, key);
  memcpy(bytes + PAGE, bytes, PAGE);
  int result = write_all(file, bytes, sizeof bytes, 0);
  if (result == DAYBOOK_SEAL_OK && fsync(file) != 0) result = DAYBOOK_SEAL_SYSTEM;
  return result;
}

int daybook_seal_header_write_slots(int file, const struct daybook_seal_key *key,
                                    const uint8_t *slots) {
  uint8_t bytes[2 * PAGE];
  if (pread(file, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return DAYBOOK_SEAL_SYSTEM;
  if (!newer(bytes, sizeof bytes, NULL)) return DAYBOOK_SEAL_NO_HEADER;
  const uint8_t *found = newer(bytes, sizeof bytes, key);
  if (!found) return DAYBOOK_SEAL_FORGED;
  uint8_t copy[PAGE];
  memcpy(copy, found, PAGE);
  copy[HEADER_IS_MIRROR] = 0;
  put64(copy + HEADER_GENERATION, get64(copy + HEADER_GENERATION) + 1);
  memcpy(copy + HEADER_SLOTS, slots, DAYBOOK_SEAL_SLOTS * DAYBOOK_SEAL_SLOT_BYTES);
  daybook_seal_copy_finish(copy, key);
  // The older copy first: the newer one stays readable until that is on the disk. Then both, so that
  // an old passphrase does not open the other one.
  off_t older = found == bytes ? PAGE : 0;
  for (int round = 0; round < 2; round++) {
    int result = write_all(file, copy, PAGE, round == 0 ? older : PAGE - older);
    if (result != DAYBOOK_SEAL_OK) return result;
    if (fdatasync(file) != 0) return DAYBOOK_SEAL_SYSTEM;
  }
  return DAYBOOK_SEAL_OK;
}
