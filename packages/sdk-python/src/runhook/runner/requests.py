"""Every call of the runner API. Each may be repeated without harm, except claims that report outcomes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._call.request import Request, part, remove
from .._generated.runner import LeaseRef


def _post(path: str, body: Any) -> Request[Any]:
    return Request("POST", path, lambda value: value, body=body, repeatable=True)


def open_session(body: dict[str, Any]) -> Request[Any]:
    return _post("/sessions", body)


def close_session(id: str) -> Request[None]:
    return remove(f"/sessions/{part(id)}")


def claim(body: dict[str, Any]) -> Request[Any]:
    """A claim with outcomes is repeated only after a 429: otherwise the outcomes are better reported one by one."""
    request = _post("/claims", body)
    return replace(request, repeatable="outcomes" not in body, wait=body.get("wait_ms", 0) / 1_000)


def heartbeat(session_id: str, beats: list[dict[str, Any]]) -> Request[Any]:
    return _post("/heartbeats", {"session_id": session_id, "beats": beats})


def start(lease: Any) -> Request[Any]:
    return _of_lease(lease, "start", {})


def give_back(lease: Any, reason: str) -> Request[Any]:
    return _of_lease(lease, "release", {"reason": reason})


def ask(lease: Any, fields: dict[str, Any]) -> Request[Any]:
    return _of_lease(lease, "inputs", fields)


def register_artifact(lease: Any, fields: dict[str, Any]) -> Request[Any]:
    return _of_lease(lease, "artifacts", fields)


def complete_artifact(lease: Any, id: str) -> Request[Any]:
    return _of_lease(lease, f"artifacts/{part(id)}/complete", {})


def keep_checkpoint(lease: Any, value: Any) -> Request[None]:
    return replace(_of_lease(lease, "checkpoint", {"value": value}), read=None)


def complete(lease: Any, outcome: dict[str, Any]) -> Request[Any]:
    return _of_lease(lease, "complete", outcome)


def _of_lease(lease: Any, verb: str, fields: dict[str, Any]) -> Request[Any]:
    """A call under a lease, such as a claim. It belongs to the trace of that."""
    trace = lease.get("traceparent")
    request = _post(f"/executions/{part(lease['execution_id'])}/{verb}", {"epoch": lease["epoch"], **fields})
    return request if trace is None else replace(request, headers={"traceparent": trace})


def lease_of(claim: Any) -> LeaseRef:
    return {"execution_id": claim["execution_id"], "epoch": claim["epoch"]}
