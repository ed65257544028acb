"""Takes from Python what Windows does not have. A process that has this folder in PYTHONPATH runs it at its start.

What Windows refuses is refused as well: to replace or remove an open file, to open a folder, to sync a file that is
open for reading only, to replace an existing folder, to pass file descriptors to a child.
"""

import asyncio
import errno
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import types

OF_OS = [
    "O_DIRECTORY",
    "O_NOFOLLOW",
    "chown",
    "chroot",
    "confstr",
    "fchdir",
    "fchmod",
    "fchown",
    "fdatasync",
    "fork",
    "forkpty",
    "getegid",
    "geteuid",
    "getgid",
    "getgroups",
    "getpgid",
    "getpriority",
    "getsid",
    "getuid",
    "killpg",
    "lchown",
    "lockf",
    "mkfifo",
    "mknod",
    "nice",
    "openpty",
    "posix_fadvise",
    "posix_fallocate",
    "posix_spawn",
    "pread",
    "preadv",
    "pwrite",
    "pwritev",
    "register_at_fork",
    "sched_getaffinity",
    "sched_setaffinity",
    "sendfile",
    "setgid",
    "setpgid",
    "setsid",
    "setuid",
    "statvfs",
    "sync",
    "tcgetpgrp",
    "ttyname",
    "wait",
    "wait3",
    "wait4",
]
OF_SIGNAL = [
    "SIGALRM",
    "SIGCHLD",
    "SIGCONT",
    "SIGHUP",
    "SIGKILL",
    "SIGPIPE",
    "SIGQUIT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGUSR1",
    "SIGUSR2",
    "alarm",
    "pause",
]
OF_SOCKET = ["SO_REUSEPORT"]
MODULES = ["fcntl", "grp", "posix_ipc", "pty", "pwd", "resource", "syslog", "termios", "tty"]

access_mode, lock, EXCLUSIVE = fcntl.fcntl, fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB
plain_open, plain_fsync, plain_replace = os.open, os.fsync, os.replace


def is_open(path: object) -> bool:
    """True if this process has the file open, or a file in the folder."""
    place = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
    for number in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{number}")
        except OSError:  # the descriptor of the listing itself
            continue
        if target == place or target.startswith(place + os.sep):
            return True
    return False


def refuse_open_file(path: object) -> None:
    if is_open(path):
        raise PermissionError(errno.EACCES, "the file is used by a process", path)


def guarded(change):
    def call(path, *rest, **options):
        refuse_open_file(path)
        if rest and isinstance(rest[0], (str, os.PathLike)) and os.path.exists(rest[0]):
            refuse_open_file(rest[0])
            if os.path.isdir(rest[0]):
                raise PermissionError(errno.EACCES, "access is denied", rest[0])
        return change(path, *rest, **options)

    return call


def rename(source, target):
    if os.path.exists(target):
        raise FileExistsError(errno.EEXIST, "the file exists", target)
    refuse_open_file(source)
    plain_replace(source, target)


def open_file(path, flags, mode=0o777, *, dir_fd=None):
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "access is denied", path)
    return plain_open(path, flags, mode, dir_fd=dir_fd)


def fsync(file):
    number = file if isinstance(file, int) else file.fileno()
    if access_mode(number, 3) & 3 == os.O_RDONLY:  # F_GETFL, O_ACCMODE
        raise OSError(errno.EBADF, "Bad file descriptor")
    plain_fsync(number)


class Popen(subprocess.Popen):  # type: ignore[type-arg]
    def __init__(self, *arguments, pass_fds=(), **options):
        if pass_fds:
            raise ValueError("pass_fds not supported on Windows.")
        super().__init__(*arguments, **options)


def no_signal_handler(*_: object) -> None:
    raise NotImplementedError


class Msvcrt(types.ModuleType):
    """What Windows has in place of `fcntl`."""

    LK_NBLCK = 2

    @staticmethod
    def locking(number: int, _mode: int, _bytes: int) -> None:
        lock(number, EXCLUSIVE)


for owner, names in ((os, OF_OS), (signal, OF_SIGNAL), (socket, OF_SOCKET)):
    for name in names:
        if hasattr(owner, name):
            delattr(owner, name)
for name in MODULES:
    sys.modules[name] = None  # type: ignore[assignment]
sys.modules["msvcrt"] = Msvcrt("msvcrt")
vars(shutil)["_use_fd_functions"] = False
shutil.rmtree.avoids_symlink_attacks = False
os.open, os.fsync, os.rename = open_file, fsync, rename  # type: ignore[assignment]
os.replace, os.unlink, os.remove = map(guarded, (os.replace, os.unlink, os.remove))
subprocess.Popen = Popen  # type: ignore[misc]
asyncio.SelectorEventLoop.add_signal_handler = no_signal_handler  # type: ignore[method-assign]
