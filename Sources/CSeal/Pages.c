#define _GNU_SOURCE
#include "CSeal.h"
#include "Map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct daybook_seal_pages {
  int file;
  int has_header;
  uint32_t physical;
  struct map map;
};

static int read_at(void *context, void *bytes, int count, int64_t offset) {
  struct daybook_seal_pages *pages = context;
  ssize_t done = 0;
  while (done < count) {
    ssize_t part = pread(pages->file, (char *)bytes + done, (size_t)(count - done), offset + done);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return -1;
    if (part == 0) break;
    done += part;
  }
  memset((char *)bytes + done, 0, (size_t)(count - done));
  return 0;
}

static int no_write(void *context, const void *bytes, int count, int64_t offset) {
  (void)context, (void)bytes, (void)count, (void)offset;
  return -1;
}

struct daybook_seal_pages *daybook_seal_pages_open(int file, struct daybook_seal_key *key) {
  struct daybook_seal_pages *pages = calloc(1, sizeof *pages);
  if (!pages) return NULL;
  pages->file = file;
  map_init(&pages->map, (struct map_file){pages, read_at, no_write}, key);
  pages->has_header = map_refresh(&pages->map) == 0;
  // How many pages fit into the file, whatever its header says.
  struct stat status;
  if (fstat(file, &status) == 0) {
    uint32_t low = 0, high = (uint32_t)(status.st_size / PAGE);
    while (low < high) {
      uint32_t middle = low + (high - low + 1) / 2;
      if (page_offset(middle) + PAGE <= status.st_size) low = middle;
      else high = middle - 1;
    }
    pages->physical = low;
  }
  return pages;
}

uint32_t daybook_seal_pages_count(const struct daybook_seal_pages *pages, int any_version) {
  // What a killed writer left behind the end is no page of the map.
  return pages->has_header && (!any_version || pages->map.now.pages > pages->physical)
             ? (uint32_t)pages->map.now.pages
             : pages->physical;
}

int daybook_seal_pages_read(struct daybook_seal_pages *pages, uint32_t number, int any_version,
                            uint8_t *output) {
  if (number < 1) return DAYBOOK_SEAL_FORGED;
  if (pages->has_header && map_read(&pages->map, number, output) == 0) return DAYBOOK_SEAL_OK;
  if (any_version && map_read_any_version(&pages->map, number, output) == 0) return DAYBOOK_SEAL_OK;
  return DAYBOOK_SEAL_FORGED;
}

void daybook_seal_pages_close(struct daybook_seal_pages *pages) {
  map_free(&pages->map);
  free(pages);
}
