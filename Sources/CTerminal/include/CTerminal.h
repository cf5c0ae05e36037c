#ifndef DAYBOOK_CTERMINAL_H
#define DAYBOOK_CTERMINAL_H

#include <stddef.h>
#include <stdint.h>

// Code that runs inside a signal handler must be C: Swift may allocate, retain or lock at any
// point, and none of these is allowed there.

// Saves the terminal settings of `fd` and installs the crash handler for ILL, TRAP, ABRT, SEGV,
// BUS, FPE, QUIT, HUP and TERM. An ignored signal stays ignored. Call it before the terminal is
// changed. Returns 0, or -1 if `fd` is not a terminal.
int daybook_guard_install(int fd);

// Sets the bytes that restore the screen; copies at most 4096.
void daybook_guard_set_restore(const void *bytes, size_t count);

// While armed, a crash restores the terminal; disarmed (during an editor or after the end of the
// screen), it does not.
void daybook_guard_arm(int armed);

// Restores every handler that `daybook_guard_install` replaced.
void daybook_guard_remove(void);

// Opens the signal pipe of the loop (HUP, TERM, INT, QUIT, WINCH, CONT, TSTP) and ignores PIPE and
// XFSZ. Returns the descriptor to poll, or -1 with errno. A second TERM, QUIT, HUP or INT before
// the first one was drained ends the process at once, so that a hanging loop can be stopped.
int daybook_signals_open(void);

// Reinstalls the handlers of an open pipe after a library has replaced them.
void daybook_signals_reclaim(void);

// While paused, INT and QUIT do nothing: ^C in an editor is for the editor. Child processes do not
// inherit an empty handler, unlike an ignored signal.
void daybook_signals_pause_keyboard(int paused);

// Returns the signals since the last call as a bit set: bit n for signal n.
uint64_t daybook_signals_drain(void);

// Closes the pipe and restores the default actions.
void daybook_signals_close(void);

// Stops the whole process group as ^Z does, and returns when it is continued.
void daybook_stop_group(void);

// The raw command-line arguments, with the program's name first. Swift reads them from /proc, which
// a minimal root file system may lack.
int daybook_argument_count(void);
const char *daybook_argument(int index);

// Opens /dev/null on each closed descriptor from 0 to 2, so that no later file becomes standard
// output. Returns 0, or -1 with errno.
int daybook_ensure_standard_descriptors(void);

// The window size of `fd` in cells; returns 0, or -1 if `fd` is not a terminal or has no size.
int daybook_window_size(int fd, int *rows, int *columns);

// The size of a cell of a terminal in pixels. Returns 0, or -1 if the terminal does not say it.
int daybook_cell_size(int fd, int *width, int *height);

/// Opens a file in memory without a name, closed on exec; -1 and errno on failure.
int daybook_memory_file(const char *name);

// The bytes that give the terminal attributes and a colour pair of ncurses, which is told so.
// Returns their number; -1 if there are more than `size`.
int daybook_attribute_bytes(unsigned attributes, int pair, char *bytes, int size);

#endif
