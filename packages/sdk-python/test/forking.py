"""Forks of a test."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Callable


def in_child(act: Callable[[], object]) -> None:
    """Acts in a fork of this process. Raises when that fails there."""
    with warnings.catch_warnings():
        # Python 3.12 warns of the threads of the test's server.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            act()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    if ended != 0:
        raise AssertionError(f"the child ended with {ended}")
