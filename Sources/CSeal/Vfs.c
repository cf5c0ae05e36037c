#include "CSeal.h"
#include "Map.h"
#include "Sodium.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// SQLite's side of sealed files: the database file over a map of sealed pages, and its rollback
// journal, whose records are sealed pages, too. Locks, syncs and all other files are those of the
// system's VFS.

static sqlite3_vfs *real_vfs;
static long refused_temporary_files;

// What both kinds of file begin with.
struct sealed_file {
  sqlite3_file base;
  // The system's file.
  sqlite3_file *real;
};

struct sealed_database {
  struct sealed_file head;
  struct map map;
  int lock;
  // Whether the header was read since the lock was taken.
  int is_current;
  int is_shortened;
  // Whether a commit has ended: its rollback journal is empty, on the disk.
  int is_committed;
  // Whether the rollback journal could not be emptied.
  int has_failed;
};

struct sealed_journal {
  struct sealed_file head;
  struct sealed_database *database;
  // The last record's page: where it begins, and its nonce, which also masks the checksum after it.
  sqlite3_int64 record;
  uint8_t nonce[NONCE];
};

static sqlite3_file *real_of(sqlite3_file *file) { return ((struct sealed_file *)file)->real; }

// MARK: The database's file

static int file_read(void *context, void *bytes, int count, int64_t offset) {
  sqlite3_file *real = context;
  int result = real->pMethods->xRead(real, bytes, count, offset);
  return result == SQLITE_OK || result == SQLITE_IOERR_SHORT_READ ? 0 : -1;
}

static int file_write(void *context, const void *bytes, int count, int64_t offset) {
  sqlite3_file *real = context;
  int result = real->pMethods->xWrite(real, bytes, count, offset);
  return result == SQLITE_OK ? 0 : result == SQLITE_FULL ? -2 : -1;
}

// The result code after a failure: a verification that failed, or the file's own error.
static int failed(int result, int otherwise) {
  if (result == -2) return SQLITE_FULL;
  uint32_t page;
  int part = daybook_seal_last_failure(&page);
  if (part == DAYBOOK_SEAL_FAILED_NOTHING) return otherwise;
  map_fail(part, page);
  return SQLITE_IOERR_DATA;
}

static int make_current(struct sealed_database *file) {
  if (file->is_current) return SQLITE_OK;
  map_fail(DAYBOOK_SEAL_FAILED_NOTHING, 0);
  if (map_refresh(&file->map) != 0) return failed(-1, SQLITE_IOERR_READ);
  // Without a lock, another process may change it at any time.
  file->is_current = file->lock > SQLITE_LOCK_NONE;
  return SQLITE_OK;
}

static int flush(struct sealed_database *file) {
  if (!file->map.is_dirty) return SQLITE_OK;
  map_fail(DAYBOOK_SEAL_FAILED_NOTHING, 0);
  int result = map_flush(&file->map);
  return result == 0 ? SQLITE_OK : failed(result, SQLITE_IOERR_WRITE);
}

static void settle(struct sealed_database *file) {
  map_settle(&file->map);
  if (!file->is_shortened) return;
  file->is_shortened = 0;
  uint64_t pages = file->map.now.pages;
  // The end is cut off only now: until here the map pages in it were needed to roll back.
  file->head.real->pMethods->xTruncate(
      file->head.real, pages == 0 ? DAYBOOK_SEAL_HEADER_BYTES : page_offset(pages) + PAGE);
}

static int database_close(sqlite3_file *base) {
  struct sealed_database *file = (struct sealed_database *)base;
  int result = file->head.real->pMethods->xClose(file->head.real);
  map_free(&file->map);
  return result;
}

// The first bytes that SQLite reads before it locks the file: of their fields it uses the form of
// the pages only, which is always the same.
static int read_form(struct sealed_database *file, uint8_t *output, int count) {
  memset(output, 0, (size_t)count);
  if (file->map.now.pages == 0) return SQLITE_IOERR_SHORT_READ;
  memcpy(output, "SQLite format 3", 16);
  output[16] = PAGE >> 8;
  output[18] = output[19] = 1;
  output[20] = RESERVED;
  output[21] = 64;
  output[22] = output[23] = 32;
  return SQLITE_OK;
}

static int database_read(sqlite3_file *base, void *output, int count, sqlite3_int64 offset) {
  struct sealed_database *file = (struct sealed_database *)base;
  int result = make_current(file);
  if (result != SQLITE_OK) return result;
  if (file->lock == SQLITE_LOCK_NONE && offset == 0 && count == 100)
    return read_form(file, output, count);
  int start = (int)(offset % PAGE);
  if (start + count > PAGE) return SQLITE_IOERR_READ;
  uint8_t page[PAGE];
  uint8_t *target = count == PAGE ? output : page;
  map_fail(DAYBOOK_SEAL_FAILED_NOTHING, 0);
  result = map_read(&file->map, (uint64_t)(offset / PAGE) + 1, target);
  if (result < 0) {
    memset(output, 0, (size_t)count);
    return failed(result, SQLITE_IOERR_READ);
  }
  if (target == page) {
    memcpy(output, page + start, (size_t)count);
    daybook_seal_wipe(page, sizeof page);
  }
  return result == 0 ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int database_write(sqlite3_file *base, const void *input, int count, sqlite3_int64 offset) {
  struct sealed_database *file = (struct sealed_database *)base;
  if (count != PAGE || offset % PAGE != 0) return SQLITE_IOERR_WRITE;
  int result = make_current(file);
  if (result != SQLITE_OK) return result;
  map_fail(DAYBOOK_SEAL_FAILED_NOTHING, 0);
  result = map_write(&file->map, (uint64_t)(offset / PAGE) + 1, input);
  return result == 0 ? SQLITE_OK : failed(result, SQLITE_IOERR_WRITE);
}

static int database_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct sealed_database *file = (struct sealed_database *)base;
  int result = make_current(file);
  if (result != SQLITE_OK) return result;
  map_fail(DAYBOOK_SEAL_FAILED_NOTHING, 0);
  uint64_t pages = (uint64_t)(size + PAGE - 1) / PAGE;
  if (pages < file->map.now.pages) file->is_shortened = 1;
  result = map_truncate(&file->map, pages);
  return result == 0 ? SQLITE_OK : failed(result, SQLITE_IOERR_TRUNCATE);
}

static int database_sync(sqlite3_file *base, int flags) {
  struct sealed_database *file = (struct sealed_database *)base;
  int result = flush(file);
  return result == SQLITE_OK ? file->head.real->pMethods->xSync(file->head.real, flags) : result;
}

static int database_size(sqlite3_file *base, sqlite3_int64 *size) {
  struct sealed_database *file = (struct sealed_database *)base;
  int result = make_current(file);
  *size = result == SQLITE_OK ? (sqlite3_int64)file->map.now.pages * PAGE : 0;
  return result;
}

static int database_lock(sqlite3_file *base, int level) {
  struct sealed_database *file = (struct sealed_database *)base;
  int result = file->head.real->pMethods->xLock(file->head.real, level);
  if (result != SQLITE_OK) return result;
  if (file->lock == SQLITE_LOCK_NONE) file->is_current = 0;
  if (level > file->lock) file->lock = level;
  return SQLITE_OK;
}

static int database_unlock(sqlite3_file *base, int level) {
  struct sealed_database *file = (struct sealed_database *)base;
  int result = SQLITE_OK;
  if (file->lock >= SQLITE_LOCK_RESERVED && level <= SQLITE_LOCK_SHARED) {
    // Usually flushed by a sync; not without syncs.
    result = flush(file);
    if (result == SQLITE_OK && !file->has_failed) {
      settle(file);
      if (file->is_committed) map_mirror(&file->map);
    } else {
      // The rollback journal is still there: the next connection recovers from it, with the header
      // copy and the map pages from before the transaction.
      map_forget(&file->map);
      file->is_current = file->is_shortened = 0;
    }
    file->is_committed = file->has_failed = 0;
  }
  int unlocked = file->head.real->pMethods->xUnlock(file->head.real, level);
  if (unlocked == SQLITE_OK) file->lock = level;
  if (file->lock == SQLITE_LOCK_NONE) file->is_current = 0;
  return unlocked != SQLITE_OK ? unlocked : result == SQLITE_OK ? SQLITE_OK : SQLITE_IOERR_UNLOCK;
}

static int check_reserved_lock(sqlite3_file *file, int *is_locked) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), is_locked);
}

static int database_control(sqlite3_file *file, int operation, void *argument) {
  switch (operation) {
  case SQLITE_FCNTL_COMMIT_PHASETWO: ((struct sealed_database *)file)->is_committed = 1; break;
  case SQLITE_FCNTL_SIZE_HINT:
  case SQLITE_FCNTL_CHUNK_SIZE:
    // Sizes in pages of the database, not of this file.
    return SQLITE_OK;
  case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND;
  default: break;
  }
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int sector_size(sqlite3_file *file) {
  return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int characteristics(sqlite3_file *file) {
  // No atomic or batched writes: a page is never where SQLite believes it to be.
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file)) &
         SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// Version 1: no memory maps and no write-ahead log.
static const sqlite3_io_methods database_methods = {
    .iVersion = 1,
    .xClose = database_close,
    .xRead = database_read,
    .xWrite = database_write,
    .xTruncate = database_truncate,
    .xSync = database_sync,
    .xFileSize = database_size,
    .xLock = database_lock,
    .xUnlock = database_unlock,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = database_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

// MARK: The rollback journal

// A journal is SQLite's: a header of 512 bytes, then records of a page number, a page and a
// checksum. The page is sealed. The checksum, which is a sum of some bytes of the page, is masked.
// The header gets a seal, which binds the journal to the generation that it rolls back to.
enum {
  JOURNAL_HEADER = 512,
  JOURNAL_FIXED = 12,
  JOURNAL_FIXED_COUNT = 16,
  JOURNAL_GENERATION = 32,
  JOURNAL_TRANSACTION = 40,
  JOURNAL_NONCE = 48,
  JOURNAL_TAG = 72,
};
static const uint8_t journal_magic[8] = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};

static void journal_context(const struct daybook_seal_key *key, const uint8_t *header,
                            uint8_t context[48]) {
  memcpy(context, key->id, 16);
  memcpy(context + 16, header + JOURNAL_GENERATION, 16);
  memcpy(context + 32, header + JOURNAL_FIXED, JOURNAL_FIXED_COUNT);
}

static void seal_journal_header(struct sealed_database *database, uint8_t *header) {
  struct map *map = &database->map;
  uint8_t context[48];
  map_begin(map);
  put64(header + JOURNAL_GENERATION, map->base.generation);
  memcpy(header + JOURNAL_TRANSACTION, map->transaction, 8);
  map_nonce(map, 0, header + JOURNAL_NONCE);
  journal_context(map->key, header, context);
  daybook_sodium.crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
      header + 104, header + JOURNAL_TAG, NULL, header, 0, context, sizeof context, NULL,
      header + JOURNAL_NONCE, map->key->derived[KEY_JOURNAL]);
}

static int journal_header_is_authentic(struct sealed_database *database, const uint8_t *header) {
  uint8_t context[48], empty;
  journal_context(database->map.key, header, context);
  return daybook_sodium.crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
             &empty, NULL, header, 0, header + JOURNAL_TAG, context, sizeof context,
             header + JOURNAL_NONCE, database->map.key->derived[KEY_JOURNAL]) == 0;
}

static int journal_failed(void) {
  map_fail(DAYBOOK_SEAL_FAILED_JOURNAL, 0);
  return SQLITE_IOERR_DATA;
}

// SQLite reads the first eight bytes when it begins to roll back.
static int begin_rollback(struct sealed_journal *file, uint8_t *output) {
  uint8_t header[JOURNAL_HEADER];
  int result = file->head.real->pMethods->xRead(file->head.real, header, JOURNAL_HEADER, 0);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) return result;
  memcpy(output, header, 8);
  // SQLite writes these bytes last, when header and records are on the disk. Without them a power cut
  // may have left anything, and the database was not written to.
  if (memcmp(header, journal_magic, 8) != 0) return SQLITE_OK;
  if (!journal_header_is_authentic(file->database, header)) return journal_failed();
  map_fail(DAYBOOK_SEAL_FAILED_NOTHING, 0);
  if (map_recover(&file->database->map, get64(header + JOURNAL_GENERATION),
                    header + JOURNAL_TRANSACTION) != 0)
    return failed(-1, SQLITE_IOERR_READ);
  file->database->is_current = 1;
  return SQLITE_OK;
}

static const uint8_t *journal_transaction(const struct sealed_journal *file) {
  const struct map *map = &file->database->map;
  return map->is_recovering ? map->aborted : map->transaction;
}

static void mask_checksum(const struct sealed_journal *file, const uint8_t *input,
                          uint8_t *output) {
  daybook_sodium.crypto_stream_xchacha20_xor(output, input, 4, file->nonce,
                                             file->database->map.key->derived[KEY_CHECKSUMS]);
}

static int journal_read(sqlite3_file *base, void *output, int count, sqlite3_int64 offset) {
  struct sealed_journal *file = (struct sealed_journal *)base;
  if (offset == 0 && count == 8) return begin_rollback(file, output);
  uint8_t bytes[4 + PAGE];
  if (count == PAGE) {
    int result = file->head.real->pMethods->xRead(file->head.real, bytes, sizeof bytes, offset - 4);
    if (result != SQLITE_OK) return result;
    if (daybook_seal_page_open(file->database->map.key, KIND_JOURNAL, get32(bytes),
                               journal_transaction(file), bytes + 4, output) != 0)
      return journal_failed();
    file->record = offset;
    memcpy(file->nonce, bytes + 4 + USABLE, NONCE);
    return SQLITE_OK;
  }
  int result = file->head.real->pMethods->xRead(file->head.real, output, count, offset);
  if (result == SQLITE_OK && count == 4 && file->record > 0 && offset == file->record + PAGE)
    mask_checksum(file, output, output);
  return result;
}

static int journal_write(sqlite3_file *base, const void *input, int count, sqlite3_int64 offset) {
  struct sealed_journal *file = (struct sealed_journal *)base;
  sqlite3_file *real = file->head.real;
  if (count == PAGE) {
    uint8_t bytes[PAGE], number[4];
    // SQLite writes a record's page number before its page.
    int result = real->pMethods->xRead(real, number, 4, offset - 4);
    if (result != SQLITE_OK) return result;
    map_nonce(&file->database->map, 0, file->nonce);
    daybook_seal_page(file->database->map.key, KIND_JOURNAL, get32(number),
                      file->database->map.transaction, file->nonce, input, bytes);
    file->record = offset;
    return real->pMethods->xWrite(real, bytes, PAGE, offset);
  }
  // Nothing else that SQLite writes is longer than a header.
  if (count > JOURNAL_HEADER) return SQLITE_IOERR_WRITE;
  uint8_t bytes[JOURNAL_HEADER];
  memcpy(bytes, input, (size_t)count);
  if (count == 4 && file->record > 0 && offset == file->record + PAGE)
    mask_checksum(file, input, bytes);
  else if (count == JOURNAL_HEADER && offset == 0)
    seal_journal_header(file->database, bytes);
  return real->pMethods->xWrite(real, bytes, count, offset);
}

static int journal_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct sealed_journal *file = (struct sealed_journal *)base;
  int result = SQLITE_OK;
  if (size == 0 && file->database->lock >= SQLITE_LOCK_RESERVED) result = flush(file->database);
  if (result == SQLITE_OK) result = file->head.real->pMethods->xTruncate(file->head.real, size);
  if (result != SQLITE_OK) file->database->has_failed = 1;
  return result;
}

static int journal_close(sqlite3_file *base) {
  struct sealed_journal *file = (struct sealed_journal *)base;
  return file->head.real->pMethods->xClose(file->head.real);
}

static int journal_sync(sqlite3_file *base, int flags) {
  struct sealed_journal *file = (struct sealed_journal *)base;
  int result = file->head.real->pMethods->xSync(file->head.real, flags);
  if (result != SQLITE_OK) file->database->has_failed = 1;
  return result;
}

static int journal_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int journal_lock(sqlite3_file *file, int level) {
  return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int journal_unlock(sqlite3_file *file, int level) {
  return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int journal_control(sqlite3_file *file, int operation, void *argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static const sqlite3_io_methods journal_methods = {
    .iVersion = 1,
    .xClose = journal_close,
    .xRead = journal_read,
    .xWrite = journal_write,
    .xTruncate = journal_truncate,
    .xSync = journal_sync,
    .xFileSize = journal_size,
    .xLock = journal_lock,
    .xUnlock = journal_unlock,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = journal_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

int daybook_seal_connection_header(void *connection, uint8_t *bytes) {
  sqlite3_file *file = NULL;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      !file || file->pMethods != &database_methods)
    return -1;
  sqlite3_file *real = real_of(file);
  return real->pMethods->xRead(real, bytes, DAYBOOK_SEAL_HEADER_BYTES, 0) == SQLITE_OK ? 0 : -1;
}

// MARK: Opening

static int open_database(const char *name, sqlite3_file *base, int flags, int *out_flags) {
  struct sealed_database *file = (struct sealed_database *)base;
  sqlite3_file *real = (sqlite3_file *)(file + 1);
  memset(file, 0, sizeof *file);
  int result = real_vfs->xOpen(real_vfs, name, real, flags, out_flags);
  if (result != SQLITE_OK) return result;
  uint8_t header[DAYBOOK_SEAL_HEADER_BYTES] = {0};
  result = real->pMethods->xRead(real, header, sizeof header, 0);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) {
    real->pMethods->xClose(real);
    return result;
  }
  if (!daybook_seal_is_sealed(header, sizeof header)) {
    // Opened again as the system's file: SQLite keeps its locks per file, not per descriptor.
    real->pMethods->xClose(real);
    return real_vfs->xOpen(real_vfs, name, base, flags, out_flags);
  }
  struct daybook_seal_header parsed;
  struct daybook_seal_key *key = NULL;
  map_fail(DAYBOOK_SEAL_FAILED_NOTHING, 0);
  if (daybook_seal_header_parse(header, sizeof header, &parsed) != DAYBOOK_SEAL_OK) {
    map_fail(DAYBOOK_SEAL_FAILED_HEADER, 0);
  } else {
    key = daybook_seal_key_find(parsed.id);
  }
  if (!key) {
    real->pMethods->xClose(real);
    return failed(-1, SQLITE_AUTH);
  }
  file->head.real = real;
  map_init(&file->map, (struct map_file){real, file_read, file_write}, key);
  daybook_seal_key_release(key);
  file->head.base.pMethods = &database_methods;
  return SQLITE_OK;
}

static int open_journal(const char *name, sqlite3_file *base, int flags, int *out_flags) {
  sqlite3_file *database = sqlite3_database_file_object(name);
  if (!database || database->pMethods != &database_methods)
    return real_vfs->xOpen(real_vfs, name, base, flags, out_flags);
  struct sealed_journal *file = (struct sealed_journal *)base;
  sqlite3_file *real = (sqlite3_file *)(file + 1);
  memset(file, 0, sizeof *file);
  int result = real_vfs->xOpen(real_vfs, name, real, flags, out_flags);
  if (result != SQLITE_OK) return result;
  file->head.real = real;
  file->database = (struct sealed_database *)database;
  file->head.base.pMethods = &journal_methods;
  return SQLITE_OK;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *out_flags) {
  (void)vfs;
  file->pMethods = NULL;
  if (flags & SQLITE_OPEN_MAIN_DB) return open_database(name, file, flags, out_flags);
  if (flags & SQLITE_OPEN_MAIN_JOURNAL) return open_journal(name, file, flags, out_flags);
  if (flags & (SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_TEMP_JOURNAL |
               SQLITE_OPEN_SUBJOURNAL)) {
    // Temporary data stay in memory (`temp_store`); a file could show text.
    __atomic_add_fetch(&refused_temporary_files, 1, __ATOMIC_RELAXED);
    return SQLITE_CANTOPEN;
  }
  return real_vfs->xOpen(real_vfs, name, file, flags, out_flags);
}

long daybook_seal_refused_temporary_files(void) {
  return __atomic_load_n(&refused_temporary_files, __ATOMIC_RELAXED);
}

static sqlite3_vfs sealing_vfs;
static int install_result;
static pthread_once_t install_once = PTHREAD_ONCE_INIT;

static void install(void) {
  install_result = sqlite3_initialize();
  real_vfs = sqlite3_vfs_find(NULL);
  if (install_result != SQLITE_OK || !real_vfs) return;
  sealing_vfs = *real_vfs;
  sealing_vfs.pNext = NULL;
  sealing_vfs.zName = "daybook-sealed";
  size_t own = sizeof(struct sealed_database) > sizeof(struct sealed_journal)
                   ? sizeof(struct sealed_database)
                   : sizeof(struct sealed_journal);
  sealing_vfs.szOsFile = (int)own + real_vfs->szOsFile;
  sealing_vfs.xOpen = open_file;
  install_result = sqlite3_vfs_register(&sealing_vfs, 1);
}

int daybook_seal_install(void) {
  pthread_once(&install_once, install);
  return install_result;
}
