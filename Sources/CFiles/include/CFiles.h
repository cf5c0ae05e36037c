#ifndef DAYBOOK_CFILES_H
#define DAYBOOK_CFILES_H

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

#endif
