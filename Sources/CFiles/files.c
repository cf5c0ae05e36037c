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

unsigned int daybook_file_system_type(const char *path) {
  struct statfs system;
  return statfs(path, &system) == 0 ? (unsigned int)system.f_type : 0;
}
