"""A runner for tests that are written elsewhere: its options are JSON in `PRESS`, its problems and its log lines of JSON."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import multiprocessing
import os
import time
from typing import Any

from runhook.runner import AsyncContext, Context, Problem, Runner, StoppedError, TaskCancelled, TaskError


def say(**fields: Any) -> None:
    # At once: its handlers and its log are in several threads.
    os.write(1, f"{json.dumps(fields)}\n".encode())


def tell(problem: Problem) -> None:
    say(kind=problem.kind, message=problem.message, execution_id=problem.execution_id, task=problem.task)


class Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        say(line=record.getMessage(), execution_id=getattr(record, "execution_id", None))


logging.getLogger("runhook.runner").setLevel(logging.INFO)
logging.getLogger("runhook.runner").addHandler(Lines())

runner = Runner(on_problem=tell, **json.loads(os.environ.get("PRESS", "{}")))

CODE: Any = {"key": "code", "prompt": "Which code?", "schema": {"type": "string"}}


@runner.task("print")
def print_pages(context: Context) -> dict[str, Any]:
    return {"pages": 6, "seen": seen_by(context)}


@runner.task("print-async")
async def print_async(context: AsyncContext) -> dict[str, Any]:
    return {"pages": 6, "seen": seen_by(context)}


def seen_by(context: Context | AsyncContext) -> dict[str, Any]:
    return {
        "attempt": context.attempt,
        "execution_id": context.execution_id,
        "is_resumed": context.is_resumed,
        "metadata": context.metadata,
        "params": context.params,
        "slug": context.task["slug"],
    }


@runner.task("nothing")
def nothing(context: Context) -> dict[str, Any]:
    context.progress(percent=140, message="x" * 2_000, step="almost")
    return {}


@runner.task("breaks")
def breaks(context: Context) -> None:
    raise ValueError("no paper")


@runner.task("exits")
async def exits(context: AsyncContext) -> None:
    raise SystemExit(7)


@runner.task("cancels")
def cancels(context: Context) -> None:
    raise TaskCancelled("nobody is home")


@runner.task("lies")
def lies(context: Context) -> dict[str, Any]:
    return {"pages": "many"}


@runner.task("unwritable")
def unwritable(context: Context) -> dict[str, Any]:
    return {"pages": {1, 2}}


@runner.task("lists")
def lists(context: Context) -> Any:
    return ["pages"]


@runner.task("walks")
def walks(context: Context) -> dict[str, Any]:
    context.checkpoint({"page": context.attempt, "before": context.last_checkpoint})
    if context.attempt < 3:
        raise TaskError("later", retryable=True, delay=0.001)
    return {"last": context.last_checkpoint}


@runner.task("jams")
def jams(context: Context) -> None:
    raise TaskError("jammed", retryable=True, delay=0.25)


@runner.task("grows")
async def grows(context: AsyncContext) -> dict[str, Any]:
    if context.attempt == 2:
        return {"kept": context.last_checkpoint}
    await context.checkpoint("small")
    try:
        await context.checkpoint("x" * 65_535)
    except Exception as refusal:
        raise TaskError(str(refusal), retryable=True, delay=0) from refusal
    return {}


@runner.task("logs")
def logs(context: Context) -> dict[str, Any]:
    context.log.info("signed in")
    context.log.warning("slow: %d", 3)
    context.log.info("cut in \ud83d two\0")
    context.progress(message="cut in \ud83d two\0", step="\udc00")
    # Too much to go along with the outcome.
    for number in range(300):
        context.log.debug(f"{number} {'x' * 100}")
    context.log.error("the last")
    return {}


@runner.task("waits")
def waits(context: Context) -> None:
    context.progress(message="waits")
    try:
        context.sleep(600)
    except StoppedError as stopped:
        say(stopped=stopped.kind, message=str(stopped), same=stopped is context.stopped)
        if stopped.kind == "cancelled":
            context.artifacts.screenshot(b"picture")
        raise


@runner.task("waits-async")
async def waits_async(context: AsyncContext) -> None:
    context.progress(message="waits")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        say(stopped=getattr(context.stopped, "kind", None), message=str(context.stopped), same=True)
        if getattr(context.stopped, "kind", None) == "cancelled":
            await context.artifacts.screenshot(b"picture")
        raise


@runner.task("deaf")
def deaf(context: Context) -> None:
    context.progress(message="waits")
    time.sleep(3_600)


@runner.task("login")
def login(context: Context) -> dict[str, Any]:
    return {"code": context.ask(**CODE)}


@runner.task("login-async")
async def login_async(context: AsyncContext) -> dict[str, Any]:
    codes = [await context.ask(**{**CODE, "key": key}, mode="release") for key in ("one", "other")]
    return {"codes": codes}


@runner.task("files")
def files(context: Context) -> dict[str, Any]:
    saved = context.artifacts.download(__file__)
    context.artifacts.print(io.BytesIO(b"from a stream"))
    context.artifacts.screenshot((part for part in (b"from ", b"parts")), file_name="page.png")
    context.artifacts.video(
        b"moving pictures",
        platform_id="00000000-0000-7000-8000-000000000001",
        handler="browser",
        started_offset_ms=5,
    )
    return {"pages": 1, "size": saved.size_bytes}


@runner.task("computes")
def computes(context: Context) -> dict[str, Any]:
    return {"stopped": busy_for(context.params["seconds"], context)}


@runner.task("computes-async")
async def computes_async(context: AsyncContext) -> dict[str, Any]:
    return {"stopped": busy_for(context.params["seconds"], context)}


def busy_for(seconds: float, context: Context | AsyncContext) -> bool:
    context.progress(percent=10, step="computing")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(10_000))
    return context.stopped is not None


@runner.task("forks")
def forks(context: Context) -> dict[str, Any]:
    """Its child tries to go on with the work, and then has to be ended."""
    forking = multiprocessing.get_context("fork")
    said = forking.SimpleQueue()

    def child() -> None:
        uses: list[Any] = [
            lambda: context.progress(percent=1),
            lambda: context.log.info("from the child"),
            lambda: context.checkpoint(1),
            lambda: context.artifacts.print(b"%PDF-"),
        ]
        for use in uses:
            try:
                use()
            except RuntimeError as refusal:
                said.put(str(refusal))
        time.sleep(3_600)

    process = forking.Process(target=child)
    process.start()
    refusals = [said.get() for _ in range(4)]
    process.terminate()
    process.join()
    return {"pages": 1, "refusals": refusals, "ended": process.exitcode}


@runner.task("everything")
async def everything(context: AsyncContext) -> dict[str, Any]:
    await context.artifacts.print(b"%PDF-")
    await context.checkpoint({"page": 1})
    context.progress(percent=1)
    await context.ask(**CODE, on_timeout="default", default="1", expires_in_s=1)
    # Too much to go along with a claim.
    return {"pages": 1, "text": "x" * 50_000}


runner.run()
say(left=True)
