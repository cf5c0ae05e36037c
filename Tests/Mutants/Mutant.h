#include <stdlib.h>
#include <string.h>

// The same as in Mutant.swift, for C: whether this process has a fault of this name.
static inline int mutant(const char *name) {
  const char *active = getenv("DAYBOOK_MUTANT");
  return active && strcmp(active, name) == 0;
}
