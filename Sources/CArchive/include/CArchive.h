#ifndef DAYBOOK_CARCHIVE_H
#define DAYBOOK_CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

// Zip files through libarchive, which is opened only when a zip is read or written: linked to the
// program it would bring libxml2, ICU and ten more along and lengthen every start by milliseconds.
// Its own headers give the types of its functions, so that a call cannot differ from them.

// Reads a zip one file after the other, from the front, so that a pipe will do.
struct daybook_zip_reader;

// Gives the next bytes of the zip in `*bytes`, which must stay until the next call; returns how many,
// 0 at the end, -1 when they cannot be read.
typedef ptrdiff_t (*daybook_zip_input)(void *context, const void **bytes);

// Takes bytes of a zip that is written; returns 0, or -1 when they cannot be taken.
typedef int (*daybook_zip_output)(void *context, const void *bytes, size_t count);

// A new reader, or NULL with the reason in `reason`.
struct daybook_zip_reader *daybook_zip_reader_new(daybook_zip_input input, void *context,
                                                  char *reason, size_t reason_size);

// Goes to the next file. Returns 1 with its name until the next call, 0 at the end, -1 with the reason.
// The name is the zip's bytes, UTF-8 in most; NULL when the zip calls it UTF-8 and it is not.
int daybook_zip_reader_next(struct daybook_zip_reader *reader, const char **name, char *reason,
                            size_t reason_size);

// Reads bytes of the file. Returns how many, 0 at its end; with the reason -1 when this file cannot be
// read, and -2 when nothing behind it can be either.
ptrdiff_t daybook_zip_reader_read(struct daybook_zip_reader *reader, void *bytes, size_t count,
                                  char *reason, size_t reason_size);

void daybook_zip_reader_free(struct daybook_zip_reader *reader);

// Writes a zip of one file, the same bytes each time. Returns 0, or -1 with the reason.
int daybook_zip_write(const char *name, const void *bytes, size_t count, daybook_zip_output output,
                      void *context, char *reason, size_t reason_size);

#endif
