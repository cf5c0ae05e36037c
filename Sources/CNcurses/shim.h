#ifndef DAYBOOK_CNCURSES_H
#define DAYBOOK_CNCURSES_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

// Swift rejects the library's variables (stdscr, cur_term) as unsafe, and imports neither the
// attribute macros nor variadic functions. Each function here wraps one of them.

// newterm needs streams, and ncurses writes to the descriptor of the output stream. The streams use
// duplicated descriptors, so that closing one cannot close standard output.
// The type is a terminal's name, or NULL for TERM.
static inline SCREEN *daybook_newterm(const char *type, int output, int input) {
  int out = dup(output), in = dup(input);
  FILE *writer = out < 0 ? NULL : fdopen(out, "w");
  FILE *reader = in < 0 ? NULL : fdopen(in, "r");
  return writer && reader ? newterm(type, writer, reader) : NULL;
}

// At its end ncurses would give the palette its colours of the factory (`oc`), and not those of the user;
// this program changes none of them. The capability is ncurses' own copy, which is empty then.
static inline void daybook_keep_palette(void) {
  char *reset = tigetstr("oc");
  if (reset != NULL && reset != (char *)-1) *reset = 0;
}

static inline int daybook_clear_on_refresh(void) { return clearok(curscr, TRUE); }

// The width of a character in ncurses, in columns: -1 if it is not printable.
static inline int daybook_character_width(wchar_t character) {
  extern int wcwidth(wchar_t);
  return wcwidth(character);
}

static inline WINDOW *daybook_stdscr(void) { return stdscr; }

// readline's initialisation calls tgetent, which may change the current terminal of ncurses.
static inline void *daybook_current_terminal(void) { return cur_term; }
static inline void daybook_set_current_terminal(void *terminal) {
  set_curterm((TERMINAL *)terminal);
}

static inline void daybook_forget_current_terminal(void) { del_curterm(cur_term); }

static inline attr_t daybook_attribute_bold(void) { return WA_BOLD; }
static inline attr_t daybook_attribute_dim(void) { return WA_DIM; }
static inline attr_t daybook_attribute_underline(void) { return WA_UNDERLINE; }
// Terminals without italics show underlined text instead.
static inline attr_t daybook_attribute_italic(void) {
  return (termattrs() & A_ITALIC) ? WA_ITALIC : WA_UNDERLINE;
}
static inline attr_t daybook_attribute_reverse(void) { return WA_REVERSE; }

static inline int daybook_color_count(void) { return COLORS; }
static inline int daybook_color_pair_count(void) { return COLOR_PAIRS; }

// Writes one character of at most CCHARW_MAX wide characters into a cell. mvwadd_wch is a macro,
// and setcchar takes a short colour pair unless its last argument points to an int.
static inline int daybook_put(
    WINDOW *window, int row, int column, const wchar_t *text, attr_t attributes, int pair) {
  cchar_t cell;
  if (setcchar(&cell, text, attributes, (short)(pair < 32767 ? pair : 0), &pair) == ERR) return ERR;
  if (wmove(window, row, column) == ERR) return ERR;
  return wadd_wch(window, &cell);
}

static inline int daybook_text_limit(void) { return CCHARW_MAX; }

// (char *)-1 and NULL both mean that the terminal lacks the string.
static inline const char *daybook_terminal_string(const char *name) {
  char *text = tigetstr(name);
  return text == (char *)-1 ? NULL : text;
}
static inline int daybook_terminal_number(const char *name) { return tigetnum(name); }
static inline int daybook_terminal_flag(const char *name) { return tigetflag(name) > 0; }

#endif
