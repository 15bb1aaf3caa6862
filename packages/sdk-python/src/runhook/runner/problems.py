"""Problems that need the attention of a runner's operator. They are in the log too."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .._call.request import Request
from ..errors import RunhookError

LOG = logging.getLogger("runhook.runner")

ProblemKind: TypeAlias = Literal[
    "agents_missing",
    "refused",
    "service_away",
    "held_back",
    "attempt_failed",
    "no_handler",
    "lease_lost",
    "upload_failed",
    "checkpoint_failed",
    "outcome_refused",
    "abort_ignored",
]
"""What is wrong:

- `agents_missing`: the service gives this runner none of the work of some agents that it asked for.
- `refused`: the service refused this runner, such as after its key was revoked. It has ended.
- `service_away`: the service cannot be reached, or something else answers in its place. Told once for each outage.
- `held_back`: its key is over a limit of the service, such as that of sessions, so no session opens yet. Told once.
- `attempt_failed`: a handler raised `cause`, other than a `TaskCancelled` or when it was to stop.
- `no_handler`: there was work for a task that this runner has no handler for. The attempt failed.
- `lease_lost`: work was requeued, ended, or given to another runner.
- `upload_failed`, `checkpoint_failed`: a file, or a checkpoint, could not be kept.
- `outcome_refused`: the service did not take what the handler returned.
- `abort_ignored`: a handler went on after it was to stop. Its slot is given to other work.
"""


@dataclass(frozen=True)
class Problem:
    kind: ProblemKind
    message: str
    execution_id: str | None = None
    task: str | None = None
    """Slug of the task."""
    attempt: int | None = None
    """The attempt that failed, from 1."""
    cause: BaseException | None = None


class Problems:
    """Logs problems, at level error when an attempt failed, with the traceback, else as warnings."""

    def __init__(self, on_problem: Callable[[Problem], object] | None) -> None:
        self._on_problem = on_problem
        self._is_away = False
        self._is_held_back = False

    def tell(self, problem: Problem) -> None:
        failed = problem.attempt is not None
        about = {"kind": problem.kind, "execution_id": problem.execution_id, "task": problem.task}
        LOG.log(
            logging.ERROR if failed else logging.WARNING,
            "%s%s",
            problem.message,
            f" ({problem.task}, execution {problem.execution_id})" if problem.execution_id else "",
            exc_info=problem.cause if failed else None,
            extra=about,
        )
        if self._on_problem is not None:
            try:
                self._on_problem(problem)
            except Exception:
                LOG.exception("on_problem failed")

    def watch(self, request: Request[Any], error: RunhookError | None, is_retried: bool) -> None:
        """Tells of an outage once, however many calls meet it, and of its end; the same for a session that cannot open."""
        if request.path == "/sessions":
            was_held_back = self._is_held_back
            self._is_held_back = is_retried and error is not None and error.status == 429
            if self._is_held_back and not was_held_back and error is not None:
                self.tell(Problem("held_back", error.message))
        if error is None:
            if self._is_away:
                self._is_away = False
                LOG.info("the service answers again")
        elif is_retried and not self._is_away and error.status != 429:
            self._is_away = True
            self.tell(Problem("service_away", error.message))
