"""A client of the Runhook integration API. It depends on nothing but Python.

    from runhook import Runhook

    with Runhook() as runhook:
        execution = runhook.executions.create_and_wait(agent_id=..., task_id=..., params={...})

`runhook.webhooks` is for receivers of callbacks, `runhook.runner` for programs that do the work.
"""

from . import errors, types
from ._call.waits import is_finished
from ._version import VERSION as __version__
from .client import AsyncRunhook, Runhook
from .errors import *

__all__ = ["AsyncRunhook", "Runhook", "__version__", "errors", "is_finished", "types"]
__all__ += errors.__all__
