#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

int daybook_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int daybook_rename_exclusively(const char *from, const char *to) {
#ifdef RENAME_NOREPLACE
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#else
  (void)from;
  (void)to;
  errno = ENOSYS;
  return -1;
#endif
}

int daybook_exchange_files(const char *left, const char *right) {
#ifdef RENAME_EXCHANGE
  return renameat2(AT_FDCWD, left, AT_FDCWD, right, RENAME_EXCHANGE);
#else
  (void)left;
  (void)right;
  errno = ENOSYS;
  return -1;
#endif
}

int daybook_is_in_memory(const char *path) {
  // The numbers of statfs(2), which their own header has on Linux only.
  const unsigned int tmpfs = 0x01021994, ramfs = 0x858458f6;
  struct statfs system;
  if (statfs(path, &system) != 0) return 0;
  return (unsigned int)system.f_type == tmpfs || (unsigned int)system.f_type == ramfs;
}
