"""The other side: serves the executions of agents.

from runhook.runner import Context, Runner

runner = Runner(capacity=4)

@runner.task("visit-page")
def visit_page(context: Context) -> dict[str, object]:
    ...

runner.run()
"""

from .context import ArtifactSource, Artifacts, AsyncContext, Context, ExecutionLog, Handler
from .problems import Problem, ProblemKind
from .runner import Runner
from .stopping import StoppedError, StopKind, TaskCancelled, TaskError
from .uploads import SavedArtifact

__all__ = [
    "ArtifactSource",
    "Artifacts",
    "AsyncContext",
    "Context",
    "ExecutionLog",
    "Handler",
    "Problem",
    "ProblemKind",
    "Runner",
    "SavedArtifact",
    "StopKind",
    "StoppedError",
    "TaskCancelled",
    "TaskError",
]
