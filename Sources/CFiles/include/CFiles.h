#ifndef DAYBOOK_CFILES_H
#define DAYBOOK_CFILES_H

#include <stddef.h>
#include <sys/types.h>

// Calls that the C library declares for GNU extensions only. All return 0, or -1 with errno.

// Makes a pipe whose ends are closed on exec from the beginning, so that no program started at the
// same moment by another thread inherits them.
int daybook_pipe(int ends[2]);

// renameat2: EINVAL or ENOSYS if the file system or the kernel does not support it.

// Renames a file; fails with EEXIST if the new name exists.
int daybook_rename_exclusively(const char *from, const char *to);

// Exchanges two files in one step.
int daybook_exchange_files(const char *left, const char *right);

// The type of a path's file system, a number of statfs(2); 0 if it is unknown.
unsigned int daybook_file_system_type(const char *path);

// Syncs the file system of a descriptor; 0, or -1 with errno.
int daybook_sync_file_system(int descriptor);

// A descriptor of a new process: an opened file, or without a path a duplicate of the parent's `from`.
struct daybook_redirection {
  const char *path;
  int flags;
  int from;
  int to;
};

// A program to start.
struct daybook_program {
  const char *path;
  char *const *arguments;
  char *const *variables;
  const struct daybook_redirection *redirections;
  size_t redirection_count;
  // Signals that get their default action, which the parent may ignore.
  const int *default_signals;
  size_t default_signal_count;
  // Whether the program leads a session of its own.
  int own_session;
  // A signal for the program when the thread that started it ends, as a killed parent does; 0 for none.
  int parent_death_signal;
};

// Starts a program without blocked signals; returns its process, or -1 with errno. posix_spawn has no
// signal for the end of the parent.
pid_t daybook_start(const struct daybook_program *program);

// Returns a close-on-exec descriptor that becomes readable when the process ends; -1 with errno.
// glibc has a wrapper only from 2.36 on.
int daybook_process_open(int pid);

#endif
