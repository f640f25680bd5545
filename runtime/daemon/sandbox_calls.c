/* Limits the worker's system calls to an allow-list, which libseccomp turns into a filter. The filter is a
 * binary tree, and the kernel keeps a table of the calls allowed with any arguments, so the calls of a hit
 * cost next to nothing.
 *
 * Other calls trap into a handler here. It reports the call with a backtrace, counts it, and makes it fail
 * with EPERM. A call newer than this list fails with ENOSYS, so that the C library falls back to an older
 * call. Calls that only an intruder would make end the process; the manager starts another worker. */
#include "daemon/sandbox.h"

#include <errno.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/check.h"

#define CALLS_MAX 1024                  /* numbers of calls, well above the kernel's */
#define LINE_BYTES 256
#define CODE_SECCOMP 1                  /* si_code of a call that the filter trapped (SYS_SECCOMP of newer
                                         * headers) */
#define OPTIMIZE_AS_TREE 2
#define PRCTL_NAME_OF_MEMORY 0x53564d41u        /* PR_SET_VMA of newer headers */

#define N_OF(list) (sizeof(list) / sizeof *(list))

/* ---- the list ------------------------------------------------------------------------------------------ */

static const char *const allowed[] = {
    /* loops, mailboxes, timers */
    "epoll_wait", "epoll_pwait", "epoll_pwait2", "epoll_ctl", "epoll_create1", "eventfd2", "timerfd_create", "timerfd_settime",
    "poll", "ppoll", "select", "pselect6", "pipe2", "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres",
    "gettimeofday", "time", "restart_syscall", "timer_create", "timer_settime", "timer_delete",
    /* connections, and files */
    "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "pwritev", "recvfrom", "recvmsg", "recvmmsg", "sendto",
    "sendmsg", "sendmmsg", "sendfile", "splice", "accept", "accept4", "listen", "connect", "bind", "shutdown", "getsockname",
    "getpeername", "getsockopt", "setsockopt", "socketpair", "close", "close_range", "dup", "dup2", "dup3", "fcntl", "lseek",
    /* files: policies' images, std.fileread, databases, modules, the C library's; landlock limits the
     * paths */
    "open", "openat", "openat2", "stat", "fstat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat",
    "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd", "fadvise64", "flock", "memfd_create",
    /* shared memory of log and counters */
    "ftruncate", "fallocate", "fsync", "fdatasync", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat",
    "rmdir", "chmod", "fchmod", "fchmodat", "umask",
    /* memory */
    "mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "mincore", "msync", "mlock", "mlock2", "munlock", "membarrier",
    /* threads */
    "futex", "set_robust_list", "get_robust_list", "set_tid_address", "rseq", "sched_yield", "sched_getaffinity",
    "sched_setaffinity", "sched_getparam", "sched_getscheduler", "sched_setattr", "getcpu", "arch_prctl", "exit", "exit_group",
    /* signals: of the crash report; tgkill is below */
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    /* identity, limits, chance */
    "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "getrlimit", "setrlimit", "getrusage", "times", "sysinfo",
    "uname", "getrandom",
};

/* No part of a worker makes these calls: an attacker controls the process that does. */
static const char *const deadly[] = {
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "bpf",
    "perf_event_open", "userfaultfd", "io_uring_setup", "keyctl", "add_key", "request_key", "mount", "umount2", "move_mount",
    "open_tree", "fsopen", "pivot_root", "chroot", "unshare", "setns", "setuid", "setgid", "setreuid", "setregid", "setresuid",
    "setresgid", "setgroups", "setfsuid", "setfsgid", "capset", "init_module", "finit_module", "delete_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "open_by_handle_at", "modify_ldt", "iopl", "ioperm",
};

/* AF_NETLINK: the resolver sorts addresses */
static const unsigned families[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK };
/* Arguments of ioctl; the last two resolve zones of IPv6 addresses. */
static const unsigned controls[] = { TCGETS, FIONREAD, FIONBIO, TIOCGWINSZ, SIOCGIFINDEX, SIOCGIFNAME };
static const unsigned process_controls[] = { PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PRCTL_NAME_OF_MEMORY };

/* For a sanitizer's threads, its symbolizer, and its leak check, which traces the process. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const char *const sanitizer[] = {
    "clone", "clone3", "fork", "vfork", "execve", "ptrace", "wait4", "waitid", "kill", "tkill", "tgkill", "personality", "prctl",
    "prlimit64", "setrlimit", "process_vm_readv", "ioctl", "pipe", "readahead", "setitimer", "getdents",
};
#define N_SANITIZER N_OF(sanitizer)
#else
static const char *const *const sanitizer = NULL;
#define N_SANITIZER 0u
#endif

/* ---- the filter ---------------------------------------------------------------------------------------- */

/* Skips calls that this machine or libseccomp does not know: they stay denied. */
static int
allow_all(scmp_filter_ctx filter, const char *const names[], size_t n)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < n; i++) {
        int call = seccomp_syscall_resolve_name(names[i]);
        if (call >= 0)
            err = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 0, NULL);
    }
    return err;
}

/* Allows the call if its argument number `at` is one of the values. */
static int
allow_values(scmp_filter_ctx filter, int call, unsigned at, const unsigned values[], size_t n)
{
    int err = 0;
    for (size_t i = 0; err == 0 && i < n; i++)
        err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, SCMP_CMP32(at, SCMP_CMP_EQ, values[i]));
    return err;
}

/* Allows new threads, but no processes. A filter cannot read the flags of clone3, so clone3 fails with ENOSYS
 * and the C library uses clone. It blocks signals before it forks, so a trap would end the worker: a new
 * process fails at once, and is not counted. */
static int
allow_threads(scmp_filter_ctx filter)
{
    int err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (err == 0)
        err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
    if (err == 0)
        err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    return err;
}

/* Allows signals to this process, and its own limits. */
static int
allow_own(scmp_filter_ctx filter)
{
    int err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0_32(SCMP_CMP_EQ, (uint32_t)getpid()));
    if (err == 0)
        err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0_32(SCMP_CMP_EQ, 0));
    return err;
}

static int
fill_filter(scmp_filter_ctx filter)
{
    int err = allow_all(filter, allowed, N_OF(allowed));
    if (err == 0)
        err = allow_values(filter, SCMP_SYS(socket), 0, families, N_OF(families));
    if (N_SANITIZER > 0)
        return err != 0 ? err : allow_all(filter, sanitizer, N_SANITIZER);
    if (err == 0)
        err = allow_values(filter, SCMP_SYS(ioctl), 1, controls, N_OF(controls));
    if (err == 0)
        err = allow_values(filter, SCMP_SYS(prctl), 0, process_controls, N_OF(process_controls));
    if (err == 0)
        err = allow_threads(filter);
    return err != 0 ? err : allow_own(filter);
}

static int
load_filter(uint32_t otherwise, int (*fill)(scmp_filter_ctx filter))
{
    scmp_filter_ctx filter = seccomp_init(otherwise);
    if (filter == NULL)
        return -ENOMEM;
    int err = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, OPTIMIZE_AS_TREE);
    if (err == 0)
        err = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    /* Older kernels slow filtered processes down to contain untrusted code they run; a worker runs only its
     * own code. */
    if (err == 0)
        err = seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
    if (err == 0)
        err = fill(filter);
    if (err == 0)
        err = seccomp_load(filter);
    seccomp_release(filter);
    return err;
}

/* ---- denied calls -------------------------------------------------------------------------------------- */

static struct {
    _Atomic uint64_t n;
    const char *names[CALLS_MAX];       /* filled before the filter: the handler must not allocate */
    bool deadly[CALLS_MAX];
    atomic_bool reported[CALLS_MAX];
    int newest;                         /* the highest number that has a name */
} denied;

uint64_t
sandbox_denied(void)
{
    return atomic_load(&denied.n);
}

static void
learn_names(void)
{
    for (int i = 0; i < CALLS_MAX; i++) {
        denied.names[i] = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, i);
        if (denied.names[i] != NULL)
            denied.newest = i;
        for (size_t k = 0; denied.names[i] != NULL && k < N_OF(deadly); k++)
            denied.deadly[i] |= strcmp(denied.names[i], deadly[k]) == 0;
    }
}

/* Sets the result of the trapped call. False: unknown machine. */
static bool
answer_call(ucontext_t *context, int error)
{
#if defined(__x86_64__)
    context->uc_mcontext.gregs[REG_RAX] = -error;
    return true;
#elif defined(__aarch64__)
    context->uc_mcontext.regs[0] = (unsigned long long)-error;
    return true;
#else
    return false;
#endif
}

static void
report_call(int call, const char *end)
{
    char line[LINE_BYTES];
    const char *name = call >= 0 && call < CALLS_MAX && denied.names[call] != NULL ? denied.names[call] : "unknown";
    int n = snprintf(line, sizeof line, "Forbidden system call: the worker called %s (%d), %s\n", name, call, end);
    ssize_t unused = write(STDERR_FILENO, line, (size_t)n);
    (void)unused;
    check_backtrace();
    const struct check_place *here = check_here;
    check_tell();
    check_here = here;                  /* after a failed call the worker goes on */
}

/* Reports each failing call only once. */
static void
on_denied(int number, siginfo_t *info, void *context)
{
    int before = errno, call = info->si_syscall;
    bool trapped = info->si_code == CODE_SECCOMP, known = call >= 0 && call < CALLS_MAX;
    int error = known && call <= denied.newest ? EPERM : ENOSYS;
    atomic_fetch_add(&denied.n, trapped);
    if (!trapped || (known && denied.deadly[call]) || !answer_call(context, error)) {
        report_call(call, "so the sandbox ends the worker");
        signal(number, SIG_DFL);
        raise(number);                  /* pending until we return */
        return;
    }
    if (!known || !atomic_exchange(&denied.reported[call], true))
        report_call(call, error == EPERM ? "denied with EPERM" : "denied with ENOSYS");
    errno = before;
}

bool
sandbox_has_calls(void)
{
    const uint32_t trap = SCMP_ACT_TRAP;
    return syscall(SYS_seccomp, 2 /* SECCOMP_GET_ACTION_AVAIL */, 0, &trap) == 0;
}

int
sandbox_worker_calls(const struct sandbox *s)
{
    if (!s->calls)
        return 0;
    learn_names();
    struct sigaction sa = { .sa_sigaction = on_denied, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    sigemptyset(&sa.sa_mask);
    CHECK(sigaction(SIGSYS, &sa, NULL) == 0);
    int err = load_filter(SCMP_ACT_TRAP, fill_filter);
    errno = -err;
    return err == 0 ? 0 : ERR_SYS;
}

static int
fill_keys(scmp_filter_ctx filter)
{
    static const char *const calls[] = {
        "ppoll", "poll", "recvmsg", "recvfrom", "sendto", "sendmsg", "pread64", "read", "write", "close",
        "mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "futex", "getrandom", "clock_gettime",
        "getpid", "gettid", "sysinfo" /* qsort of the C library */, "rt_sigreturn", "restart_syscall", "exit",
        "exit_group",
    };
    static const char *const of_sanitizer[] = { "sigaltstack", "rt_sigaction", "rt_sigprocmask", "sched_yield" };
    int err = allow_all(filter, calls, N_OF(calls));
    if (err == 0 && N_SANITIZER > 0)
        err = allow_all(filter, of_sanitizer, N_OF(of_sanitizer));
    return err == 0 && N_SANITIZER > 0 ? allow_all(filter, sanitizer, N_SANITIZER) : err;
}

int
sandbox_keys(const struct sandbox *s)
{
    int err = sandbox_no_files(s);
    if (err != 0 || !s->calls)
        return err;
    err = load_filter(SCMP_ACT_KILL_PROCESS, fill_keys);
    errno = -err;
    return err == 0 ? 0 : ERR_SYS;
}
