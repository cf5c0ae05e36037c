// Preloaded into the program by tests. Looks at what happens to files under $FAULT_DIR:
//
//   FAULT_AT=n FAULT_ERRNO=e   the n-th change fails with errno e; with FAULT_STICKY all later ones too,
//                              as on a full disk; with FAULT_TIMES=k the k-1 after it; FAULT_MARK is a
//                              file that appears when one failed
//   FAULT_KILL=1               instead of failing, the n-th change kills the program
//   FAULT_CALL=name              instead of changes, the calls of one function are counted: those on files
//                              under $FAULT_DIR, reads of standard input, writes to standard output
//                              and error if FAULT_STREAMS is set, and every poll
//   FAULT_LOG=file             every change is written to a log, from which a test makes the disks that
//                              a power cut could leave
//
// A record of the log: operation, length of the name, length of the data, offset (1, 4, 4, 8 bytes),
// name, data.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder;
static long fail_at, fail_errno, fail_times, changes;
static int is_sticky, log_fd = -1, is_ready, has_streams;
static const char *call;
static char names[1024][512];

static void get_ready(void) {
  if (is_ready) return;
  is_ready = 1;
  folder = getenv("FAULT_DIR");
  const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERRNO"), *log = getenv("FAULT_LOG");
  const char *times = getenv("FAULT_TIMES");
  fail_at = at ? atol(at) : 0;
  fail_errno = error ? atol(error) : EIO;
  fail_times = times ? atol(times) : 1;
  is_sticky = getenv("FAULT_STICKY") != NULL;
  has_streams = getenv("FAULT_STREAMS") != NULL;
  call = getenv("FAULT_CALL");
  if (!log) return;
  int fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  // The program counts on small numbers for its own.
  log_fd = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900);
  syscall(SYS_close, fd);
}

// A path from the root without "/./", since git works in the directory of its repository; in one of four
// buffers, used in turn.
static const char *absolute(const char *path) {
  static __thread char buffers[4][1024];
  static __thread int turn;
  if (!path || (path[0] == '/' && !strstr(path, "/./"))) return path;
  char *buffer = buffers[turn = (turn + 1) % 4];
  long length = path[0] == '/' ? 1 : syscall(SYS_getcwd, buffer, 512);
  if (length <= 0) return path;
  buffer[length - 1] = '/';
  while (*path == '/') path++;
  while (*path && length < 1023) {
    while (buffer[length - 1] == '/' && strncmp(path, "./", 2) == 0) path += 2;
    buffer[length++] = *path++;
  }
  buffer[length] = 0;
  return buffer;
}

static int is_watched(const char *path) {
  get_ready();
  if (!folder || !path) return 0;
  return strncmp(absolute(path), folder, strlen(folder)) == 0;
}

static const char *name_of(int fd) {
  return fd >= 0 && fd < 1024 && names[fd][0] ? names[fd] : NULL;
}

static int is_due(void) {
  changes++;
  if (!fail_at || changes < fail_at || (changes >= fail_at + fail_times && !is_sticky)) return 0;
  const char *mark = getenv("FAULT_MARK");
  if (mark) syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0600));
  if (getenv("FAULT_KILL")) kill(getpid(), SIGKILL);
  errno = (int)fail_errno;
  return 1;
}

// The next change, when changes are counted.
static int fails(void) { return call ? 0 : is_due(); }

// The next call of a function, when its calls are counted.
static int call_fails(const char *name) {
  get_ready();
  return call && strcmp(call, name) == 0 && is_due();
}

static void record(char kind, const char *name, int64_t offset, const void *data, uint32_t size) {
  if (log_fd < 0) return;
  name = absolute(name);
  uint32_t length = strlen(name);
  char head[17];
  head[0] = kind;
  memcpy(head + 1, &length, 4);
  memcpy(head + 5, &size, 4);
  memcpy(head + 9, &offset, 8);
  // At once: several programs write the same log.
  struct iovec parts[] = {{head, 17}, {(void *)name, length}, {(void *)data, size}};
  syscall(SYS_writev, log_fd, parts, 3);
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = dlsym(RTLD_NEXT, name)

static int opened(const char *path, int fd, int flags, int existed) {
  if (fd < 0 || fd >= 1024) return fd;
  names[fd][0] = 0;
  if (!is_watched(path)) return fd;
  strncpy(names[fd], absolute(path), 511);
  if ((flags & O_CREAT) && !existed) record('C', path, 0, NULL, 0);
  if (flags & O_TRUNC) record('T', path, 0, NULL, 0);
  return fd;
}

#define OPEN(function) \
  int function(const char *path, int flags, ...) { \
    REAL(int, #function, const char *, int, ...); \
    mode_t mode = 0; \
    if (flags & O_CREAT) { \
      va_list list; \
      va_start(list, flags); \
      mode = va_arg(list, int); \
      va_end(list); \
    } \
    int existed = is_watched(path) && syscall(SYS_access, path, F_OK) == 0; \
    if (is_watched(path) && call_fails("open")) return -1; \
    if (is_watched(path) && (flags & O_CREAT) && !existed && fails()) return -1; \
    return opened(path, real(path, flags, mode), flags, existed); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  REAL(int, "close", int);
  if (fd >= 0 && fd < 1024) names[fd][0] = 0;
  return real(fd);
}

ssize_t write(int fd, const void *data, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  const char *name = name_of(fd);
  if ((name || (has_streams && (fd == 1 || fd == 2))) && call_fails("write")) return -1;
  if (!name) return real(fd, data, size);
  if (fails()) return -1;
  int64_t offset = lseek(fd, 0, SEEK_CUR);
  ssize_t done = real(fd, data, size);
  if (done > 0) record('W', name, offset, data, done);
  return done;
}

#define PWRITE(function, offset_type) \
  ssize_t function(int fd, const void *data, size_t size, offset_type offset) { \
    REAL(ssize_t, #function, int, const void *, size_t, offset_type); \
    const char *name = name_of(fd); \
    if (name && (fails() || call_fails("write"))) return -1; \
    ssize_t done = real(fd, data, size, offset); \
    if (name && done > 0) record('W', name, offset, data, done); \
    return done; \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define SYNC(function) \
  int function(int fd) { \
    REAL(int, #function, int); \
    const char *name = name_of(fd); \
    if (name && (fails() || call_fails("fsync"))) return -1; \
    int result = real(fd); \
    if (name && result == 0) record('S', name, 0, NULL, 0); \
    return result; \
  }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(function, size_type) \
  int function(int fd, size_type size) { \
    REAL(int, #function, int, size_type); \
    const char *name = name_of(fd); \
    if (name && (fails() || call_fails("ftruncate"))) return -1; \
    int result = real(fd, size); \
    if (name && result == 0) record('T', name, size, NULL, 0); \
    return result; \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  if (is_watched(path) && call_fails("unlink")) return -1;
  int result = real(path);
  if (result == 0 && is_watched(path)) record('D', path, 0, NULL, 0);
  return result;
}

#define TWO_NAMES(function, kind) \
  int function(const char *from, const char *to) { \
    REAL(int, #function, const char *, const char *); \
    if (is_watched(to) && (fails() || call_fails(#function))) return -1; \
    int result = real(from, to); \
    if (result == 0 && is_watched(to)) record(kind, from, 0, absolute(to), strlen(absolute(to))); \
    return result; \
  }
TWO_NAMES(rename, 'R')
TWO_NAMES(link, 'L')

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned int flags) {
  REAL(int, "renameat2", int, const char *, int, const char *, unsigned int);
  if (is_watched(to) && (fails() || call_fails("rename"))) return -1;
  int result = real(from_dir, from, to_dir, to, flags);
  if (result == 0 && is_watched(to))
    record(flags & RENAME_EXCHANGE ? 'X' : 'R', from, 0, absolute(to), strlen(absolute(to)));
  return result;
}

#define READ(function) \
  ssize_t function(int fd, void *data, size_t size) { \
    REAL(ssize_t, #function, int, void *, size_t); \
    if ((fd == 0 || name_of(fd)) && call_fails("read")) return -1; \
    return real(fd, data, size); \
  }
READ(read)

#define PREAD(function, offset_type) \
  ssize_t function(int fd, void *data, size_t size, offset_type offset) { \
    REAL(ssize_t, #function, int, void *, size_t, offset_type); \
    if (name_of(fd) && call_fails("read")) return -1; \
    return real(fd, data, size, offset); \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

#define STAT(function, type) \
  int function(const char *path, type *status) { \
    REAL(int, #function, const char *, type *); \
    if (is_watched(path) && call_fails("stat")) return -1; \
    return real(path, status); \
  }
STAT(stat, struct stat)
STAT(lstat, struct stat)
STAT(stat64, struct stat64)
STAT(lstat64, struct stat64)

#define FSTAT(function, type) \
  int function(int fd, type *status) { \
    REAL(int, #function, int, type *); \
    if ((fd == 0 || name_of(fd)) && call_fails("fstat")) return -1; \
    return real(fd, status); \
  }
FSTAT(fstat, struct stat)
FSTAT(fstat64, struct stat64)

int access(const char *path, int mode) {
  REAL(int, "access", const char *, int);
  if (is_watched(path) && call_fails("access")) return -1;
  return real(path, mode);
}

#define FCNTL(function) \
  int function(int fd, int command, ...) { \
    REAL(int, #function, int, int, void *); \
    va_list list; \
    va_start(list, command); \
    void *value = va_arg(list, void *); \
    va_end(list); \
    if (name_of(fd) && (command == F_SETLK || command == F_GETLK) && call_fails("fcntl")) return -1; \
    return real(fd, command, value); \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

int poll(struct pollfd *polls, nfds_t count, int timeout) {
  REAL(int, "poll", struct pollfd *, nfds_t, int);
  if (call_fails("poll")) return -1;
  return real(polls, count, timeout);
}

#define MMAP(function, offset_type) \
  void *function(void *start, size_t size, int protection, int flags, int fd, offset_type offset) { \
    REAL(void *, #function, void *, size_t, int, int, int, offset_type); \
    if (fd >= 0 && name_of(fd) && call_fails("mmap")) return (void *)-1; \
    return real(start, size, protection, flags, fd, offset); \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)
