#ifndef DAYBOOK_CREADLINE_H
#define DAYBOOK_CREADLINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <readline/readline.h>
#include <readline/history.h>

// Swift rejects the library's variables as unsafe. Each function here reads or sets those that a
// prompt needs.

typedef int daybook_getc(FILE *stream);
typedef int daybook_available(void);
typedef void daybook_redisplay(void);
typedef char **daybook_complete(const char *text, int start, int end);
// The characters that end the word to complete.
typedef char *daybook_choose_breaks(void);
typedef void daybook_show_matches(char **matches, int count, int longest);

// Disables all terminal access of readline: it reads from `getc`, displays through `redisplay` and
// writes everything else to `sink`.
static inline void daybook_readline_detach(
    FILE *sink, daybook_getc *getc, daybook_available *available, daybook_redisplay *redisplay) {
  rl_change_environment = 0;
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_prep_term_function = NULL;
  rl_deprep_term_function = NULL;
  rl_outstream = sink;
  rl_already_prompted = 1;
  rl_getc_function = getc;
  rl_input_available_hook = available;
  rl_redisplay_function = redisplay;
}

static inline void daybook_readline_name(const char *name) { rl_readline_name = name; }

static inline void daybook_readline_complete(
    daybook_complete *complete, daybook_show_matches *show, const char *breaks,
    daybook_choose_breaks *choose) {
  rl_attempted_completion_function = complete;
  rl_completion_display_matches_hook = show;
  rl_completer_word_break_characters = breaks;
  rl_completion_word_break_hook = choose;
  rl_completer_quote_characters = NULL;
  rl_basic_quote_characters = "";
  // "Display all 200 possibilities?" would wait for a key that never comes.
  rl_completion_query_items = -1;
  // Matches are sorted, best first.
  rl_sort_completion_matches = 0;
}

// Otherwise readline falls back to file names.
static inline void daybook_readline_completion_is_final(int append) {
  rl_attempted_completion_over = 1;
  rl_completion_append_character = append;
}

// The line before the history was used; readline has no other name for it.
extern HIST_ENTRY *_rl_saved_line_for_history __attribute__((weak));
static inline const void *daybook_readline_saved_line(void) {
  return &_rl_saved_line_for_history == NULL ? NULL : _rl_saved_line_for_history;
}

// Drops the undo list. In readline 8.2 several lines can share one undo list after a history
// search, and each of them frees it; so the lists leak, a few bytes each.
static inline void daybook_readline_forget_undo(void) {
  HIST_ENTRY **entries = history_list();
  for (int i = 0; entries != NULL && i < history_length; i++) entries[i]->data = NULL;
  if (daybook_readline_saved_line() != NULL) _rl_saved_line_for_history->data = NULL;
  rl_undo_list = NULL;
}

// The changes that undo takes back, the latest first; the records are readline's own.
static inline UNDO_LIST *daybook_readline_undo_list(void) { return rl_undo_list; }
static inline void daybook_readline_set_undo_list(UNDO_LIST *list) { rl_undo_list = list; }

// Rebinds a command name to another function. The entries of the map are the library's own copies.
static inline void daybook_readline_rename(rl_command_func_t *from, rl_command_func_t *to) {
  for (int i = 0; funmap != NULL && funmap[i] != NULL; i++)
    if (funmap[i]->function == from) funmap[i]->function = to;
}

static inline void daybook_readline_rebind_in(
    Keymap map, rl_command_func_t *from, rl_command_func_t *to, int depth) {
  for (int i = 0; i < KEYMAP_SIZE; i++) {
    if (map[i].type == ISFUNC && map[i].function == from) {
      map[i].function = to;
    } else if (map[i].type == ISKMAP && map[i].function != NULL && depth < 16) {
      // A submap is stored in the place of a function.
      daybook_readline_rebind_in((Keymap)(void *)map[i].function, from, to, depth + 1);
    }
  }
}

// Rebinds every key of one function to another.
static inline void daybook_readline_rebind(rl_command_func_t *from, rl_command_func_t *to) {
  static const char *const names[] = {"emacs", "vi-insert", "vi-command"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Keymap map = rl_get_keymap_by_name(names[i]);
    if (map != NULL) daybook_readline_rebind_in(map, from, to, 0);
  }
}

static inline int daybook_readline_overwrites(void) { return rl_insert_mode == 0; }
static inline int daybook_readline_has_argument(void) { return rl_explicit_arg; }
static inline int daybook_readline_is_vi_command(void) {
  return rl_editing_mode == 0 && rl_get_keymap() == rl_get_keymap_by_name("vi-command");
}

static inline int daybook_readline_is_vi(void) { return rl_editing_mode == 0; }

// Whether an operator of vi, such as `d`, waits for its motion.
static inline int daybook_readline_awaits_motion(void) { return RL_ISSTATE(RL_STATE_VIMOTION) != 0; }

// Whether vi's `.` runs a command again.
extern int _rl_vi_redoing __attribute__((weak));
static inline int daybook_readline_is_vi_redoing(void) {
  return &_rl_vi_redoing != NULL && _rl_vi_redoing != 0;
}

static inline const char *daybook_readline_buffer(void) { return rl_line_buffer; }
static inline int daybook_readline_end(void) { return rl_end; }
static inline int daybook_readline_point(void) { return rl_point; }
static inline void daybook_readline_set_point(int point) { rl_point = point; }
// Limits the numeric argument, which repeats the next key up to a million times: a typing error must
// not turn one key into megabytes.
static inline void daybook_readline_limit_argument(int most) {
  if (rl_numeric_arg > most) rl_numeric_arg = most;
}
static inline const char *daybook_readline_display_prompt(void) { return rl_display_prompt; }
static inline int daybook_readline_is_vi_insert(void) {
  return rl_editing_mode == 0 && rl_get_keymap() == rl_get_keymap_by_name("vi-insert");
}
static inline int daybook_readline_is_searching(void) {
  return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH) != 0;
}
static inline int daybook_readline_is_incremental_search(void) {
  return RL_ISSTATE(RL_STATE_ISEARCH) != 0;
}

// Whether a multi-key command is incomplete.
static inline int daybook_readline_is_in_sequence(void) {
  return RL_ISSTATE(RL_STATE_MULTIKEY) != 0;
}

// Cancels an incomplete multi-key command inside the history search.
static inline void daybook_readline_break_search(void) {
  rl_callback_sigcleanup();
  RL_UNSETSTATE(RL_STATE_ISEARCH | RL_STATE_MULTIKEY);
  rl_clear_message();
}

// Lets readline draw its line itself, on a stream that never closes; its own key reader stays away
// from the terminal's settings. The description of TERM is read, unless readline has one.
static inline void daybook_readline_attach(FILE *stream) {
  rl_outstream = stream;
  rl_tty_set_echoing(1);
  rl_redisplay_function = rl_redisplay;
  rl_reset_terminal(NULL);
}

// Readline's own keys draw nothing: the line is drawn once after all of them.
static inline void daybook_readline_draws_never(daybook_redisplay *redisplay) {
  rl_redisplay_function = redisplay;
}

static inline void daybook_readline_screen_size(int lines, int columns) {
  rl_set_screen_size(lines, columns);
}

// Draws the line with its label, or with readline's own message in place of it.
static inline void daybook_readline_draw(const char *label, int is_fresh) {
  if (is_fresh) rl_on_new_line();
  if (rl_display_prompt != NULL && *rl_display_prompt != 0) {
    rl_redisplay();
  } else {
    rl_set_prompt(label);
    rl_redisplay();
    rl_set_prompt("");
  }
  fflush(rl_outstream);
}

// Draws the line with the cursor behind its end, and goes to the next line.
static inline void daybook_readline_leave(const char *label) {
  int point = rl_point;
  rl_point = rl_end;
  daybook_readline_draw(label, 0);
  rl_point = point;
  rl_crlf();
  fflush(rl_outstream);
}

// Whether a complete key sequence is bound in the current keymap.
static inline int daybook_readline_is_bound(const char *sequence, size_t length) {
  int kind = ISFUNC;
  rl_command_func_t *function = rl_function_of_keyseq_len(sequence, length, NULL, &kind);
  return function != NULL && kind != ISKMAP;
}

#endif
