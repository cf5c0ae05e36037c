#define _GNU_SOURCE
#include "CSeal.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The user's keyring, which all sessions of a user share and which ends with the last one.
#define KEYRING KEY_SPEC_USER_KEYRING

// Owner's rights of a key: view, read, search and change of attributes, also for processes that do
// not possess it.
#define RIGHTS 0x3F2B0000

static void describe(const uint8_t *id, char text[64]) {
  int length = snprintf(text, 64, "daybook:");
  for (int i = 0; i < DAYBOOK_SEAL_ID_BYTES; i++)
    length += snprintf(text + length, 64 - (size_t)length, "%02x", id[i]);
}

static long find(const uint8_t *id) {
  char description[64];
  describe(id, description);
  return syscall(SYS_keyctl, KEYCTL_SEARCH, KEYRING, "user", description, 0);
}

int daybook_keyring_store(const uint8_t *id, const uint8_t *bytes, unsigned seconds) {
  char description[64];
  describe(id, description);
  long key =
      syscall(SYS_add_key, "user", description, bytes, (size_t)DAYBOOK_SEAL_KEY_BYTES, KEYRING);
  if (key < 0) return errno;
  if (syscall(SYS_keyctl, KEYCTL_SETPERM, key, RIGHTS) == 0 &&
      (seconds == 0 || syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) == 0))
    return 0;
  // Never a key without its time limit.
  int code = errno;
  syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEYRING);
  return code;
}

int daybook_keyring_load(const uint8_t *id, uint8_t *bytes) {
  long key = find(id);
  if (key < 0) return errno;
  long count = syscall(SYS_keyctl, KEYCTL_READ, key, bytes, (size_t)DAYBOOK_SEAL_KEY_BYTES);
  if (count < 0) return errno;
  return count == DAYBOOK_SEAL_KEY_BYTES ? 0 : EINVAL;
}

int daybook_keyring_forget(const uint8_t *id) {
  long key = find(id);
  if (key < 0) return errno == ENOKEY || errno == EKEYEXPIRED || errno == EKEYREVOKED ? 0 : errno;
  syscall(SYS_keyctl, KEYCTL_REVOKE, key);
  return syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEYRING) == 0 ? 0 : errno;
}

void daybook_seal_forbid_core_dumps(void) {
  // One byte: that is too small for a file, and the only limit that a program behind a pipe
  // (systemd-coredump) gets nothing by.
  struct rlimit none = {1, 1};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
