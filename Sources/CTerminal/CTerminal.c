#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

// The command line

static int argument_count;
static char **arguments;

// The C library calls it before main, with the same arguments.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
}

int daybook_argument_count(void) { return argument_count; }

const char *daybook_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

// Descriptors 0 to 2

int daybook_ensure_standard_descriptors(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // open() returns the lowest free descriptor, which is `fd` because all lower ones are open.
    if (open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) == -1) return -1;
  }
  return 0;
}

int daybook_window_size(int fd, int *rows, int *columns) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}

int daybook_cell_size(int fd, int *width, int *height) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return -1;
  *width = size.ws_xpixel / size.ws_col;
  *height = size.ws_ypixel / size.ws_row;
  return *width > 0 && *height > 0 ? 0 : -1;
}

// The crash handler

// Faults, and then what else ends a process unless it asks for it.
static const int guarded[] = {SIGILL,    SIGTRAP, SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGQUIT,
                              SIGHUP,    SIGINT,  SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
                              SIGPROF,   SIGXCPU, SIGSYS,  SIGIO,   SIGPWR,  SIGSTKFLT};
enum { fault_count = 6 };
enum { guarded_count = sizeof guarded / sizeof guarded[0] };

static struct sigaction guard_previous[guarded_count];
static int guard_replaced[guarded_count];
static struct termios guard_settings;
static char guard_bytes[4096];
static size_t guard_length;
static int guard_fd = -1;
static atomic_int guard_armed;
static char guard_stack[64 * 1024];

static void restore_terminal(void) {
  if (!guard_armed || guard_fd < 0) return;
  guard_armed = 0;
  int saved = errno;
  // In the background tcsetattr would stop the process by SIGTTOU before it ends.
  sigset_t output, before;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  sigprocmask(SIG_BLOCK, &output, &before);
  size_t done = 0;
  while (done < guard_length) {
    ssize_t n = write(guard_fd, guard_bytes + done, guard_length - done);
    if (n > 0) done += (size_t)n;
    else if (errno != EINTR) break;
  }
  tcsetattr(guard_fd, TCSANOW, &guard_settings);
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = saved;
}

// A fault repeats when its instruction runs again; a sent signal does not, and SIGTRAP continues
// after its instruction.
static int comes_again(int signal, const siginfo_t *info) {
  return info->si_code > 0 && signal != SIGTRAP && signal != SIGABRT;
}

static void guard_handler(int signal, siginfo_t *info, void *context) {
  (void)context;
  restore_terminal();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int i = 0; i < guarded_count; i++) {
    if (guarded[i] == signal && guard_replaced[i]) {
      action = guard_previous[i];
      guard_replaced[i] = 0;
    }
  }
  sigaction(signal, &action, NULL);
  if (comes_again(signal, info)) return;
  sigset_t this;
  sigemptyset(&this);
  sigaddset(&this, signal);
  sigprocmask(SIG_UNBLOCK, &this, NULL);
  raise(signal);
  // Swift's own handler trusts that the fault comes again, and leaves nobody to hear it; another one that
  // still listens has handled it.
  if (sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_DFL) raise(signal);
}

static void use_alternate_stack(void) {
  // A stack overflow leaves no room for its own handler.
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE)) return;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = guard_stack;
  stack.ss_size = sizeof guard_stack;
  sigaltstack(&stack, NULL);
}

int daybook_guard_install(int fd) {
  struct termios settings;
  if (tcgetattr(fd, &settings) != 0) return -1;
  guard_settings = settings;
  guard_fd = fd;
  use_alternate_stack();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = guard_handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < guarded_count; i++) {
    if (guard_replaced[i]) continue;
    struct sigaction now;
    if (sigaction(guarded[i], NULL, &now) != 0) continue;
    // Ignored (nohup) or already handled by the loop: the earlier setting wins.
    if (now.sa_handler == SIG_IGN) continue;
    if (i >= fault_count && now.sa_handler != SIG_DFL) continue;
    if (sigaction(guarded[i], &action, &guard_previous[i]) == 0) guard_replaced[i] = 1;
  }
  return 0;
}

void daybook_guard_set_restore(const void *bytes, size_t count) {
  int armed = guard_armed;
  guard_armed = 0;
  guard_length = count < sizeof guard_bytes ? count : sizeof guard_bytes;
  memcpy(guard_bytes, bytes, guard_length);
  guard_armed = armed;
}

void daybook_guard_arm(int armed) { guard_armed = armed; }

void daybook_guard_remove(void) {
  guard_armed = 0;
  for (int i = 0; i < guarded_count; i++) {
    if (!guard_replaced[i]) continue;
    guard_replaced[i] = 0;
    struct sigaction now;
    // A handler that was installed later stays.
    if (sigaction(guarded[i], NULL, &now) == 0 && now.sa_sigaction == guard_handler) {
      sigaction(guarded[i], &guard_previous[i], NULL);
    }
  }
}

// The signals of the loop

static const int heard[] = {SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGWINCH, SIGCONT, SIGTSTP};
enum { heard_count = sizeof heard / sizeof heard[0] };

static struct sigaction heard_previous[heard_count];
static int heard_replaced[heard_count];
static int signal_pipe[2] = {-1, -1};
// Lock-free, because the handler may run on another thread than the one that drains.
static atomic_int pending[NSIG];
static atomic_int keyboard_paused;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler cannot wait for a lock");

static int ends_process(int signal) {
  return signal == SIGHUP || signal == SIGTERM || signal == SIGINT || signal == SIGQUIT;
}

static void heard_handler(int signal) {
  if (keyboard_paused && (signal == SIGINT || signal == SIGQUIT)) return;
  int saved = errno;
  if (pending[signal] && ends_process(signal)) {
    restore_terminal();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, NULL);
    raise(signal);
  } else if (!atomic_exchange(&pending[signal], 1)) {
    // At most one byte per kind of signal until it is drained: a burst cannot fill the pipe.
    unsigned char byte = 0;
    ssize_t written = write(signal_pipe[1], &byte, 1);
    (void)written;
  }
  errno = saved;
}

static void hear(int index) {
  struct sigaction now, action;
  if (sigaction(heard[index], NULL, &now) != 0) return;
  if (now.sa_handler == SIG_IGN || now.sa_handler == heard_handler) return;
  memset(&action, 0, sizeof action);
  action.sa_handler = heard_handler;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  if (sigaction(heard[index], &action, NULL) != 0 || heard_replaced[index]) return;
  heard_previous[index] = now;
  heard_replaced[index] = 1;
}

int daybook_signals_open(void) {
  if (signal_pipe[0] != -1) return signal_pipe[0];
  if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
    signal_pipe[0] = signal_pipe[1] = -1;
    return -1;
  }
  for (int i = 0; i < heard_count; i++) {
    pending[heard[i]] = 0;
    hear(i);
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  return signal_pipe[0];
}

void daybook_signals_reclaim(void) {
  if (signal_pipe[0] == -1) return;
  for (int i = 0; i < heard_count; i++) hear(i);
}

void daybook_signals_pause_keyboard(int paused) { keyboard_paused = paused; }

uint64_t daybook_signals_drain(void) {
  char bytes[64];
  while (read(signal_pipe[0], bytes, sizeof bytes) > 0) continue;
  uint64_t set = 0;
  for (int i = 0; i < heard_count; i++) {
    if (!atomic_exchange(&pending[heard[i]], 0)) continue;
    set |= (uint64_t)1 << heard[i];
  }
  return set;
}

void daybook_signals_close(void) {
  if (signal_pipe[0] == -1) return;
  for (int i = 0; i < heard_count; i++) {
    if (heard_replaced[i]) sigaction(heard[i], &heard_previous[i], NULL);
    heard_replaced[i] = 0;
    pending[heard[i]] = 0;
  }
  close(signal_pipe[0]);
  close(signal_pipe[1]);
  signal_pipe[0] = signal_pipe[1] = -1;
}

void daybook_stop_group(void) {
  struct sigaction before, action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, &before);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
}

int daybook_memory_file(const char *name) {
  return memfd_create(name, MFD_CLOEXEC);
}
