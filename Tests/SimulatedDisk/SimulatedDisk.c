#include "SimulatedDisk.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const mark = "/daybook-world-";
enum { SECTOR = 512 };

// A change that has not been synced.
struct change {
  struct change *next;
  sqlite3_int64 offset;
  // The bytes of a write; -1 for a truncation to `offset`.
  int count;
  uint8_t bytes[];
};

// What is known of a file.
struct disk_file {
  struct disk_file *next;
  char *path;
  // The bytes that a power cut leaves.
  uint8_t *bytes;
  sqlite3_int64 size;
  struct change *first, **last;
  // The number of power cuts.
  int cuts;
};

struct open_file {
  sqlite3_file base;
  struct disk_file *file;
  // The number of power cuts when it was opened.
  int cuts;
};

static sqlite3_vfs *under;
static sqlite3_vfs layer;
static struct disk_file *files;
static char *failing_prefix;
static long failing_change, changes;
static int is_torn, has_failed;

static sqlite3_file *real_of(sqlite3_file *base) { return (sqlite3_file *)((struct open_file *)base + 1); }

// MARK: Files

static void drop_changes(struct disk_file *file) {
  while (file->first) {
    struct change *next = file->first->next;
    free(file->first);
    file->first = next;
  }
  file->last = &file->first;
}

static void resize(struct disk_file *file, sqlite3_int64 size) {
  file->bytes = realloc(file->bytes, size > 0 ? (size_t)size : 1);
  if (!file->bytes) abort();
  if (size > file->size) memset(file->bytes + file->size, 0, (size_t)(size - file->size));
  file->size = size;
}

// Applies a change, or the first sectors of a write, to the bytes that stay.
static void apply(struct disk_file *file, const struct change *change, int count) {
  if (change->count < 0) return resize(file, change->offset);
  if (change->offset + count > file->size) resize(file, change->offset + count);
  memcpy(file->bytes + change->offset, change->bytes, (size_t)count);
}

static void note(struct disk_file *file, sqlite3_int64 offset, const void *bytes, int count) {
  struct change *change = malloc(sizeof *change + (count > 0 ? (size_t)count : 0));
  if (!change) abort();
  change->next = NULL;
  change->offset = offset;
  change->count = count;
  if (count > 0) memcpy(change->bytes, bytes, (size_t)count);
  *file->last = change;
  file->last = &change->next;
}

static struct disk_file *file_at(const char *path) {
  for (struct disk_file *file = files; file; file = file->next)
    if (strcmp(file->path, path) == 0) return file;
  struct disk_file *file = calloc(1, sizeof *file);
  if (!file || !(file->path = strdup(path))) abort();
  file->last = &file->first;
  file->next = files;
  files = file;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    resize(file, lseek(descriptor, 0, SEEK_END));
    if (pread(descriptor, file->bytes, (size_t)file->size, 0) != file->size) abort();
    close(descriptor);
  }
  return file;
}

// Counts a change. Returns whether it fails.
static int fails(const struct open_file *open, const char *path) {
  if (open && open->cuts != open->file->cuts) return 1;
  if (!failing_prefix || strncmp(path, failing_prefix, strlen(failing_prefix)) != 0) return 0;
  if (++changes < failing_change) return 0;
  has_failed = 1;
  return 1;
}

// MARK: Methods

static int disk_close(sqlite3_file *base) { return real_of(base)->pMethods->xClose(real_of(base)); }

static int disk_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  return real_of(base)->pMethods->xRead(real_of(base), bytes, count, offset);
}

static int disk_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  struct open_file *open = (struct open_file *)base;
  int isFailing = fails(open, open->file->path);
  if (isFailing) {
    int isFirst = open->cuts == open->file->cuts && changes == failing_change;
    if (!isFirst || !is_torn) return SQLITE_IOERR_WRITE;
    count /= 2;
  }
  note(open->file, offset, bytes, count);
  int result = real_of(base)->pMethods->xWrite(real_of(base), bytes, count, offset);
  return isFailing ? SQLITE_IOERR_WRITE : result;
}

static int disk_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct open_file *open = (struct open_file *)base;
  if (fails(open, open->file->path)) return SQLITE_IOERR_TRUNCATE;
  note(open->file, size, NULL, -1);
  return real_of(base)->pMethods->xTruncate(real_of(base), size);
}

// Nothing waits for a real disk.
static int disk_sync(sqlite3_file *base, int flags) {
  (void)flags;
  struct open_file *open = (struct open_file *)base;
  if (fails(open, open->file->path)) return SQLITE_IOERR_FSYNC;
  for (struct change *change = open->file->first; change; change = change->next)
    apply(open->file, change, change->count);
  drop_changes(open->file);
  return SQLITE_OK;
}

static int disk_size(sqlite3_file *base, sqlite3_int64 *size) {
  return real_of(base)->pMethods->xFileSize(real_of(base), size);
}
static int disk_lock(sqlite3_file *base, int lock) {
  return real_of(base)->pMethods->xLock(real_of(base), lock);
}
static int disk_unlock(sqlite3_file *base, int lock) {
  return real_of(base)->pMethods->xUnlock(real_of(base), lock);
}
static int disk_check_lock(sqlite3_file *base, int *result) {
  return real_of(base)->pMethods->xCheckReservedLock(real_of(base), result);
}
static int disk_control(sqlite3_file *base, int operation, void *argument) {
  return real_of(base)->pMethods->xFileControl(real_of(base), operation, argument);
}
static int disk_sector(sqlite3_file *base) {
  return real_of(base)->pMethods->xSectorSize(real_of(base));
}
// What SQLite takes for granted on Linux: a write that is cut changes no other bytes. It may be torn, and a later
// one may be on the disk before it.
static int disk_characteristics(sqlite3_file *base) {
  (void)base;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_check_lock,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_characteristics,
};

static int layer_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out) {
  (void)vfs;
  int isWatched = name && strstr(name, mark) && flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL);
  if (!isWatched) return under->xOpen(under, name, base, flags, out);
  struct open_file *open = (struct open_file *)base;
  base->pMethods = NULL;
  int result = under->xOpen(under, name, real_of(base), flags, out);
  if (result != SQLITE_OK) return result;
  open->file = file_at(name);
  open->cuts = open->file->cuts;
  base->pMethods = &methods;
  return SQLITE_OK;
}

static int layer_delete(sqlite3_vfs *vfs, const char *name, int isSynced) {
  (void)vfs;
  if (strstr(name, mark)) {
    if (fails(NULL, name)) return SQLITE_IOERR_DELETE;
    // Names are durable at once.
    struct disk_file *file = file_at(name);
    drop_changes(file);
    resize(file, 0);
  }
  return under->xDelete(under, name, isSynced);
}

// Before any connection, and below all other layers.
__attribute__((constructor)) static void install(void) {
  // As the program does before its first connection; later it would have no effect.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (sqlite3_initialize() != SQLITE_OK || !(under = sqlite3_vfs_find(NULL))) abort();
  layer = *under;
  layer.pNext = NULL;
  layer.zName = "daybook-simulated";
  layer.szOsFile = (int)sizeof(struct open_file) + under->szOsFile;
  layer.xOpen = layer_open;
  layer.xDelete = layer_delete;
  if (sqlite3_vfs_register(&layer, 1) != SQLITE_OK) abort();
}

// MARK: Faults

void daybook_disk_fail(const char *prefix, long change, int torn) {
  free(failing_prefix);
  failing_prefix = strdup(prefix);
  failing_change = change;
  is_torn = torn;
  changes = has_failed = 0;
}

long daybook_disk_heal(void) {
  free(failing_prefix);
  failing_prefix = NULL;
  return changes;
}

int daybook_disk_has_failed(void) { return has_failed; }

// SplitMix64.
static uint64_t next(uint64_t *state) {
  uint64_t mixed = *state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
  return mixed ^ mixed >> 31;
}

long daybook_disk_cut(const char *prefix, uint64_t seed) {
  long lost = 0;
  // Some cuts lose all that was not synced, some nearly nothing.
  uint64_t kept = next(&seed) % 5;
  for (struct disk_file *file = files; file; file = file->next) {
    if (strncmp(file->path, prefix, strlen(prefix)) != 0) continue;
    for (struct change *change = file->first; change; change = change->next) {
      uint64_t choice = next(&seed) % 4;
      if (choice < kept) {
        apply(file, change, change->count);
      } else {
        lost++;
        int sectors = change->count / SECTOR;
        if (sectors > 1 && next(&seed) % 2) apply(file, change, (int)(next(&seed) % (uint64_t)sectors) * SECTOR);
      }
    }
    drop_changes(file);
    file->cuts++;
    int descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (ftruncate(descriptor, file->size) != 0 ||
        pwrite(descriptor, file->bytes, (size_t)file->size, 0) != file->size)
      abort();
    close(descriptor);
  }
  return lost;
}

void daybook_disk_forget(void) {
  while (files) {
    struct disk_file *next = files->next;
    drop_changes(files);
    free(files->path);
    free(files->bytes);
    free(files);
    files = next;
  }
}
