#include "Map.h"
#include "Sodium.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t nothing[8];

static __thread int failed_part;
static __thread uint32_t failed_page;

void map_fail(int what, uint64_t page) {
  failed_part = what;
  failed_page = (uint32_t)page;
}

int daybook_seal_last_failure(uint32_t *page) {
  int part = failed_part;
  *page = failed_page;
  failed_part = DAYBOOK_SEAL_FAILED_NOTHING;
  failed_page = 0;
  return part;
}

void map_init(struct map *map, struct map_file file, struct daybook_seal_key *key) {
  memset(map, 0, sizeof *map);
  map->file = file;
  map->key = daybook_seal_key_retain(key);
}

static void drop_pages(struct map *map) {
  for (int i = 0; i < ROOT_ENTRIES; i++) free(map->upper[i]), map->upper[i] = NULL;
  for (uint64_t i = 0; i < map->lower_count; i++) free(map->lower[i]);
  free(map->lower);
  map->lower = NULL;
  map->lower_count = 0;
}

void map_free(struct map *map) {
  drop_pages(map);
  daybook_seal_key_release(map->key);
}

void map_forget(struct map *map) {
  drop_pages(map);
  map->is_loaded = map->is_dirty = map->has_transaction = 0;
  map->is_recovering = 0;
}

// MARK: Header

static void read_root(const uint8_t *copy, int place, struct map_root *root) {
  root->generation = get64(copy + HEADER_GENERATION);
  root->pages = get64(copy + HEADER_PAGES);
  for (int i = 0; i < ROOT_ENTRIES; i++) root->entries[i] = get64(copy + HEADER_ROOT + 8 * i);
  root->copy = place;
}

int map_refresh(struct map *map) {
  uint8_t copies[2][PAGE];
  if (map->file.read(map->file.context, copies, sizeof copies, 0) != 0) return -1;
  if (map->is_loaded && memcmp(copies, map->copies, sizeof copies) == 0) return 0;
  int best = -1;
  for (int i = 0; i < 2; i++) {
    if (!daybook_seal_copy_is_authentic(copies[i], map->key)) continue;
    if (best < 0 || daybook_seal_copy_is_before(copies[i], copies[best])) best = i;
  }
  if (best < 0) {
    map_fail(DAYBOOK_SEAL_FAILED_HEADER, 0);
    return -1;
  }
  memcpy(map->copies, copies, sizeof copies);
  read_root(copies[best], best, &map->base);
  map->now = map->base;
  map->highest = map->base.generation;
  map->is_loaded = 1;
  return 0;
}

static int write_header(struct map *map) {
  int place = 1 - map->base.copy;
  uint8_t copy[PAGE];
  memcpy(copy, map->copies[map->base.copy], PAGE);
  copy[HEADER_IS_MIRROR] = 0;
  put64(copy + HEADER_GENERATION, map->highest + 1);
  put64(copy + HEADER_PAGES, map->now.pages);
  for (int i = 0; i < ROOT_ENTRIES; i++) put64(copy + HEADER_ROOT + 8 * i, map->now.entries[i]);
  daybook_seal_copy_finish(copy, map->key);
  // Known before it is written: if the write fails half-way, the next one is higher all the same.
  map->highest += 1;
  int result = map->file.write(map->file.context, copy, PAGE, (int64_t)place * PAGE);
  if (result != 0) return result;
  memcpy(map->copies[place], copy, PAGE);
  map->now.generation = map->highest;
  map->now.copy = place;
  return 0;
}

// MARK: Map pages

void map_nonce(struct map *map, int slot, uint8_t *nonce) {
  if (map->random_left < 16) {
    daybook_seal_random(map->random, sizeof map->random);
    map->random_left = sizeof map->random;
  }
  if (!map->has_transaction) map_begin(map);
  map->random_left -= 16;
  memcpy(nonce + NONCE_TRANSACTION, map->transaction, 8);
  memcpy(nonce + NONCE_VERSION, map->random + map->random_left, 16);
  nonce[NONCE_VERSION + 7] = (uint8_t)((nonce[NONCE_VERSION + 7] & 0xFE) | slot);
  // A version of 0 means that there is none.
  nonce[NONCE_VERSION] |= 1;
}

// Loads a map page of a version unless it is there; `NULL` if it cannot be verified.
static struct map_page *load(struct map *map, struct map_page **place, enum page_kind kind,
                             uint64_t index, uint64_t version) {
  struct map_page *page = *place;
  if (page && (page->is_dirty || page->version == version)) return page;
  uint8_t bytes[PAGE], plain[PAGE] = {0};
  if (version != 0) {
    int slot = (int)(version & 1);
    int64_t offset = kind == KIND_LOWER ? lower_offset(index, slot) : upper_offset(index, slot);
    if (map->file.read(map->file.context, bytes, PAGE, offset) != 0) return NULL;
    if (get64(bytes + USABLE + NONCE_VERSION) != version ||
        daybook_seal_page_open(map->key, kind, index, nothing, bytes, plain) != 0) {
      map_fail(DAYBOOK_SEAL_FAILED_MAP, kind == KIND_LOWER ? index * FAN_OUT + 1 : 0);
      return NULL;
    }
  }
  if (!page) page = calloc(1, sizeof *page);
  if (!page) return NULL;
  for (int i = 0; i < FAN_OUT; i++) page->entries[i] = get64(plain + 8 * i);
  page->version = page->base_version = version;
  *place = page;
  return page;
}

static struct map_page *upper_page(struct map *map, uint64_t index) {
  return load(map, &map->upper[index], KIND_UPPER, index, map->now.entries[index]);
}

static struct map_page *lower_page(struct map *map, uint64_t group) {
  if (group >= map->lower_count) {
    uint64_t count = group + 64;
    struct map_page **grown = realloc(map->lower, count * sizeof *grown);
    if (!grown) return NULL;
    memset(grown + map->lower_count, 0, (count - map->lower_count) * sizeof *grown);
    map->lower = grown;
    map->lower_count = count;
  }
  struct map_page *upper = upper_page(map, group / FAN_OUT);
  if (!upper) return NULL;
  return load(map, &map->lower[group], KIND_LOWER, group, upper->entries[group % FAN_OUT]);
}

// Writes a map page into the slot that its version from before the transaction does not use.
static int write_map_page(struct map *map, struct map_page *page, enum page_kind kind,
                          uint64_t index) {
  uint8_t plain[PAGE] = {0}, bytes[PAGE], nonce[NONCE];
  int slot = 1 - (int)(page->base_version & 1);
  map_nonce(map, slot, nonce);
  for (int i = 0; i < FAN_OUT; i++) put64(plain + 8 * i, page->entries[i]);
  daybook_seal_page(map->key, kind, index, nothing, nonce, plain, bytes);
  int64_t offset = kind == KIND_LOWER ? lower_offset(index, slot) : upper_offset(index, slot);
  int result = map->file.write(map->file.context, bytes, PAGE, offset);
  if (result != 0) return result;
  page->version = get64(nonce + NONCE_VERSION);
  page->is_dirty = 0;
  return 0;
}

static int set_version(struct map *map, uint64_t number, uint64_t version) {
  uint64_t index = number - 1;
  struct map_page *page = lower_page(map, index / FAN_OUT);
  if (!page) return -1;
  page->entries[index % FAN_OUT] = version;
  page->is_dirty = 1;
  // Its version will change, and with it the page above: which must be there, to be kept.
  map->upper[index / FAN_OUT / FAN_OUT]->is_dirty = 1;
  map->is_dirty = 1;
  return 0;
}

// MARK: Pages

static int read_sealed(struct map *map, uint64_t number, uint8_t *bytes) {
  return map->file.read(map->file.context, bytes, PAGE, page_offset(number));
}

int map_read(struct map *map, uint64_t number, uint8_t *output) {
  if (number > map->now.pages) {
    memset(output, 0, PAGE);
    return 1;
  }
  uint64_t index = number - 1;
  struct map_page *page = lower_page(map, index / FAN_OUT);
  if (!page) return -1;
  uint64_t version = page->entries[index % FAN_OUT];
  if (version == 0) {
    memset(output, 0, PAGE);
    return 0;
  }
  uint8_t bytes[PAGE];
  if (read_sealed(map, number, bytes) != 0) return -1;
  if (get64(bytes + USABLE + NONCE_VERSION) != version ||
      daybook_seal_page_open(map->key, KIND_PAGE, number, nothing, bytes, output) != 0) {
    map_fail(DAYBOOK_SEAL_FAILED_PAGE, number);
    return -1;
  }
  return 0;
}

int map_read_any_version(struct map *map, uint64_t number, uint8_t *output) {
  uint8_t bytes[PAGE];
  if (read_sealed(map, number, bytes) != 0) return -1;
  if (daybook_seal_page_open(map->key, KIND_PAGE, number, nothing, bytes, output) == 0) return 0;
  map_fail(DAYBOOK_SEAL_FAILED_PAGE, number);
  return -1;
}

int map_write(struct map *map, uint64_t number, const uint8_t *input) {
  if (number > MAX_PAGES) return -1;
  uint8_t bytes[PAGE], nonce[NONCE];
  map_nonce(map, 0, nonce);
  daybook_seal_page(map->key, KIND_PAGE, number, nothing, nonce, input, bytes);
  // The map before the page: a page whose map cannot be read is not overwritten.
  if (set_version(map, number, get64(nonce + NONCE_VERSION)) != 0) return -1;
  if (number > map->now.pages) map->now.pages = number;
  return map->file.write(map->file.context, bytes, PAGE, page_offset(number));
}

int map_truncate(struct map *map, uint64_t pages) {
  for (uint64_t number = pages + 1; number <= map->now.pages; number++)
    if (set_version(map, number, 0) != 0) return -1;
  if (pages != map->now.pages) map->is_dirty = 1;
  map->now.pages = pages;
  return 0;
}

// MARK: Transactions

void map_begin(struct map *map) {
  daybook_seal_random(map->transaction, sizeof map->transaction);
  map->has_transaction = 1;
}

int map_recover(struct map *map, uint64_t generation, const uint8_t *transaction) {
  // A running transaction that is rolled back: the map has all that it wrote.
  if (map->has_transaction && memcmp(map->transaction, transaction, 8) == 0) return 0;
  if (map_refresh(map) != 0) return -1;
  int place = -1;
  for (int i = 0; i < 2; i++)
    if (daybook_seal_copy_is_authentic(map->copies[i], map->key) &&
        get64(map->copies[i] + HEADER_GENERATION) == generation &&
        (place < 0 || daybook_seal_copy_is_before(map->copies[i], map->copies[place])))
      place = i;
  if (place < 0) {
    map_fail(DAYBOOK_SEAL_FAILED_JOURNAL, 0);
    return -1;
  }
  drop_pages(map);
  read_root(map->copies[place], place, &map->base);
  map->now = map->base;
  memcpy(map->aborted, transaction, 8);
  map->is_recovering = 1;
  map->is_dirty = 1;
  return 0;
}

// A page that the dead process wrote and the journal did not restore was free before: SQLite does not
// save the contents of free pages. It becomes an empty page, so that its version is the map's.
static int forget_unrestored(struct map *map) {
  for (uint64_t number = 1; number <= map->now.pages; number++) {
    uint64_t index = number - 1;
    struct map_page *page = lower_page(map, index / FAN_OUT);
    if (!page) return -1;
    uint64_t version = page->entries[index % FAN_OUT];
    uint8_t nonce[16];
    if (map->file.read(map->file.context, nonce, sizeof nonce, page_offset(number) + USABLE) != 0)
      return -1;
    if (version != 0 && version != get64(nonce + NONCE_VERSION) &&
        memcmp(nonce, map->aborted, 8) == 0 && set_version(map, number, 0) != 0)
      return -1;
  }
  return 0;
}

int map_flush(struct map *map) {
  if (!map->is_dirty) return 0;
  if (map->is_recovering && forget_unrestored(map) != 0) return -1;
  for (uint64_t group = 0; group < map->lower_count; group++) {
    struct map_page *page = map->lower[group];
    if (!page || !page->is_dirty) continue;
    struct map_page *upper = map->upper[group / FAN_OUT];
    int result = write_map_page(map, page, KIND_LOWER, group);
    if (result != 0) return result;
    upper->entries[group % FAN_OUT] = page->version;
  }
  for (uint64_t index = 0; index < ROOT_ENTRIES; index++) {
    struct map_page *page = map->upper[index];
    if (!page || !page->is_dirty) continue;
    int result = write_map_page(map, page, KIND_UPPER, index);
    if (result != 0) return result;
    map->now.entries[index] = page->version;
  }
  int result = write_header(map);
  if (result == 0) map->is_dirty = map->is_recovering = 0;
  return result;
}

void map_settle(struct map *map) {
  for (uint64_t group = 0; group < map->lower_count; group++)
    if (map->lower[group]) map->lower[group]->base_version = map->lower[group]->version;
  for (int i = 0; i < ROOT_ENTRIES; i++)
    if (map->upper[i]) map->upper[i]->base_version = map->upper[i]->version;
  map->base = map->now;
  map->has_transaction = 0;
}

void map_mirror(struct map *map) {
  int other = 1 - map->base.copy;
  if (!map->is_loaded || map->is_dirty) return;
  if (get64(map->copies[other] + HEADER_GENERATION) == map->base.generation &&
      daybook_seal_copy_is_authentic(map->copies[other], map->key))
    return;
  uint8_t copy[PAGE];
  memcpy(copy, map->copies[map->base.copy], PAGE);
  // Nobody syncs it: the next transaction overwrites it, and not the copy that is on the disk.
  copy[HEADER_IS_MIRROR] = 1;
  daybook_seal_copy_finish(copy, map->key);
  // If it fails, the other copy is still the one from before.
  if (map->file.write(map->file.context, copy, PAGE, (int64_t)other * PAGE) == 0)
    memcpy(map->copies[other], copy, PAGE);
}
