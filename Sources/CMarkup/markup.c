#define _GNU_SOURCE
#include "CMarkup.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What libxml2 declares in parser.h, HTMLparser.h, SAX2.h and xmlerror.h, and keeps across its
// versions.
typedef unsigned char xmlChar;
typedef void *xmlContext;

struct sax_error {
  int domain;
  int code;
  char *message;
  int level;
  char *file;
  int line;
};

struct sax_handler {
  void (*internalSubset)(void);
  void (*isStandalone)(void);
  void (*hasInternalSubset)(void);
  void (*hasExternalSubset)(void);
  void (*resolveEntity)(void);
  void (*getEntity)(void);
  void (*entityDecl)(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                     const xmlChar *system_id, xmlChar *content);
  void (*notationDecl)(void);
  void (*attributeDecl)(void);
  void (*elementDecl)(void);
  void (*unparsedEntityDecl)(void);
  void (*setDocumentLocator)(void);
  void (*startDocument)(void);
  void (*endDocument)(void);
  void (*startElement)(void *context, const xmlChar *name, const xmlChar **attributes);
  void (*endElement)(void *context, const xmlChar *name);
  void (*reference)(void *context, const xmlChar *name);
  void (*characters)(void *context, const xmlChar *bytes, int count);
  void (*ignorableWhitespace)(void *context, const xmlChar *bytes, int count);
  void (*processingInstruction)(void);
  void (*comment)(void);
  void (*warning)(void);
  void (*error)(void);
  void (*fatalError)(void);
  void (*getParameterEntity)(void);
  void (*cdataBlock)(void *context, const xmlChar *bytes, int count);
  void (*externalSubset)(void);
  unsigned int initialized;
  void *private_data;
  void (*startElementNs)(void *context, const xmlChar *name, const xmlChar *prefix,
                         const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
                         int attribute_count, int defaulted_count, const xmlChar **attributes);
  void (*endElementNs)(void *context, const xmlChar *name, const xmlChar *prefix,
                       const xmlChar *uri);
  void (*serror)(void *context, const struct sax_error *error);
};

enum {
  SAX2_MAGIC = (int)0xDEEDBEAF,
  OPTION_RECOVER = 1 << 0,
  // Values of attributes without further references; no entity is known that could be replaced.
  OPTION_REPLACE = 1 << 1,
  OPTION_NO_NETWORK = 1 << 11,
  // Without it a text or a picture of 10 MB is an error; Swift has bounds of its own.
  OPTION_HUGE = 1 << 19,
  LEVEL_WARNING = 1,
  // A prefix that is not declared is a name like any other.
  DOMAIN_NAMESPACE = 3,
  ENCODING_NONE = 0,
  ENCODING_UTF8 = 1,
};

// The called functions, with their types.
#define FUNCTIONS(F)                                                                               \
  F(xmlInitParser, void, (void))                                                                   \
  F(xmlCreatePushParserCtxt, xmlContext,                                                           \
    (struct sax_handler *, void *, const char *, int, const char *))                               \
  F(xmlCtxtUseOptions, int, (xmlContext, int))                                                     \
  F(xmlParseChunk, int, (xmlContext, const char *, int, int))                                      \
  F(xmlStopParser, void, (xmlContext))                                                             \
  F(xmlFreeParserCtxt, void, (xmlContext))                                                         \
  F(xmlSAX2GetLineNumber, int, (void *))                                                           \
  F(htmlCreatePushParserCtxt, xmlContext,                                                          \
    (struct sax_handler *, void *, const char *, int, const char *, int))                          \
  F(htmlCtxtUseOptions, int, (xmlContext, int))                                                    \
  F(htmlParseChunk, int, (xmlContext, const char *, int, int))                                     \
  F(htmlFreeParserCtxt, void, (xmlContext))

static struct {
#define FUNCTION(name, result, parameters) result(*name) parameters;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
} library;

static char load_failure[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(load_failure, sizeof load_failure,
             "XML and HTML need libxml2, which is not installed (on Debian: apt install "
             "libxml2-utils)");
    return;
  }
#define FUNCTION(name, result, parameters)                                                         \
  if (!(*(void **)&library.name = dlsym(handle, #name))) {                                         \
    snprintf(load_failure, sizeof load_failure, "libxml2 has no %s", #name);                       \
    return;                                                                                        \
  }
  FUNCTIONS(FUNCTION)
#undef FUNCTION
  library.xmlInitParser();
}

int daybook_markup_load(char *reason, size_t reason_size) {
  pthread_once(&load_once, load);
  if (!load_failure[0]) return 0;
  snprintf(reason, reason_size, "%s", load_failure);
  return -1;
}

struct daybook_markup_parser {
  struct sax_handler handler;
  struct daybook_markup_events events;
  void *context;
  xmlContext library_context;
  int is_html;
  int is_stopped;
  // The name with its prefix of the present element.
  char *name;
  size_t name_capacity;
  // The names and values of its attributes.
  const char **attributes;
  size_t attribute_capacity;
  // The bytes of those that the library does not end by a NUL.
  char *strings;
  size_t string_capacity;
};

static void *grown(void *memory, size_t *capacity, size_t wanted, size_t size) {
  if (wanted <= *capacity) return memory;
  *capacity = wanted * 2;
  memory = realloc(memory, *capacity * size);
  if (!memory) abort();
  return memory;
}

static const char *qualified(struct daybook_markup_parser *parser, const xmlChar *name,
                             const xmlChar *prefix) {
  if (!prefix) return (const char *)name;
  size_t wanted = strlen((const char *)name) + strlen((const char *)prefix) + 2;
  parser->name = grown(parser->name, &parser->name_capacity, wanted, 1);
  snprintf(parser->name, wanted, "%s:%s", (const char *)prefix, (const char *)name);
  return parser->name;
}

static void start_xml(void *context, const xmlChar *name, const xmlChar *prefix,
                      const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
                      int attribute_count, int defaulted_count, const xmlChar **attributes) {
  (void)uri, (void)namespace_count, (void)namespaces, (void)defaulted_count;
  struct daybook_markup_parser *parser = context;
  if (parser->is_stopped) return;
  size_t count = attribute_count < 0 ? 0 : (size_t)attribute_count, bytes = 0;
  for (size_t index = 0; index < count; index++) {
    const xmlChar **one = attributes + index * 5;
    bytes += strlen((const char *)one[0]) + (size_t)(one[4] - one[3]) + 3;
    if (one[1]) bytes += strlen((const char *)one[1]);
  }
  parser->strings = grown(parser->strings, &parser->string_capacity, bytes + 1, 1);
  parser->attributes = grown(parser->attributes, &parser->attribute_capacity, count * 2 + 1,
                             sizeof *parser->attributes);
  char *next = parser->strings;
  for (size_t index = 0; index < count; index++) {
    const xmlChar **one = attributes + index * 5;
    size_t length = (size_t)(one[4] - one[3]);
    parser->attributes[index * 2] = next;
    next += sprintf(next, "%s%s%s", one[1] ? (const char *)one[1] : "", one[1] ? ":" : "",
                    (const char *)one[0]) + 1;
    parser->attributes[index * 2 + 1] = next;
    memcpy(next, one[3], length);
    next[length] = 0;
    next += length + 1;
  }
  parser->attributes[count * 2] = NULL;
  parser->events.start(parser->context, qualified(parser, name, prefix), parser->attributes);
}

static void end_xml(void *context, const xmlChar *name, const xmlChar *prefix,
                    const xmlChar *uri) {
  (void)uri;
  struct daybook_markup_parser *parser = context;
  if (!parser->is_stopped)
    parser->events.end(parser->context, qualified(parser, name, prefix));
}

static void start_html(void *context, const xmlChar *name, const xmlChar **attributes) {
  static const char *const none[] = {NULL};
  struct daybook_markup_parser *parser = context;
  if (parser->is_stopped) return;
  parser->events.start(parser->context, (const char *)name,
                       attributes ? (const char *const *)attributes : none);
}

static void end_html(void *context, const xmlChar *name) {
  struct daybook_markup_parser *parser = context;
  if (!parser->is_stopped) parser->events.end(parser->context, (const char *)name);
}

static void text(void *context, const xmlChar *bytes, int count) {
  struct daybook_markup_parser *parser = context;
  if (!parser->is_stopped && count > 0)
    parser->events.text(parser->context, (const char *)bytes, (size_t)count);
}

static void reference(void *context, const xmlChar *name) {
  struct daybook_markup_parser *parser = context;
  // `&#8364;` has been a text.
  if (!parser->is_stopped && name[0] != '#')
    parser->events.reference(parser->context, (const char *)name);
}

static void declare(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                    const xmlChar *system_id, xmlChar *content) {
  (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
  struct daybook_markup_parser *parser = context;
  if (parser->is_stopped) return;
  parser->events.problem(parser->context, "declares entities, which are not read",
                         daybook_markup_line(parser));
  daybook_markup_stop(parser);
}

static void problem(void *context, const struct sax_error *error) {
  struct daybook_markup_parser *parser = context;
  if (parser->is_stopped || parser->is_html || !error || error->level <= LEVEL_WARNING ||
      error->domain == DOMAIN_NAMESPACE)
    return;
  parser->events.problem(parser->context, error->message ? error->message : "broken XML",
                         error->line);
}

struct daybook_markup_parser *daybook_markup_new(int is_html,
                                                 const struct daybook_markup_events *events,
                                                 void *context, char *reason, size_t reason_size) {
  if (daybook_markup_load(reason, reason_size) != 0) return NULL;
  struct daybook_markup_parser *parser = calloc(1, sizeof *parser);
  if (!parser) abort();
  parser->events = *events;
  parser->context = context;
  parser->is_html = is_html;
  struct sax_handler *handler = &parser->handler;
  handler->initialized = (unsigned int)SAX2_MAGIC;
  handler->characters = text;
  handler->ignorableWhitespace = text;
  handler->cdataBlock = text;
  handler->reference = reference;
  handler->serror = problem;
  if (is_html) {
    handler->startElement = start_html;
    handler->endElement = end_html;
    // The encoding is known: a `meta` element does not change it.
    parser->library_context =
        library.htmlCreatePushParserCtxt(handler, parser, NULL, 0, NULL, ENCODING_UTF8);
  } else {
    handler->startElementNs = start_xml;
    handler->endElementNs = end_xml;
    handler->entityDecl = declare;
    parser->library_context = library.xmlCreatePushParserCtxt(handler, parser, NULL, 0, NULL);
  }
  if (!parser->library_context) abort();
  if (is_html)
    library.htmlCtxtUseOptions(parser->library_context, OPTION_RECOVER | OPTION_NO_NETWORK | OPTION_HUGE);
  else
    library.xmlCtxtUseOptions(parser->library_context,
                              OPTION_RECOVER | OPTION_REPLACE | OPTION_NO_NETWORK | OPTION_HUGE);
  return parser;
}

int daybook_markup_parse(struct daybook_markup_parser *parser, const void *bytes, size_t count,
                         int is_last) {
  // The library counts in `int`.
  const size_t limit = 1 << 20;
  const char *next = bytes;
  do {
    if (parser->is_stopped) return -1;
    size_t part = count < limit ? count : limit;
    int ends = is_last && part == count;
    if (parser->is_html)
      library.htmlParseChunk(parser->library_context, next, (int)part, ends);
    else
      library.xmlParseChunk(parser->library_context, next, (int)part, ends);
    if (next) next += part;
    count -= part;
  } while (count > 0);
  return parser->is_stopped ? -1 : 0;
}

void daybook_markup_stop(struct daybook_markup_parser *parser) {
  parser->is_stopped = 1;
  library.xmlStopParser(parser->library_context);
}

int daybook_markup_line(struct daybook_markup_parser *parser) {
  int line = library.xmlSAX2GetLineNumber(parser->library_context);
  return line > 0 ? line : 1;
}

void daybook_markup_free(struct daybook_markup_parser *parser) {
  if (parser->is_html)
    library.htmlFreeParserCtxt(parser->library_context);
  else
    library.xmlFreeParserCtxt(parser->library_context);
  free(parser->name);
  free(parser->attributes);
  free(parser->strings);
  free(parser);
}
