#ifndef DAYBOOK_CSPELL_H
#define DAYBOOK_CSPELL_H

#include <stddef.h>

// Spelling through libhunspell, loaded with dlopen on first use: it is optional, and linking it would
// bring the C++ library into every start. The few functions that are called are declared in spell.c, so
// that no header is needed to build.
//
// Words are texts in the encoding of the dictionary, which converts nothing itself.

struct daybook_dictionary;

// Loads the library. Returns 0, or -1 with the reason.
int daybook_spell_load(char *reason, size_t reason_size);

// Opens a dictionary of two readable files, or returns NULL. The library must have been loaded.
struct daybook_dictionary *daybook_dictionary_open(const char *affixes, const char *words);

// The name of the encoding of words, such as `ISO8859-1`.
const char *daybook_dictionary_encoding(struct daybook_dictionary *dictionary);

int daybook_dictionary_knows(struct daybook_dictionary *dictionary, const char *word);

// Finds the words nearest to a wrong one, the best first. Returns their number; the list is given back by
// daybook_dictionary_free_list.
int daybook_dictionary_suggest(struct daybook_dictionary *dictionary, const char *word,
                               char ***list);

void daybook_dictionary_free_list(struct daybook_dictionary *dictionary, char ***list, int count);

void daybook_dictionary_close(struct daybook_dictionary *dictionary);

#endif
