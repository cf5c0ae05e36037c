#define _GNU_SOURCE
#include "CPictures.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The lower half of an argument: both processors are little-endian.
#define LOAD_ARGUMENT(index) LOAD(args[index])
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define ALLOWED ANSWER(SECCOMP_RET_ALLOW)
#define REFUSED(code) ANSWER(SECCOMP_RET_ERRNO | (code))
// The next instruction is for this value only.
#define IF_EQUAL(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1)
#define ALLOW(call) IF_EQUAL(__NR_##call), ALLOWED
// The next four instructions decide about a call.
#define DECIDE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4)

static struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    // Memory, but no page that is executable.
    DECIDE(mmap), LOAD_ARGUMENT(2), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
    REFUSED(EACCES), ALLOWED,
    DECIDE(mprotect), LOAD_ARGUMENT(2), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
    REFUSED(EACCES), ALLOWED,
    ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk),
    // Threads, but no process. The C library uses clone where there is no clone3, whose flags no filter sees.
    DECIDE(clone), LOAD_ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), ALLOWED,
    REFUSED(EPERM),
    IF_EQUAL(__NR_clone3), REFUSED(ENOSYS),
    ALLOW(futex), ALLOW(set_robust_list), ALLOW(sched_yield), ALLOW(sched_getaffinity),
    ALLOW(gettid), ALLOW(getpid), ALLOW(exit), ALLOW(exit_group), ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn), ALLOW(sigaltstack), ALLOW(restart_syscall),
#ifdef __NR_rseq
    ALLOW(rseq),
#endif
    ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
    ALLOW(getrandom), ALLOW(close),
    // Output, below the first descriptor that is none of the standard ones.
    DECIDE(write), LOAD_ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 3, 0, 1), REFUSED(EBADF),
    ALLOWED,
    REFUSED(EPERM),
};

static int limit(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit wanted = {value, value};
  struct rlimit present;
  if (getrlimit(resource, &present) == 0 && present.rlim_max < value)
    wanted.rlim_cur = wanted.rlim_max = present.rlim_max;
  return setrlimit(resource, &wanted);
}

int daybook_confine(void) {
  // Whatever the parent forgot to close.
  if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0) {
    for (int descriptor = 3; descriptor < 1024; descriptor++) close(descriptor);
  }
  if (limit(RLIMIT_AS, (rlim_t)1 << 30) != 0 || limit(RLIMIT_CPU, 10) != 0 ||
      limit(RLIMIT_NOFILE, 0) != 0 || limit(RLIMIT_CORE, 0) != 0 ||
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  // All threads, also those that a library has started.
  long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (failed > 0) errno = ESRCH;
  return failed == 0 ? 0 : -1;
}

#else

int daybook_confine(void) {
  errno = ENOSYS;
  return -1;
}

#endif
