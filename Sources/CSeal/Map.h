#ifndef DAYBOOK_MAP_H
#define DAYBOOK_MAP_H

#include "Layout.h"

// The pages of a sealed database and the map of their versions, over any file.
//
// Promises: a page is read only if it is authentic and the version that the header leads to. A
// change is visible to others after `map_flush`; until `map_settle`, the header copy and the map
// pages from before the transaction stay on the disk, whatever was written in between.

// A file; each function returns 0, -1 on failure, or -2 when the disk is full. A read beyond the end
// gives zeros.
struct map_file {
  void *context;
  int (*read)(void *context, void *bytes, int count, int64_t offset);
  int (*write)(void *context, const void *bytes, int count, int64_t offset);
};

struct map_root {
  uint64_t generation;
  uint64_t pages;
  uint64_t entries[ROOT_ENTRIES];
  // The header copy that it was read from or written to.
  int copy;
};

struct map_page {
  // The version on the disk, and the one when the transaction began.
  uint64_t version, base_version;
  int is_dirty;
  uint64_t entries[FAN_OUT];
};

struct map {
  struct map_file file;
  struct daybook_seal_key *key;
  // The header copies as last seen.
  uint8_t copies[2][PAGE];
  int is_loaded;
  // Before the transaction, and now.
  struct map_root base, now;
  // The highest generation of the file; each written one is higher.
  uint64_t highest;
  struct map_page *upper[ROOT_ENTRIES];
  struct map_page **lower;
  uint64_t lower_count;
  int is_dirty;
  // Part of the nonce of each page that this transaction writes.
  uint8_t transaction[8];
  int has_transaction;
  // The same of a dead process's transaction, while it is rolled back.
  uint8_t aborted[8];
  int is_recovering;
  // Random bytes for nonces.
  uint8_t random[512];
  int random_left;
};

// What failed last in this thread; see daybook_seal_last_failure.
void map_fail(int what, uint64_t page);

void map_init(struct map *map, struct map_file file, struct daybook_seal_key *key);
void map_free(struct map *map);

// The functions below return 0, or the negative result of the file; -1 also when a verification
// failed.

// Reads the header again if it changed.
int map_refresh(struct map *map);
// Reads a page; returns 1 for one beyond the end.
int map_read(struct map *map, uint64_t number, uint8_t *output);
// Reads any version that was sealed for a page.
int map_read_any_version(struct map *map, uint64_t number, uint8_t *output);
int map_write(struct map *map, uint64_t number, const uint8_t *input);
int map_truncate(struct map *map, uint64_t pages);
// Writes the changed map pages and a header copy.
int map_flush(struct map *map);
// Forgets all that is not in the file.
void map_forget(struct map *map);
// The rollback journal is finished: what was flushed is the base of the next transaction.
void map_settle(struct map *map);
// The end of the rollback journal is on the disk: the other header copy becomes a mirror of the newest
// one, so that each of them is enough.
void map_mirror(struct map *map);
// Begins a transaction with a fresh mark.
void map_begin(struct map *map);
// The rollback of the transaction with this mark begins, which began at a generation. Unless it is
// this process's own, the map of that generation is taken; fails if the file no longer has it.
int map_recover(struct map *map, uint64_t generation, const uint8_t *transaction);
// A fresh nonce whose version has its lowest bit set or not.
void map_nonce(struct map *map, int slot, uint8_t *nonce);

#endif
