#ifndef DAYBOOK_CMARKUP_H
#define DAYBOOK_CMARKUP_H

#include <stddef.h>

// XML and HTML through libxml2, loaded with dlopen on first use: few people need it, and linking it
// would add ICU and milliseconds to every start. The few functions that are called are declared in
// markup.c, so that no header is needed to build; their types are the same in libxml2.so.2 and in
// libxml2.so.16.
//
// The parser reports events and builds no tree, so that a file of any size needs little memory. No
// entity is declared, replaced or loaded, except the five of XML and the named characters of HTML.

struct daybook_markup_parser;

// Receives the events, in the order of the document. Names and bytes are UTF-8, valid during the
// call.
struct daybook_markup_events {
  // An element begins. `attributes` are names and values in turn, ended by NULL; a value may be NULL
  // in HTML.
  void (*start)(void *context, const char *name, const char *const *attributes);
  void (*end)(void *context, const char *name);
  // Part of a text, of any length.
  void (*text)(void *context, const char *bytes, size_t count);
  // A reference to an entity that the document does not declare.
  void (*reference)(void *context, const char *name);
  // An error, after which the parser goes on if it can.
  void (*problem)(void *context, const char *reason, int line);
};

// Loads the library. Returns 0, or -1 with the reason.
int daybook_markup_load(char *reason, size_t reason_size);

// A new parser of XML or of HTML, or NULL with the reason. HTML is read tolerantly, without
// problems. The library must have been loaded.
struct daybook_markup_parser *daybook_markup_new(int is_html,
                                                 const struct daybook_markup_events *events,
                                                 void *context, char *reason, size_t reason_size);

// Parses the next bytes; `is_last` ends the document. Returns 0, or -1 when the parser has stopped.
int daybook_markup_parse(struct daybook_markup_parser *parser, const void *bytes, size_t count,
                         int is_last);

// Stops the parser, also from within an event: no further events follow.
void daybook_markup_stop(struct daybook_markup_parser *parser);

// The current line, from 1.
int daybook_markup_line(struct daybook_markup_parser *parser);

void daybook_markup_free(struct daybook_markup_parser *parser);

#endif
