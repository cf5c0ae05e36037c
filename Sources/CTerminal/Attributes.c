#include "CTerminal.h"

#include <string.h>

// term.h defines words such as `columns` and `lines`, so this is a file of its own.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

// vid_puts passes each byte to a function without a context.
static char collected[256];
static int collected_count;

static int collect(int byte) {
  if (collected_count < (int)sizeof collected) collected[collected_count++] = (char)byte;
  return byte;
}

int daybook_attribute_bytes(unsigned attributes, int pair, char *bytes, int size) {
  collected_count = 0;
  if (vid_puts(attributes, (short)(pair < 32767 ? pair : 0), &pair, collect) == ERR) return -1;
  if (collected_count > size || collected_count == (int)sizeof collected) return -1;
  memcpy(bytes, collected, (size_t)collected_count);
  return collected_count;
}
