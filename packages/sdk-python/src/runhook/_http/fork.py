"""A fork copies the descriptors of connections. They stay the parent's: two processes would take each other's answers."""

from __future__ import annotations

import os
import socket
from typing import Protocol
from weakref import WeakSet


class Forked(Protocol):
    """Something with a descriptor that a fork copies."""

    is_inherited: bool
    """Whether it was made by the parent of this process."""

    def fileno(self) -> int:
        """Negative when it is closed."""
        ...


_open: WeakSet[Forked] = WeakSet()


def keep_from_children(stream: Forked) -> None:
    """Cuts the stream off in every process that is forked from this one."""
    _open.add(stream)


def _cut_off() -> None:
    """In the child, each copied descriptor becomes that of a socket whose peer has ended.

    Closing the copies would not do: what is left of the parent's objects, such as a writer of asyncio that is collected,
    would still send a farewell, or remove the parent's socket from the epoll that both share.
    """
    inherited = list(_open)
    for stream in inherited:
        stream.is_inherited = True
    if inherited:
        ended, peer = socket.socketpair()
        peer.close()
        with ended:
            for stream in inherited:
                if stream.fileno() >= 0:
                    os.dup2(ended.fileno(), stream.fileno(), inheritable=False)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_cut_off)
