"""Verification of callbacks, and receivers."""

from __future__ import annotations

import io
import json
import unittest
from pathlib import Path
from typing import Any, Literal
from wsgiref.validate import validator

from runhook.webhooks import (
    ExecutionEvent,
    TestEvent,
    WebhookEvent,
    WebhookRejectedError,
    sign_test,
    verify_webhook,
    webhook_asgi,
    webhook_wsgi,
)

VECTORS = Path(__file__).parents[2] / "core/test/signing/WebhookVectors.json"
NOW = 1_772_875_800
SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

TEST: dict[str, Any] = {
    "event_id": "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f",
    "type": "webhook.test",
    "occurred_at": "2026-03-07T09:30:00.000Z",
    "request_id": "req_1",
    "reference": "webhook-test",
    "metadata": {},
    "execution": None,
    "message": "Hello",
}


class Verification(unittest.TestCase):
    def vectors(self, verdict: str) -> Any:
        for vector in json.loads(VECTORS.read_text())[verdict]:
            headers = {
                "X-Webhook-Event-Id": vector["event_id"],
                "x-webhook-timestamp": vector["timestamp"],
                "X-WEBHOOK-SIGNATURE": vector["x_webhook_signature"],
            }
            yield vector, headers

    def test_accepts_what_every_verifier_must(self) -> None:
        for vector, headers in self.vectors("accepted"):
            with self.subTest(vector["name"]):
                now = float(vector["timestamp"])
                event = verify_webhook(vector["body"], headers, vector["secrets"], now=now)
                self.assertEqual(event.event_id, vector["event_id"])

    def test_rejects_what_every_verifier_must(self) -> None:
        for vector, headers in self.vectors("rejected"):
            with self.subTest(vector["name"]), self.assertRaises(WebhookRejectedError) as caught:
                verify_webhook(vector["body"].encode(), headers, vector["secrets"], now=NOW)
            self.assertEqual(caught.exception.reason, vector["reason"])

    def test_believes_a_clock_that_is_five_minutes_off_and_no_further(self) -> None:
        body, headers = sign_test(TEST, secret=SECRET, now=NOW)
        for offset in (-300, 300):
            verify_webhook(body, headers, SECRET, now=NOW + offset)
            with self.assertRaisesRegex(WebhookRejectedError, "timestamp_out_of_tolerance"):
                verify_webhook(body, headers, SECRET, now=NOW + offset + (1 if offset > 0 else -1))

    def test_tells_events_apart_by_their_class(self) -> None:
        execution = {
            **TEST,
            "type": "execution.of_a_later_version",
            "execution": {"id": "e-1", "status": "error"},
        }
        for sent, kind in ((TEST, TestEvent), (execution, ExecutionEvent)):
            body, headers = sign_test(sent, secret=SECRET)
            event = verify_webhook(body, headers, ["whsec_the_next", SECRET])
            self.assertIsInstance(event, kind)
            self.assertEqual(event.type, sent["type"])

    def test_says_what_to_do_with_a_body_that_was_parsed(self) -> None:
        _, headers = sign_test(TEST, secret=SECRET)
        parsed: Any = TEST
        with self.assertRaisesRegex(WebhookRejectedError, "body_already_read: verify before"):
            verify_webhook(parsed, headers, SECRET)

    def test_refuses_to_work_without_a_secret(self) -> None:
        body, headers = sign_test(TEST, secret=SECRET)
        secrets: Any
        for secrets in ("", [], ["whsec_a", ""], " \n", "\ufeff"):
            with self.subTest(secrets), self.assertRaisesRegex(ValueError, "^secrets must not be empty$"):
                verify_webhook(body, headers, secrets)

    def test_takes_a_secret_as_files_have_it(self) -> None:
        for given in (f"{SECRET}\n", f"{SECRET}\r\n", f"\ufeff{SECRET}", f"  {SECRET}\t", f"\ufeff{SECRET}\r\n"):
            with self.subTest(given):
                for body, headers in (sign_test(TEST, secret=SECRET), sign_test(TEST, secret=given)):
                    for secrets in (given, ["whsec_the_next\n", given]):
                        self.assertEqual(verify_webhook(body, headers, secrets).event_id, TEST["event_id"])

    def test_refuses_a_secret_that_is_none_without_showing_it(self) -> None:
        body, headers = sign_test(TEST, secret=SECRET)
        for given in ("whsec_a b", "whsec_a\nwhsec_b", "w\0h\0s\0", "\ufffd\ufffdw", "whsec_\u00e9"):
            with self.subTest(given), self.assertRaises(ValueError) as caught:
                verify_webhook(body, headers, [SECRET, given])
            self.assertEqual(str(caught.exception), "secrets must be of visible ASCII characters")


class Memory:
    """Remembers in memory."""

    def __init__(self) -> None:
        self.states: dict[str, Literal["new", "busy", "done"]] = {}

    def begin(self, event_id: str) -> Literal["new", "busy", "done"]:
        state = self.states.get(event_id, "new")
        self.states.setdefault(event_id, "busy")
        return state

    def done(self, event_id: str) -> None:
        self.states[event_id] = "done"

    def forget(self, event_id: str) -> None:
        del self.states[event_id]


class AsyncMemory:
    """The same for asyncio."""

    def __init__(self) -> None:
        self.memory = Memory()

    async def begin(self, event_id: str) -> Literal["new", "busy", "done"]:
        return self.memory.begin(event_id)

    async def done(self, event_id: str) -> None:
        self.memory.done(event_id)

    async def forget(self, event_id: str) -> None:
        self.memory.forget(event_id)


def through_wsgi(receiver: Any, method: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """As a server that keeps to PEP 3333 would."""
    return answer_of(validator(receiver), environ_of(method, body, headers))


def environ_of(method: str, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": "/callbacks",
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": headers.get("content-length", str(len(body))),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **{
            f"HTTP_{name.upper().replace('-', '_')}": value
            for name, value in headers.items()
            if name.startswith("x-")
        },
    }


def answer_of(receiver: Any, environ: dict[str, Any]) -> tuple[int, str]:
    answered: list[str] = []

    def start_response(status: str, headers: Any, error: Any = None) -> Any:
        answered.append(status)
        return lambda data: None

    answer = receiver(environ, start_response)
    text = b"".join(answer).decode()
    getattr(answer, "close", lambda: None)()
    return int(answered[0][:3]), text


async def through_asgi(receiver: Any, method: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """In pieces, as a server would."""
    length = max(50, len(body) // 9)
    pieces = [body[at : at + length] for at in range(0, len(body), length)] or [b""]
    messages = [
        {"type": "http.request", "body": piece, "more_body": number < len(pieces)}
        for number, piece in enumerate(pieces, 1)
    ]
    given = {"content-length": str(len(body)), **headers}
    sent: list[dict[str, Any]] = []

    async def receive() -> Any:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in given.items()]
    await receiver({"type": "http", "method": method, "headers": pairs}, receive, send)
    return sent[0]["status"], sent[1]["body"].decode()


class Receivers(unittest.IsolatedAsyncioTestCase):
    """Each test runs over WSGI and over ASGI."""

    async def each(self, check: Any, on_event: Any = lambda event: None, *, is_deduped: bool = False) -> None:
        async def in_turn(event: WebhookEvent) -> None:
            on_event(event)

        errors: list[Exception] = []
        for name in ("wsgi", "asgi"):
            with self.subTest(name):
                errors.clear()
                if name == "wsgi":
                    memory = Memory() if is_deduped else None
                    wsgi = webhook_wsgi(SECRET, on_event, dedupe=memory, on_error=errors.append)

                    async def give(method: str, body: bytes, headers: dict[str, str], of: Any = wsgi) -> Any:
                        return through_wsgi(of, method, body, headers)
                else:
                    later = AsyncMemory() if is_deduped else None
                    asgi = webhook_asgi(SECRET, in_turn, dedupe=later, on_error=errors.append)

                    async def give(method: str, body: bytes, headers: dict[str, str], of: Any = asgi) -> Any:
                        return await through_asgi(of, method, body, headers)

                await check(give, errors)

    async def test_hand_on_what_is_genuine_and_answer_200(self) -> None:
        seen: list[WebhookEvent] = []

        async def check(give: Any, errors: list[Exception]) -> None:
            seen.clear()
            self.assertEqual(await give("POST", *sign_test(TEST, secret=SECRET)), (200, ""))
            self.assertEqual([event.event_id for event in seen], [TEST["event_id"]])
            self.assertEqual(errors, [])

        await self.each(check, seen.append)

    async def test_answer_401_to_what_is_not_and_tell_why_here_alone(self) -> None:
        async def check(give: Any, errors: list[Exception]) -> None:
            body, headers = sign_test(TEST, secret="whsec_of_another")
            self.assertEqual(await give("POST", body, headers), (401, ""))
            self.assertIn("signature_mismatch", str(errors[0]))

        await self.each(check)

    async def test_answer_500_with_advice_when_something_has_read_the_body(self) -> None:
        async def check(give: Any, errors: list[Exception]) -> None:
            body, headers = sign_test(TEST, secret=SECRET)
            status, text = await give("POST", b"", {**headers, "content-length": str(len(body))})
            self.assertEqual(status, 500)
            self.assertIn("body_already_read", text)

        await self.each(check)

    async def test_answer_500_when_the_event_was_not_handled_and_take_it_again(self) -> None:
        calls: list[WebhookEvent] = []

        def handle(event: WebhookEvent) -> None:
            calls.append(event)
            if len(calls) == 1:
                raise OSError("the disk is full")

        async def check(give: Any, errors: list[Exception]) -> None:
            calls.clear()
            signed = sign_test(TEST, secret=SECRET)
            statuses = [(await give("POST", *signed))[0] for _ in range(3)]
            self.assertEqual(statuses, [500, 200, 200])
            self.assertEqual(len(calls), 2)
            self.assertEqual([str(error) for error in errors], ["the disk is full"])

        await self.each(check, handle, is_deduped=True)

    async def test_answer_503_while_the_same_event_is_handled(self) -> None:
        memory = Memory()
        memory.begin(str(TEST["event_id"]))
        body, headers = sign_test(TEST, secret=SECRET)
        receiver = webhook_wsgi(SECRET, self.fail, dedupe=memory)
        self.assertEqual(through_wsgi(receiver, "POST", body, headers)[0], 503)

    async def test_refuse_other_methods_and_bodies_that_are_too_long(self) -> None:
        async def check(give: Any, errors: list[Exception]) -> None:
            self.assertEqual((await give("GET", b"", {}))[0], 405)
            self.assertEqual((await give("POST", b"x" * (2**21 + 1), {}))[0], 413)

        await self.each(check)

    def test_read_a_body_to_where_the_server_says_that_it_ends(self) -> None:
        body, headers = sign_test(TEST, secret=SECRET)
        length = str(len(body))
        chunked = {"HTTP_TRANSFER_ENCODING": "chunked"}
        ended = {"wsgi.input_terminated": True}
        without = "wsgi.input_terminated"
        cases: list[tuple[dict[str, Any], int, str]] = [
            ({"CONTENT_LENGTH": length}, 200, ""),
            ({"CONTENT_LENGTH": f" {length} ", **ended}, 200, ""),
            (ended, 200, ""),
            ({"CONTENT_LENGTH": "", **ended}, 200, ""),
            ({"CONTENT_LENGTH": "", **ended, **chunked}, 200, ""),
            ({"CONTENT_LENGTH": "5", **ended, **chunked}, 200, ""),
            ({}, 411, without),
            ({"CONTENT_LENGTH": ""}, 411, without),
            (chunked, 411, without),
            ({**chunked, "wsgi.input_terminated": False}, 411, without),
            *(
                ({"CONTENT_LENGTH": wrong}, 400, "content-length")
                for wrong in ("x", "-1", "+5", "1_0", "5, 5", "0x5", "1e3", "٣", "9" * 5_000)
            ),
            ({"CONTENT_LENGTH": str(len(body) + 1)}, 500, ""),
            ({"CONTENT_LENGTH": "5"}, 401, ""),
        ]
        for framing, expected, words in cases:
            errors: list[Exception] = []
            receiver = webhook_wsgi(SECRET, lambda event: None, on_error=errors.append)
            environ = environ_of("POST", body, headers)
            del environ["CONTENT_LENGTH"]
            with self.subTest(framing):
                # The validator of Python lets no malformed length through, unlike servers.
                given = receiver if expected == 400 else validator(receiver)
                status, text = answer_of(given, {**environ, **framing})
                self.assertEqual(status, expected)
                self.assertIn(words, text)
                self.assertEqual(len(errors), 0 if expected == 200 else 1)

    def test_read_no_more_than_an_event_may_have_without_a_length_too(self) -> None:
        _, headers = sign_test(TEST, secret=SECRET)
        environ = environ_of("POST", b"x" * (2**21 + 1), headers)
        del environ["CONTENT_LENGTH"]
        receiver = webhook_wsgi(SECRET, self.fail)
        status, _ = answer_of(receiver, {**environ, "wsgi.input_terminated": True})
        self.assertEqual(status, 413)

    def test_say_that_a_body_without_a_length_was_read_before(self) -> None:
        body, headers = sign_test(TEST, secret=SECRET)
        environ = environ_of("POST", b"", headers)
        framing = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
        status, text = answer_of(webhook_wsgi(SECRET, self.fail), {**environ, **framing})
        self.assertEqual(status, 500)
        self.assertIn("body_already_read", text)

    async def test_tell_nobody_the_secret(self) -> None:
        receiver = webhook_asgi(SECRET, print)
        self.assertNotIn(
            "whsec", repr([receiver, [cell.cell_contents for cell in getattr(receiver, "__closure__")]])
        )


if __name__ == "__main__":
    unittest.main()
