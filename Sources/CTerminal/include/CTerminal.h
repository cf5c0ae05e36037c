#ifndef DAYBOOK_CTERMINAL_H
#define DAYBOOK_CTERMINAL_H

#include <stddef.h>
#include <stdint.h>

// What only C may do: code that runs inside a signal handler. A Swift function may allocate,
// retain or take a lock at any point, and none of these is allowed there.

// Remembers the terminal settings of `fd` and installs the crash handler for ILL, TRAP, ABRT,
// SEGV, BUS, FPE, QUIT, HUP and TERM. A signal that is ignored stays ignored. Call it before
// the terminal is changed. Returns 0, or -1 when `fd` is not a terminal.
int daybook_guard_install(int fd);

// The bytes that put the screen back (at most 512 are kept). Copied.
void daybook_guard_set_restore(const void *bytes, size_t count);

// While armed, a crash restores the terminal; disarmed (the editor runs, the screen has
// ended), it leaves the terminal alone.
void daybook_guard_arm(int armed);

// Puts back every handler that `daybook_guard_install` replaced.
void daybook_guard_remove(void);

// Opens the pipe through which the loop hears of signals (HUP, TERM, INT, QUIT, WINCH, CONT,
// TSTP) and ignores PIPE and XFSZ. Returns the descriptor to poll, or -1 with errno. A second
// TERM, QUIT, HUP or INT before the first one was drained ends the process at once: a loop that
// hangs can still be stopped.
int daybook_signals_open(void);

// Takes the signals of an open pipe back from a library that installed handlers of its own.
void daybook_signals_reclaim(void);

// While paused, INT and QUIT do nothing: ^C in an editor is the editor's. A handler that does
// nothing, unlike an ignored signal, is not handed on to the programs that are started.
void daybook_signals_pause_keyboard(int paused);

// Reads what has come since the last call: a set of bits, bit n for signal n.
uint64_t daybook_signals_drain(void);

// Closes the pipe and puts the default actions back.
void daybook_signals_close(void);

// Stops the whole process group as ^Z does and returns when it has been continued.
void daybook_stop_group(void);

// A descriptor that is readable when the process has ended, closed on exec; -1 with errno. The
// library has a name for it only from glibc 2.36 on.
int daybook_process_open(int pid);

// The words of the command line as the system gave them, the program's name first. Swift reads them
// from /proc, which a bare root file system need not have.
int daybook_argument_count(void);
const char *daybook_argument(int index);

// Opens /dev/null on each of the descriptors 0 to 2 that is closed, so that no file that is
// opened later is taken for standard output. Returns 0, or -1 with errno.
int daybook_ensure_standard_descriptors(void);

// The window of `fd` in cells; returns 0, or -1 when `fd` is not a terminal or has no size.
int daybook_window_size(int fd, int *rows, int *columns);

/// A file without a name, in memory, closed when another program starts; -1 and errno on failure.
int daybook_memory_file(const char *name);

#endif
