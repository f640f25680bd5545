"""The error that ends a command, and what helps against errors of the system.

An error of the system that reaches ``cli.py``, as itself or as the reason of a ``Trouble``, gets its next
step here: who may read the file, which group to join. Commands say only what they could not do.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

_NO_RIGHT = (errno.EACCES, errno.EPERM)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

#: Errors of a system that refuses or lacks something, also without the name of a file. They are no bugs.
_OF_THE_SYSTEM = (
    *_NO_RIGHT,
    *_NO_ROOM,
    errno.EIO,
    errno.EROFS,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.EAGAIN,
    errno.EADDRINUSE,
    errno.EADDRNOTAVAIL,
    errno.ECONNREFUSED,
    errno.ECONNRESET,
    errno.ETIMEDOUT,
)

_HELP = {
    **dict.fromkeys(_NO_ROOM, "free some space, or write to another place"),
    errno.EROFS: "write to another place",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENFILE: "close other programs, or raise the limit of the system (sysctl fs.file-max)",
    errno.EAGAIN: "raise the limit of processes (ulimit -u), or close other programs",
    errno.ENOMEM: "close other programs, or raise the limit of memory (ulimit -v)",
}


class Trouble(Exception):
    """Ends a command with exit code 2. The text names the error and its place."""


def is_of_the_system(error: OSError) -> bool:
    return error.filename is not None or error.errno in _OF_THE_SYSTEM or _is_of_the_folder(error)


def words_of(error: OSError) -> str:
    """The error of a file, or of the output."""
    if _is_of_the_folder(error):
        return "the current folder no longer exists"
    if error.filename is None:
        is_output = error.errno in (*_NO_ROOM, errno.EIO)
        return f"cannot write: {error.strerror}" if is_output else str(error.strerror)
    return f"{os.fsdecode(error.filename)}: {error.strerror}"


def helped(text: str, error: BaseException) -> str:
    """The text of an error with what helps against it."""
    step = next_step(error)
    return f"{text}: {step}" if step and step not in text else text


def next_step(error: BaseException) -> str:
    """What helps against the error of the system that is behind an exception; empty: nothing is known."""
    for reason in _reasons(error):
        if _is_of_the_folder(reason):
            return "cd to another folder"
        if reason.errno in _NO_RIGHT and reason.filename is not None:
            return who_may(os.fsdecode(reason.filename))
        if reason.errno in _HELP:
            return _HELP[reason.errno]
    return ""


def _reasons(error: BaseException | None) -> Iterator[OSError]:
    """The errors of the system among an exception and those that it replaced."""
    while error is not None:
        if isinstance(error, OSError):
            yield error
        error = error.__cause__ or error.__context__


def _is_of_the_folder(error: OSError) -> bool:
    """Whether the current folder has been removed: getcwd(2) fails, and so does each relative name."""
    if error.errno != errno.ENOENT:
        return False
    if error.filename is not None and os.path.isabs(os.fsdecode(error.filename)):
        return False
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


# ---- rights ------------------------------------------------------------------------------------------------


def who_may(path: str) -> str:
    """Who may use a file that is closed to this user, and what this user can do. Names the first folder of
    the path that is closed, else the file; empty: neither is closed."""
    closed = _first_closed(path)
    if closed is None:
        is_program = os.path.isdir(path) or os.access(path, os.X_OK, effective_ids=True)
        return "" if is_program else f"it is no program; if it should be one: chmod +x {path}"
    place, is_folder = closed
    try:
        found = os.stat(place)
    except OSError:
        return "use sudo"
    import stat

    mode, me = f"mode {stat.S_IMODE(found.st_mode):04o}", _user(os.geteuid())
    owner, group = _user(found.st_uid), _group(found.st_gid)
    if os.geteuid() == found.st_uid:
        return f"{place} is yours ({mode}): chmod u+{'rwx' if is_folder else 'rw'} {place}"
    if os.geteuid() == 0:  # without CAP_DAC_OVERRIDE, as in a container
        return f"{place} is for user {owner} ({mode}), and this root has no more rights: use sudo -u {owner}"
    by_group = found.st_mode & (stat.S_IXGRP if is_folder else stat.S_IRGRP) and found.st_gid != 0
    if not by_group or stat.S_ISSOCK(found.st_mode):
        return f"{place} is for user {owner} ({mode}), not for {me}: use sudo"
    return (
        f"{place} is for user {owner} and group {group} ({mode}), not for {me}: use sudo, or join the group "
        f"(sudo usermod -aG {group} {me}) and log in again"
    )


def _first_closed(path: str) -> tuple[str, bool] | None:
    """The first folder that this user may not enter, else the file, if it may be neither read nor written,
    else its folder. True: a folder."""
    path = os.path.abspath(path)
    parts = path.split("/")
    for end in range(1, len(parts)):
        folder = "/".join(parts[:end]) or "/"
        if not os.access(folder, os.X_OK, effective_ids=True) and os.path.isdir(folder):
            return folder, True
    for place in (path, os.path.dirname(path)):
        if os.path.lexists(place) and not os.access(place, os.R_OK | os.W_OK, effective_ids=True):
            return place, os.path.isdir(place)
    return None


def _user(number: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int) -> str:
    import grp

    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
