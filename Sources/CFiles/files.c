#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
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

int daybook_sync_file_system(int descriptor) { return syncfs(descriptor); }

// Prepares the new process, which shares the memory of the parent until exec, and runs the program.
//
// Returns the errno of what failed.
static int run(const struct daybook_program *program, pid_t parent) {
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (size_t index = 0; index < program->default_signal_count; index++) {
    sigaction(program->default_signals[index], &standard, NULL);
  }
  if (program->own_session && setsid() < 0) return errno;
  if (program->parent_death_signal != 0) {
    if (prctl(PR_SET_PDEATHSIG, program->parent_death_signal) != 0) return errno;
    // The parent may have ended before.
    if (getppid() != parent) _exit(127);
  }
  for (size_t index = 0; index < program->redirection_count; index++) {
    const struct daybook_redirection *change = &program->redirections[index];
    int from = change->path ? open(change->path, change->flags, 0) : change->from;
    if (from < 0) return errno;
    if (from == change->to) {
      // Only a duplicate stays open on exec.
      if (fcntl(from, F_SETFD, 0) != 0) return errno;
    } else {
      if (dup2(from, change->to) < 0) return errno;
      if (change->path) close(from);
    }
  }
  sigset_t none;
  sigemptyset(&none);
  if (sigprocmask(SIG_SETMASK, &none, NULL) != 0) return errno;
  execve(program->path, program->arguments, program->variables);
  return errno;
}

pid_t daybook_start(const struct daybook_program *program) {
  volatile int failure = 0;
  pid_t parent = getpid();
  // A handler of the parent must not run in the new process, which shares its memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t process = vfork();
  if (process == 0) {
    failure = run(program, parent);
    _exit(127);
  }
  int code = process < 0 ? errno : failure;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code == 0) return process;
  if (process > 0) {
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  errno = code;
  return -1;
}

int daybook_process_open(int pid) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, pid, 0);
#else
  (void)pid;
  errno = ENOSYS;
  return -1;
#endif
}
