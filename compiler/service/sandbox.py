"""Restricts the system calls of the compile server and its children after the warm-up. The allow-list is
grouped by purpose; libseccomp, called through ctypes, turns it into a filter. From then on the process cannot
start programs, and can create only the sockets that name resolution needs. The daemon has already restricted
the reachable addresses and the writable files (runtime/daemon/sandbox_files.c).

A call outside the list ends the process with SIGSYS. Before that, a handler writes the call and the stack to
stderr. The stderr of a child is its error text, so the answer to the load names the call (child.py,
explain_death).
"""

from __future__ import annotations

import ctypes
import errno
import faulthandler
import os
import resource
import signal
import socket
import sys
from typing import Any

LIBRARY = "libseccomp.so.2"
ALLOWED = """
    read readv pread64 write writev pwrite64 lseek close close_range dup dup2 dup3 fcntl ioctl pipe2
    poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
    nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time restart_syscall
    open openat openat2 stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2
    readlink readlinkat getdents64 getcwd fadvise64 flock mkdir mkdirat rmdir unlink unlinkat
    rename renameat renameat2 chmod fchmod fchmodat utimensat umask
    ftruncate fallocate fsync fdatasync copy_file_range sendfile memfd_create
    mmap munmap mremap mprotect madvise brk mincore msync membarrier
    futex set_robust_list get_robust_list set_tid_address rseq
    sched_yield sched_getaffinity getcpu arch_prctl exit exit_group
    fork vfork wait4 waitid kill tgkill pidfd_open pidfd_send_signal setpgid getpgid getpgrp
    setpriority prctl prlimit64 getrlimit setrlimit rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack
    getpid getppid gettid getuid geteuid getgid getegid getgroups getrusage times sysinfo uname getrandom
    socketpair connect bind getsockname getpeername getsockopt setsockopt shutdown
    sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg
""".split()
#: Name resolution needs these; glibc sorts addresses with AF_NETLINK.
FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
REPORT = "Forbidden system call"

_ALLOW, _TRAP, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x00030000, 0x80000000, 0x00050000
_BAD_ARCHITECTURE, _OPTIMIZE, _AS_TREE = 2, 8, 2
_EQUAL, _MASKED_EQUAL = 4, 7
_NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS and the like
_SIGINFO, _ON_STACK = 4, 0x08000000  # flags of sigaction
_PR_SET_DUMPABLE = 4


class _Compare(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    ]


class _Action(ctypes.Structure):
    """struct sigaction of the C library."""

    _fields_ = [
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    ]


class SandboxError(Exception):
    pass


def no_cores() -> None:
    """Disables core files, and tracing by other processes of the same user."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise SandboxError(os.strerror(ctypes.get_errno()))


def filter_calls() -> None:
    """Installs the filter for this process and its children. Raises SandboxError if that fails."""
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise SandboxError(str(error)) from None
    _report_denied(library)
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(_TRAP))
    try:
        _fill(library, context)
        _done(library.seccomp_load(context))
    finally:
        library.seccomp_release(context)


def _done(status: int) -> None:
    if status < 0:
        raise SandboxError(os.strerror(-status))


def _fill(library: Any, context: Any) -> None:
    _done(library.seccomp_attr_set(context, _OPTIMIZE, _AS_TREE))
    _done(library.seccomp_attr_set(context, _BAD_ARCHITECTURE, _KILL_PROCESS))

    def rule(action: int, name: str, *compares: _Compare) -> None:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # an unknown call stays denied
            array = (_Compare * max(1, len(compares)))(*compares)
            _done(
                library.seccomp_rule_add_array(context, ctypes.c_uint32(action), number, len(compares), array)
            )

    for name in ALLOWED:
        rule(_ALLOW, name)
    for family in FAMILIES:
        rule(_ALLOW, "socket", _Compare(0, _EQUAL, int(family), 0))
    # Allow processes, but not namespaces. A filter cannot see the flags of clone3; if clone3 fails, the C
    # library uses clone.
    rule(_ALLOW, "clone", _Compare(0, _MASKED_EQUAL, _NEW_NAMESPACES, 0))
    rule(_ERRNO | errno.ENOSYS, "clone3")


# ---- reports -----------------------------------------------------------------------------------------------

_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_kept: list[Any] = []  # keeps the handler alive
_SI_CALL = 24  # offset of si_syscall in siginfo_t, on machines of 64 bits


def _report_denied(library: Any) -> None:
    """Installs the handler of SIGSYS, which arrives during the denied call. Python's own handlers run later,
    when the process has continued. So this is a C handler that calls Python; it ends the process."""
    library.seccomp_syscall_resolve_num_arch.restype = ctypes.c_char_p

    def denied(number: int, info: int, _: int) -> None:
        call = ctypes.c_int.from_address(info + _SI_CALL).value
        name = (library.seccomp_syscall_resolve_num_arch(0, call) or b"unknown").decode()
        os.write(
            2, f"{REPORT}: the compiler called {name} ({call}), so the sandbox ends the compiler\n".encode()
        )
        faulthandler.dump_traceback(file=2)
        signal.signal(signal.SIGSYS, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSYS)

    handler = _Handler(denied)
    action = _Action(
        ctypes.cast(handler, ctypes.c_void_p).value, (ctypes.c_ubyte * 128)(), _SIGINFO | _ON_STACK, None
    )
    _kept.append(handler)
    if ctypes.CDLL(None).sigaction(int(signal.SIGSYS), ctypes.byref(action), None) != 0:
        raise SandboxError("sigaction")
    sys.stderr.flush()
