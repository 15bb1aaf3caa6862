"""A runner of a load, by the SDK for Python: does with work what its plan says, as `Work.ts` does."""

from __future__ import annotations

import os
import random
from typing import Any

from runhook.runner import Context, Runner

runner = Runner(capacity=20, instance_id=os.environ["WORKER"])


@runner.task("work")
def work(context: Context) -> dict[str, Any]:
    plan = context.params["plan"]
    if plan == "fail":
        raise RuntimeError("The plan said so")
    if plan in ("ask", "wait"):
        mode: Any = "release" if plan == "ask" else "hold"
        answer = context.ask("value", "Which?", {"type": "string"}, expires_in_s=600, mode=mode)
        return {"answer": answer}
    if plan == "mute":
        context.ask("value", "Which?", {"type": "string"}, expires_in_s=1)
    if plan == "file":
        context.artifacts.download(os.urandom(random.randint(1, 50_000)))
    return {"reference": context.reference}


runner.run()
