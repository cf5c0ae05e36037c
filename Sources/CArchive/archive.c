#define _GNU_SOURCE
#include "CArchive.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// The called functions of libarchive, by name, with the types of its headers.
#define FUNCTIONS(F)                                                                               \
  F(archive_read_new)                                                                              \
  F(archive_read_support_format_zip_streamable)                                                    \
  F(archive_read_support_format_tar)                                                               \
  F(archive_read_support_format_raw)                                                               \
  F(archive_read_support_filter_gzip)                                                              \
  F(archive_read_support_filter_bzip2)                                                             \
  F(archive_read_support_filter_xz)                                                                \
  F(archive_read_support_filter_zstd)                                                              \
  F(archive_read_open)                                                                             \
  F(archive_read_next_header)                                                                      \
  F(archive_read_data)                                                                             \
  F(archive_read_free)                                                                             \
  F(archive_format)                                                                                \
  F(archive_write_new)                                                                             \
  F(archive_write_set_format_zip)                                                                  \
  F(archive_write_set_bytes_per_block)                                                             \
  F(archive_write_open)                                                                            \
  F(archive_write_header)                                                                          \
  F(archive_write_data)                                                                            \
  F(archive_write_close)                                                                           \
  F(archive_write_free)                                                                            \
  F(archive_error_string)                                                                          \
  F(archive_set_error)                                                                             \
  F(archive_entry_new)                                                                             \
  F(archive_entry_free)                                                                            \
  F(archive_entry_filetype)                                                                        \
  F(archive_entry_hardlink)                                                                        \
  F(archive_entry_pathname)                                                                        \
  F(archive_entry_pathname_utf8)                                                                   \
  F(archive_entry_set_pathname_utf8)                                                               \
  F(archive_entry_set_size)                                                                        \
  F(archive_entry_set_filetype)                                                                    \
  F(archive_entry_set_perm)                                                                        \
  F(archive_entry_set_mtime)

static struct {
#define FUNCTION(name) __typeof__(&name) name;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
} library;

static char load_failure[256];
static locale_t names_locale;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(load_failure, sizeof load_failure,
             "an archive needs libarchive, which is not installed (on Debian: apt install libarchive-tools)");
    return;
  }
#define FUNCTION(name)                                                                             \
  if (!(*(void **)&library.name = dlsym(handle, #name))) {                                         \
    snprintf(load_failure, sizeof load_failure, "libarchive has no %s; it is too old", #name);     \
    return;                                                                                        \
  }
  FUNCTIONS(FUNCTION)
#undef FUNCTION
  names_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

static int is_loaded(char *reason, size_t reason_size) {
  pthread_once(&load_once, load);
  if (!load_failure[0]) return 1;
  snprintf(reason, reason_size, "%s", load_failure);
  return 0;
}

static void explain(struct archive *archive, char *reason, size_t reason_size) {
  const char *text = library.archive_error_string(archive);
  snprintf(reason, reason_size, "%s", text ? text : "the archive is broken");
}

struct daybook_archive_reader {
  struct archive *archive;
  daybook_archive_input input;
  void *context;
};

static la_ssize_t read_input(struct archive *archive, void *context, const void **bytes) {
  struct daybook_archive_reader *reader = context;
  ptrdiff_t count = reader->input(reader->context, bytes);
  if (count < 0) library.archive_set_error(archive, 5, "its bytes cannot be read");
  return count < 0 ? -1 : (la_ssize_t)count;
}

struct daybook_archive_reader *daybook_archive_reader_new(daybook_archive_input input, void *context,
                                                  int is_compressed, char *reason,
                                                  size_t reason_size) {
  if (!is_loaded(reason, reason_size)) return NULL;
  struct daybook_archive_reader *reader = calloc(1, sizeof *reader);
  struct archive *archive = library.archive_read_new();
  if (!reader || !archive) abort();
  reader->archive = archive;
  reader->input = input;
  reader->context = context;
  // No hdrcharset: it would convert names to the program's locale and lose invalid UTF-8. Without
  // it they stay raw bytes.
  library.archive_read_support_filter_gzip(archive);
  library.archive_read_support_filter_bzip2(archive);
  library.archive_read_support_filter_xz(archive);
  library.archive_read_support_filter_zstd(archive);
  if (library.archive_read_support_format_zip_streamable(archive) < ARCHIVE_WARN ||
      library.archive_read_support_format_tar(archive) < ARCHIVE_WARN ||
      (is_compressed && library.archive_read_support_format_raw(archive) < ARCHIVE_WARN) ||
      library.archive_read_open(archive, reader, NULL, read_input, NULL) < ARCHIVE_WARN) {
    explain(archive, reason, reason_size);
    daybook_archive_reader_free(reader);
    return NULL;
  }
  return reader;
}

static int next_file(struct daybook_archive_reader *reader, const char **name, char *reason,
                     size_t reason_size) {
  struct archive_entry *entry = NULL;
  int result = library.archive_read_next_header(reader->archive, &entry);
  if (result == ARCHIVE_EOF) return 0;
  if (result < ARCHIVE_WARN) {
    explain(reader->archive, reason, reason_size);
    return -1;
  }
  // The library's name of a compressed file is "data".
  if (library.archive_format(reader->archive) == ARCHIVE_FORMAT_RAW) return 5;
  *name = library.archive_entry_pathname_utf8(entry);
  if (!*name) *name = library.archive_entry_pathname(entry);
  if (library.archive_entry_hardlink(entry)) return 3;
  switch (library.archive_entry_filetype(entry)) {
    case AE_IFREG: return 1;
    case AE_IFDIR: return 2;
    case AE_IFLNK: return 3;
    default: return 4;
  }
}

int daybook_archive_reader_next(struct daybook_archive_reader *reader, const char **name, char *reason,
                            size_t reason_size) {
  // libarchive converts names marked as UTF-8 by the locale, and loses them in the locale C.
  locale_t before = uselocale(names_locale);
  int result = next_file(reader, name, reason, reason_size);
  uselocale(before);
  return result;
}

ptrdiff_t daybook_archive_reader_read(struct daybook_archive_reader *reader, void *bytes, size_t count,
                                  char *reason, size_t reason_size) {
  la_ssize_t result = library.archive_read_data(reader->archive, bytes, count);
  if (result >= 0) return result;
  explain(reader->archive, reason, reason_size);
  return result <= ARCHIVE_FATAL ? -2 : -1;
}

void daybook_archive_reader_free(struct daybook_archive_reader *reader) {
  library.archive_read_free(reader->archive);
  free(reader);
}

struct daybook_zip {
  struct archive *archive;
  daybook_zip_output output;
  void *context;
};

static la_ssize_t write_output(struct archive *archive, void *context, const void *bytes,
                               size_t count) {
  struct daybook_zip *zip = context;
  if (zip->output(zip->context, bytes, count) == 0) return (la_ssize_t)count;
  library.archive_set_error(archive, 5, "the zip cannot be written");
  return -1;
}

struct daybook_zip *daybook_zip_new(daybook_zip_output output, void *context, char *reason,
                                    size_t reason_size) {
  if (!is_loaded(reason, reason_size)) return NULL;
  struct daybook_zip *zip = calloc(1, sizeof *zip);
  struct archive *archive = library.archive_write_new();
  if (!zip || !archive) abort();
  zip->archive = archive;
  zip->output = output;
  zip->context = context;
  if (library.archive_write_set_format_zip(archive) == ARCHIVE_OK &&
      library.archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK &&
      library.archive_write_open(archive, zip, NULL, write_output, NULL) == ARCHIVE_OK)
    return zip;
  explain(archive, reason, reason_size);
  daybook_zip_free(zip);
  return NULL;
}

int daybook_zip_begin(struct daybook_zip *zip, const char *name, int64_t size, char *reason,
                      size_t reason_size) {
  struct archive_entry *entry = library.archive_entry_new();
  if (!entry) abort();
  library.archive_entry_set_pathname_utf8(entry, name);
  library.archive_entry_set_size(entry, (la_int64_t)size);
  library.archive_entry_set_filetype(entry, AE_IFREG);
  library.archive_entry_set_perm(entry, 0644);
  // 1980-01-01, the earliest zip time stamp, so that equal entries give equal bytes.
  library.archive_entry_set_mtime(entry, 315532800, 0);
  int result = library.archive_write_header(zip->archive, entry) == ARCHIVE_OK ? 0 : -1;
  if (result != 0) explain(zip->archive, reason, reason_size);
  library.archive_entry_free(entry);
  return result;
}

int daybook_zip_data(struct daybook_zip *zip, const void *bytes, size_t count, char *reason,
                     size_t reason_size) {
  while (count > 0) {
    size_t part = count < ((size_t)1 << 30) ? count : (size_t)1 << 30;
    la_ssize_t written = library.archive_write_data(zip->archive, bytes, part);
    if (written <= 0) {
      explain(zip->archive, reason, reason_size);
      return -1;
    }
    bytes = (const char *)bytes + written;
    count -= (size_t)written;
  }
  return 0;
}

int daybook_zip_end(struct daybook_zip *zip, char *reason, size_t reason_size) {
  if (library.archive_write_close(zip->archive) == ARCHIVE_OK) return 0;
  explain(zip->archive, reason, reason_size);
  return -1;
}

void daybook_zip_free(struct daybook_zip *zip) {
  library.archive_write_free(zip->archive);
  free(zip);
}
