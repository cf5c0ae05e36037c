#ifndef DAYBOOK_CFILES_H
#define DAYBOOK_CFILES_H

// renameat2, which the C library declares only for programs that ask for GNU extensions.
// All return 0, or -1 with errno; EINVAL or ENOSYS where the file system or the kernel cannot.

// Renames a file; fails with EEXIST if the new name is taken.
int daybook_rename_exclusively(const char *from, const char *to);

// Exchanges two files in one step.
int daybook_exchange_files(const char *left, const char *right);

#endif
