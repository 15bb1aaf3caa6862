"""What only Python has: its words for options, its misuse, what it prints. The rest are scenarios of all clients."""

from __future__ import annotations

import inspect
import json
import logging
import pickle
import signal
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Any
from unittest.mock import patch
from uuid import UUID

import raw_server as raw
from clients import KEY
from raw_server import RawServer

import runhook
from runhook import Runhook


class Options(unittest.TestCase):
    def test_come_from_the_environment_where_they_are_not_given(self) -> None:
        with RawServer(raw.execution("running")) as server:
            with patch.dict(
                "os.environ", {"RUNHOOK_BASE_URL": server.url, "RUNHOOK_API_KEY": "of-the-environment"}
            ):
                Runhook().executions.get("e-1")
                Runhook(api_key=f"\ufeff{KEY}\r\n").executions.get("e-1")
            self.assertEqual(
                [asked.headers["authorization"] for asked in server.received],
                ["Bearer of-the-environment", f"Bearer {KEY}"],
            )
            self.assertRegex(
                server.received[0].headers["user-agent"], r"^runhook-sdk/[\d.]+ \(python/3\.\d+\.\d+"
            )

    def test_are_named_when_they_are_wrong_and_the_key_is_not_shown(self) -> None:
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"base_url": "ftp://localhost"}, "base_url"),
            ({"base_url": "127.0.0.1:8700"}, "base_url must be an http or https URL"),
            ({"base_url": "http://localhost/api/v1/integrations"}, "or /api/v1$"),
            ({"base_url": "http://user:hush@localhost"}, "base_url"),
            ({"base_url": "http://localhost:99999"}, "base_url must be"),
            ({"base_url": "http://localhost:8700x"}, "base_url must be"),
            ({"base_url": "http://[::1"}, "base_url must be"),
            ({"api_key": "rhlive_hush\nhush"}, "^api_key must be"),
            ({"api_key": "rhlive h\u00fcsh"}, "^api_key must be"),
            ({"retries": -1}, "retries"),
            ({"timeout": float("nan")}, "timeout"),
        ]
        for options, words in wrong:
            with self.subTest(options), self.assertRaisesRegex(ValueError, words) as caught:
                Runhook(**{"base_url": "http://localhost", "api_key": KEY, **options})
            self.assertNotIn("hush", str(caught.exception))
        with patch.dict("os.environ", clear=True), self.assertRaisesRegex(ValueError, "set RUNHOOK_BASE_URL"):
            Runhook(api_key=KEY)

    def test_of_a_single_call_leave_the_client_as_it_is(self) -> None:
        with (
            RawServer(raw.refusal(500, "internal_error")) as server,
            Runhook(base_url=server.url, api_key=KEY, retries=0, headers={"X-One": "1"}) as client,
        ):
            for each in (client.with_options(headers={"x-two": "2"}), client):
                with self.assertRaises(runhook.InternalError):
                    each.executions.get("e-1")
            first, second = server.received
            self.assertEqual([first.headers["x-one"], first.headers["x-two"]], ["1", "2"])
            self.assertIsNone(second.headers["x-two"])


class Misuse(unittest.TestCase):
    client = Runhook(base_url="http://localhost", api_key=KEY)

    def test_of_an_id_is_refused_before_anything_is_sent(self) -> None:
        for id in ("", ".", ".."):
            with self.subTest(id), self.assertRaises(ValueError):
                self.client.executions.get(id)
        no_text: list[tuple[Any, str]] = [(None, "NoneType"), (7, "int"), (b"e-1", "bytes")]
        for other, name in no_text:
            with self.assertRaisesRegex(ValueError, f"^an id must be text, and not a {name}$"):
                self.client.executions.get(other)
        with self.assertRaisesRegex(ValueError, "^an id has half of a character"):
            self.client.executions.get("e-\ud83d")

    def test_does_not_leave_the_api(self) -> None:
        for path in ("/../../../admin/accounts", "/..", "/%2e%2e/x", "@example.com", "", "/a\\..\\b", "/a b"):
            with self.subTest(path), self.assertRaises(ValueError):
                self.client.request("GET", path)

    def test_of_a_header_is_refused_before_it_becomes_another(self) -> None:
        with RawServer(raw.execution("running")) as server, Runhook(base_url=server.url, api_key=KEY) as client:
            for key in ("order\r\nx-role: admin", "order\n", "\0", "\u6f22", "\u00e9", "a b", "", "x" * 256, "\ud83d"):
                with self.subTest(key):
                    acts: list[Callable[[], Any]] = [
                        lambda: client.executions.create(agent_id="a-1", idempotency_key=key),
                        lambda: client.executions.rerun("e-1", idempotency_key=key),
                        lambda: client.request("POST", "/executions", idempotency_key=key),
                    ]
                    for act in acts:
                        with self.assertRaisesRegex(ValueError, "^idempotency_key "):
                            act()
            for headers in ({"x-one\r\nx-two": "2"}, {"x-one": "1\r\nx-two: 2"}, {"x-one": "\u6f22"}):
                with self.assertRaisesRegex(ValueError, "^the header 'x-one"):
                    client.with_options(headers=headers).executions.get("e-1")
            self.assertEqual(server.received, [])

    def test_of_an_argument_that_there_is_not_is_the_services_to_name(self) -> None:
        with (
            RawServer(raw.refusal(400, "invalid_request")) as server,
            Runhook(base_url=server.url, api_key=KEY) as client,
        ):
            with self.assertRaises(runhook.InvalidRequestError):
                client.request("POST", "/executions", body={"agent": None})
            self.assertEqual(server.received[0].body, '{"agent":null}')


class Colour(Enum):
    RED = "red"


@dataclass
class Order:
    id: int = 1


circle: list[Any] = []
circle.append(circle)


class Values(unittest.TestCase):
    def test_are_sent_as_what_they_obviously_stand_for(self) -> None:
        id = UUID(int=1)
        at = datetime(2026, 3, 7, 9, 30, tzinfo=timezone(timedelta(hours=2)))
        sent: dict[str, tuple[Any, Any]] = {
            "id": (id, str(id)),
            "at": (at, "2026-03-07T09:30:00+02:00"),
            "day": (date(2026, 3, 7), "2026-03-07"),
            "colour": (Colour.RED, "red"),
            "signal": (signal.SIGTERM, 15),
            "pair": ((1, id), [1, str(id)]),
            "bare": (MappingProxyType({"a": "\U0001f600"}), {"a": "\U0001f600"}),
            "numbers": ([True, 1, 1.5, None], [True, 1, 1.5, None]),
        }
        with RawServer(raw.execution("running")) as server, Runhook(base_url=server.url, api_key=KEY) as client:
            client.request("POST", "/things", body={name: given for name, (given, _) in sent.items()})
            client.executions.get(id)
            client.request("GET", "/things", query={"a": [id, Colour.RED], "at": at, "all": True, "n": 5})
            client.request("POST", "/things", body={}, idempotency_key=id)
            body, one, query, keyed = server.received
        self.assertEqual(json.loads(body.body), {name: wire for name, (_, wire) in sent.items()})
        self.assertTrue(one.path.endswith(f"/executions/{id}"))
        self.assertTrue(
            query.path.endswith(f"?a={id}&a=red&at=2026-03-07T09%3A30%3A00%2B02%3A00&all=true&n=5"), query.path
        )
        self.assertEqual(keyed.headers["idempotency-key"], str(id))

    def test_that_json_has_not_are_refused_by_their_path_before_anything_is_sent(self) -> None:
        refused: list[tuple[Any, str]] = [
            ({"price": Decimal("1.10")}, r"params\.price is a Decimal"),
            ({"at": [datetime(2026, 3, 7)]}, r"params\.at\[0\] is a datetime without a time zone"),
            ({"at": time(9)}, r"params\.at is a time"),
            ({"for": timedelta(1)}, r"params\.for is a timedelta"),
            ({"data": b"x"}, r"params\.data is a bytes"),
            ({"tags": {"x"}}, r"params\.tags is a set"),
            ({"some": iter([])}, r"params\.some is a list_iterator"),
            ({"order": Order()}, r"params\.order is a Order"),
            ({"act": print}, r"params\.act is a builtin"),
            ({"z": 1j}, r"params\.z is a complex"),
            ({"n": float("nan")}, r"params\.n is nan"),
            ({"n": [-float("inf")]}, r"params\.n\[0\] is -inf"),
            ({"n": 10**5_000}, r"params\.n is an integer of 16610 bits"),
            ({"text": "half \ud83d"}, r"params\.text has half of a character"),
            ({"half \ude00": 1}, r"a name in params has half of a character"),
            ({"by": {7: "x"}}, r"params\.by has the name 7, which is a int"),
            ({"by": {UUID(int=1): "x"}}, r"params\.by has the name UUID"),
            (circle, r"nested too deeply, or contains itself"),
        ]
        with RawServer(raw.execution("running")) as server, Runhook(base_url=server.url, api_key=KEY) as client:
            for params, words in refused:
                for act in (
                    lambda given: client.executions.create(agent_id="a-1", params=given),
                    lambda given: client.request("POST", "/things", body={"params": given}),
                ):
                    with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                        act(params)
            with self.assertRaisesRegex(ValueError, r"^items\[0\]\.metadata\.price is a Decimal"):
                client.executions.create_batch([{"agent_id": "a-1", "metadata": {"price": Decimal(1)}}])
            with self.assertRaisesRegex(ValueError, r"^value is a Decimal"):
                client.executions.answer("e-1", "i-1", Decimal(1))
            for value in (Decimal(1), b"x", datetime(2026, 3, 7), "\ud83d"):
                with self.assertRaisesRegex(ValueError, "^reference "):
                    client.request("GET", "/executions", query={"reference": value})
            self.assertEqual(server.received, [])


class Secrets(unittest.TestCase):
    def test_show_in_nothing_that_is_printed_raised_or_logged(self) -> None:
        def leak(asked: raw.Asked) -> None:
            asked.give(404, f"no page for {asked.headers['authorization']}".encode())

        with RawServer(raw.refusal(500, "internal_error"), leak) as server:
            client = Runhook(base_url=server.url, api_key=KEY)
            with self.assertLogs("runhook", logging.DEBUG) as logged, patch("time.sleep"):
                with self.assertRaises(runhook.UnexpectedAnswerError) as caught:
                    client.executions.get("e-1")
        error = caught.exception
        shown = repr([client, client.executions.list(), error, vars(error), logged.output, client._sender])
        self.assertIn("[key]", shown)
        self.assertNotIn("hush", shown)
        self.assertEqual(len(logged.records), 2)
        self.assertEqual(vars(logged.records[0])["status"], 500)


class Answers(unittest.TestCase):
    def test_have_attributes_and_say_what_they_are(self) -> None:
        detail = {
            "execution_id": "e-1",
            "status": "of_a_later_version",
            "metadata": {"from": "a caller"},
            "downloads": [{"id": "f-1", "file_name": "a.txt"}],
            "input_request": {"input_id": "i-1", "prompt": "Which?"},
            "of_a_later_version": 1,
        }
        with (
            RawServer(raw.answer(200, detail)) as server,
            Runhook(base_url=server.url, api_key=KEY) as client,
        ):
            seen = client.executions.get("e-1")
        assert seen.input_request is not None
        self.assertEqual(seen.downloads[0].file_name, "a.txt")
        self.assertEqual(seen.input_request.prompt, "Which?")
        self.assertEqual(seen.metadata, {"from": "a caller"})
        self.assertIsNone(seen.result)
        self.assertFalse(runhook.is_finished(seen))
        self.assertRegex(repr(seen), r"^ExecutionDetail\(execution_id='e-1', status='of_a_later_version'")
        self.assertEqual(pickle.loads(pickle.dumps(seen)), seen)

    def test_a_call_says_how_it_is_called(self) -> None:
        method = Runhook(base_url="http://localhost", api_key=KEY).executions.create
        self.assertIn("idempotency_key", str(inspect.signature(method)))
        self.assertIn("Queues an execution", method.__doc__ or "")


if __name__ == "__main__":
    unittest.main()
