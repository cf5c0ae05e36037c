#ifndef DAYBOOK_CARCHIVE_H
#define DAYBOOK_CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

// Archives through libarchive, loaded with dlopen on first use: linking it would add libxml2, ICU
// and ten more libraries, and milliseconds to every start. Its own headers give the types of its
// functions, so that calls match them.

// Reads a zip or a tar, also a compressed tar, sequentially from the start.
struct daybook_archive_reader;

// Returns the next bytes of the archive in `*bytes`, valid until the next call, and their number; 0 at
// the end, -1 on a read error.
typedef ptrdiff_t (*daybook_archive_input)(void *context, const void **bytes);

// Receives bytes of a zip being written; returns 0, or -1 on a write error.
typedef int (*daybook_zip_output)(void *context, const void *bytes, size_t count);

// A new reader, or NULL with the reason in `reason`. A compressed file may be no archive: it is then
// the only member.
struct daybook_archive_reader *daybook_archive_reader_new(daybook_archive_input input, void *context,
                                                  int is_compressed, char *reason,
                                                  size_t reason_size);

// Advances to the next member. Returns 1 for a regular file, 2 for a directory, 3 for a link and 4
// for another one, with its name (valid until the next call), 5 for the contents of a compressed file,
// which have no name, 0 at the end, -1 with the reason. The name is the raw bytes of the
// archive, usually UTF-8; NULL if the archive marks it as UTF-8 and it is invalid.
int daybook_archive_reader_next(struct daybook_archive_reader *reader, const char **name, char *reason,
                            size_t reason_size);

// Reads bytes of the file. Returns their number, 0 at its end; -1 with the reason if this file
// cannot be read, -2 if no later file can be read either.
ptrdiff_t daybook_archive_reader_read(struct daybook_archive_reader *reader, void *bytes, size_t count,
                                  char *reason, size_t reason_size);

void daybook_archive_reader_free(struct daybook_archive_reader *reader);

// Writes a zip, file by file, with reproducible bytes.
struct daybook_zip;

// A new zip, or NULL with the reason.
struct daybook_zip *daybook_zip_new(daybook_zip_output output, void *context, char *reason,
                                    size_t reason_size);

// Begins a file of `size` bytes; the one before must be complete. Returns 0, or -1 with the reason.
int daybook_zip_begin(struct daybook_zip *zip, const char *name, int64_t size, char *reason,
                      size_t reason_size);

// Adds bytes of the file. Returns 0, or -1 with the reason, also for more bytes than `size`.
int daybook_zip_data(struct daybook_zip *zip, const void *bytes, size_t count, char *reason,
                     size_t reason_size);

// Writes the end. Returns 0, or -1 with the reason.
int daybook_zip_end(struct daybook_zip *zip, char *reason, size_t reason_size);

void daybook_zip_free(struct daybook_zip *zip);

#endif
