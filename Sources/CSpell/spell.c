#define _GNU_SOURCE
#include "CSpell.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// What libhunspell declares in hunspell.h, the same since version 1.3.
typedef struct daybook_dictionary *dictionary_handle;

#define FUNCTIONS(F)                                                                               \
  F(Hunspell_create, dictionary_handle, (const char *, const char *))                                   \
  F(Hunspell_destroy, void, (dictionary_handle))                                                              \
  F(Hunspell_get_dic_encoding, char *, (dictionary_handle))                                                   \
  F(Hunspell_spell, int, (dictionary_handle, const char *))                                                   \
  F(Hunspell_suggest, int, (dictionary_handle, char ***, const char *))                                       \
  F(Hunspell_free_list, void, (dictionary_handle, char ***, int))

static struct {
#define FUNCTION(name, result, parameters) result(*name) parameters;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
} library;

static char load_failure[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void) {
  static const char *const names[] = {"libhunspell-1.7.so.0", "libhunspell-1.8.so.0",
                                      "libhunspell-1.6.so.0", "libhunspell.so"};
  void *handle = NULL;
  for (size_t i = 0; handle == NULL && i < sizeof names / sizeof *names; i++)
    handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    snprintf(load_failure, sizeof load_failure,
             "spelling needs libhunspell, which is not installed (on Debian: apt install "
             "libhunspell-1.7-0)");
    return;
  }
#define FUNCTION(name, result, parameters)                                                         \
  library.name = (result(*) parameters)dlsym(handle, #name);                                       \
  if (library.name == NULL)                                                                        \
    snprintf(load_failure, sizeof load_failure, "libhunspell has no %s: install version 1.7", #name);
  FUNCTIONS(FUNCTION)
#undef FUNCTION
}

int daybook_spell_load(char *reason, size_t reason_size) {
  pthread_once(&load_once, load);
  if (load_failure[0] == '\0') return 0;
  snprintf(reason, reason_size, "%s", load_failure);
  return -1;
}

struct daybook_dictionary *daybook_dictionary_open(const char *affixes, const char *words) {
  return library.Hunspell_create(affixes, words);
}

const char *daybook_dictionary_encoding(struct daybook_dictionary *dictionary) {
  return library.Hunspell_get_dic_encoding(dictionary);
}

int daybook_dictionary_knows(struct daybook_dictionary *dictionary, const char *word) {
  return library.Hunspell_spell(dictionary, word);
}

int daybook_dictionary_suggest(struct daybook_dictionary *dictionary, const char *word,
                               char ***list) {
  return library.Hunspell_suggest(dictionary, list, word);
}

void daybook_dictionary_free_list(struct daybook_dictionary *dictionary, char ***list, int count) {
  library.Hunspell_free_list(dictionary, list, count);
}

void daybook_dictionary_close(struct daybook_dictionary *dictionary) {
  library.Hunspell_destroy(dictionary);
}
