#ifndef DAYBOOK_CSEAL_H
#define DAYBOOK_CSEAL_H

#include <stddef.h>
#include <stdint.h>

// Sealed journals: an SQLite VFS that encrypts and authenticates every page, with the primitives of
// libsodium, which is loaded with dlopen on first use. The manual's chapter `sealed.md` describes
// the file; `Layout.h` has its numbers.

enum {
  DAYBOOK_SEAL_ID_BYTES = 16,
  DAYBOOK_SEAL_KEY_BYTES = 32,
  DAYBOOK_SEAL_PUBLIC_KEY_BYTES = 32,
  DAYBOOK_SEAL_SLOT_BYTES = 128,
  DAYBOOK_SEAL_SLOTS = 8,
  DAYBOOK_SEAL_PAGE_BYTES = 4096,
  // The bytes before the first page: two copies of the header.
  DAYBOOK_SEAL_HEADER_BYTES = 8192,
  // The bytes that sealing adds to a message: a nonce and a tag.
  DAYBOOK_SEAL_EXTRA_BYTES = 40,
  // The bytes that sealing to a public key adds.
  DAYBOOK_SEAL_BOX_EXTRA_BYTES = 48,
  DAYBOOK_SEAL_SALT_BYTES = 16,
};

// Results of functions that return an `int`, unless they say otherwise.
enum {
  DAYBOOK_SEAL_OK = 0,
  // The wrong key, or changed bytes.
  DAYBOOK_SEAL_FORGED = 1,
  // No header of a sealed journal, or both copies are damaged.
  DAYBOOK_SEAL_NO_HEADER = 2,
  // A system call failed; see errno.
  DAYBOOK_SEAL_SYSTEM = 3,
  // Memory is exhausted.
  DAYBOOK_SEAL_MEMORY = 4,
};

// Loads libsodium. Returns 0, or -1 with the reason. All other functions need it first.
int daybook_seal_load(char *reason, size_t reason_size);

// MARK: Keys

// A journal's key with the keys derived from it, in memory that is locked and not dumped.
// Reference counted; safe to use from several threads.
struct daybook_seal_key;

// A new random key for a new journal id. NULL when memory is exhausted.
struct daybook_seal_key *daybook_seal_key_new(void);
// The key of a journal from its 32 bytes. NULL when memory is exhausted.
struct daybook_seal_key *daybook_seal_key_from(const uint8_t *bytes, const uint8_t *id);
void daybook_seal_key_release(struct daybook_seal_key *key);
const uint8_t *daybook_seal_key_id(const struct daybook_seal_key *key);
const uint8_t *daybook_seal_key_public(const struct daybook_seal_key *key);
// The 32 secret bytes, valid as long as the key.
const uint8_t *daybook_seal_key_bytes(const struct daybook_seal_key *key);

// Makes a key known to the VFS, which keeps a reference; replaces one with the same id.
void daybook_seal_key_register(struct daybook_seal_key *key);
// Removes the key of a journal from the VFS; open files keep theirs.
void daybook_seal_key_forget(const uint8_t *id);
// The registered key of a journal with a new reference, or NULL.
struct daybook_seal_key *daybook_seal_key_find(const uint8_t *id);

// MARK: Header

// The readable part of a header.
struct daybook_seal_header {
  uint8_t id[DAYBOOK_SEAL_ID_BYTES];
  uint8_t public_key[DAYBOOK_SEAL_PUBLIC_KEY_BYTES];
  uint64_t generation;
  // The number of pages in the database.
  uint64_t pages;
  uint8_t slots[DAYBOOK_SEAL_SLOTS][DAYBOOK_SEAL_SLOT_BYTES];
};

// Whether bytes begin like a sealed journal, by either copy of the header.
int daybook_seal_is_sealed(const uint8_t *bytes, size_t count);
// Reads the newer intact copy from a file's first 8,192 bytes, without a key.
int daybook_seal_header_parse(const uint8_t *bytes, size_t count, struct daybook_seal_header *header);
// Whether a key is the one of a header: one copy has its authentication code.
int daybook_seal_header_verify(const uint8_t *bytes, size_t count,
                               const struct daybook_seal_key *key);
// Checks one copy, 0 or 1, with the journal's key: DAYBOOK_SEAL_OK, DAYBOOK_SEAL_FORGED if it is
// intact but was written without the key, DAYBOOK_SEAL_NO_HEADER if it is damaged.
int daybook_seal_header_check(const uint8_t *bytes, size_t count, int copy,
                              const struct daybook_seal_key *key);
// Writes the header of an empty journal into an empty file.
// `slots` are 8 slots of 128 bytes.
int daybook_seal_header_create(int file, const struct daybook_seal_key *key,
                               const uint8_t *slots);
// Replaces the slots in both copies, one after the other, and syncs each. The caller has locked the
// file, and no rollback journal is pending.
int daybook_seal_header_write_slots(int file, const struct daybook_seal_key *key,
                                    const uint8_t *slots);

// MARK: Slots

// The kinds of slot, in a slot's first byte.
enum { DAYBOOK_SEAL_SLOT_EMPTY = 0, DAYBOOK_SEAL_SLOT_PASSPHRASE = 1, DAYBOOK_SEAL_SLOT_RECOVERY = 2 };

// Wraps a key by a passphrase with Argon2id; `memory` in bytes.
int daybook_seal_slot_wrap_passphrase(uint8_t *slot, const struct daybook_seal_key *key,
                                      const char *passphrase, size_t count, uint32_t operations,
                                      uint64_t memory);
// Wraps a key to the key pair that follows from the bytes of a recovery key.
int daybook_seal_slot_wrap_recovery(uint8_t *slot, const struct daybook_seal_key *key,
                                    const uint8_t *recovery, size_t count);
// Unwraps a slot; `secret` is the passphrase or the recovery key. DAYBOOK_SEAL_FORGED for a wrong
// one.
int daybook_seal_slot_unwrap(const uint8_t *slot, const uint8_t *id, const void *secret,
                             size_t count, struct daybook_seal_key **key);

// MARK: Messages

// Seals a message: `output` gets 40 bytes more. `purpose` (any bytes) is authenticated, so that a
// message of one purpose is not taken for one of another.
int daybook_seal_message(const struct daybook_seal_key *key, const char *purpose,
                         const uint8_t *input, size_t count, uint8_t *output);
// The same with a nonce that follows from key, purpose and input: equal messages of one purpose are
// equal when sealed, which is all that they show.
int daybook_seal_message_repeatable(const struct daybook_seal_key *key, const char *purpose,
                                    const uint8_t *input, size_t count, uint8_t *output);
// Opens a sealed message: `output` gets 40 bytes less.
int daybook_seal_message_open(const struct daybook_seal_key *key, const char *purpose,
                              const uint8_t *input, size_t count, uint8_t *output);
// A keyed hash of 32 bytes: equal inputs of one purpose have equal hashes.
void daybook_seal_name(const struct daybook_seal_key *key, const char *purpose,
                       const uint8_t *input, size_t count, uint8_t *output);
// Seals a message to a journal's public key: `output` gets 48 bytes more.
int daybook_seal_box(const uint8_t *public_key, const uint8_t *input, size_t count,
                     uint8_t *output);
// Opens it with the journal's key: `output` gets 48 bytes less.
int daybook_seal_box_open(const struct daybook_seal_key *key, const uint8_t *input, size_t count,
                          uint8_t *output);

void daybook_seal_random(void *bytes, size_t count);
void daybook_seal_wipe(void *bytes, size_t count);

// MARK: Process

// The kernel's keyring of the user keeps a journal's key for a number of seconds (0: no limit).
// These return 0 or an error number: ENOKEY without a key, ENOSYS or EPERM where the system has no
// keyring for this process.
int daybook_keyring_store(const uint8_t *id, const uint8_t *bytes, unsigned seconds);
int daybook_keyring_load(const uint8_t *id, uint8_t *bytes);
int daybook_keyring_forget(const uint8_t *id);

// From now on this process and its children leave no core dump, and other processes of the user
// cannot read its memory.
void daybook_seal_forbid_core_dumps(void);

// MARK: Files

// Makes the sealing VFS the default of SQLite: files that begin like a sealed journal are opened
// with their registered key, all others by the VFS of the system. Returns SQLite's result code.
int daybook_seal_install(void);
// Reads the first 8,192 bytes of the sealed file of a connection (a `sqlite3 *`). Returns 0, or -1 if
// its file is not sealed or cannot be read.
int daybook_seal_connection_header(void *connection, uint8_t *bytes);
// The number of temporary files that SQLite asked for and did not get.
long daybook_seal_refused_temporary_files(void);

// The number of pages that this process has opened and sealed, to explain what sealing costs.
void daybook_seal_work(long *opened, long *sealed);

// The last failed verification of this thread: what failed, and which page of the database (from
// 1), or 0.
enum {
  DAYBOOK_SEAL_FAILED_NOTHING = 0,
  DAYBOOK_SEAL_FAILED_PAGE = 1,
  DAYBOOK_SEAL_FAILED_MAP = 2,
  DAYBOOK_SEAL_FAILED_HEADER = 3,
  DAYBOOK_SEAL_FAILED_JOURNAL = 4,
};
int daybook_seal_last_failure(uint32_t *page);

// Reads the pages of a sealed file without SQLite, for salvage.
struct daybook_seal_pages;
// NULL when memory is exhausted or the header is damaged beyond use.
struct daybook_seal_pages *daybook_seal_pages_open(int file, struct daybook_seal_key *key);
// The number of pages in the database, as the map has it; with any_version all for which the file has room, too.
uint32_t daybook_seal_pages_count(const struct daybook_seal_pages *pages, int any_version);
// Reads a page of 4,096 bytes. Returns DAYBOOK_SEAL_OK; DAYBOOK_SEAL_FORGED if it is damaged or not
// the newest version. With `any_version`, each version that was sealed for this page is enough.
int daybook_seal_pages_read(struct daybook_seal_pages *pages, uint32_t number, int any_version,
                            uint8_t *output);
void daybook_seal_pages_close(struct daybook_seal_pages *pages);

#endif
