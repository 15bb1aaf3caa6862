"""What only Python has: its transports, its files, its words for options. The rest are scenarios of all clients."""

from __future__ import annotations

import asyncio
import inspect
import logging
import pickle
import tempfile
import threading
import unittest
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import raw_server as raw
from raw_server import RawServer

import runhook
from runhook import AsyncRunhook, Runhook, types

KEY = "rhlive_prefix_hush"


class Link:
    """A file's link as a service shows it that knows itself by another address than its callers do."""

    url = "http://inside.example/api/v1/integrations/executions/e-1/files/f-1"


async def done(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


class BothClients(unittest.IsolatedAsyncioTestCase):
    """Each test runs with both clients."""

    async def each(self, server: RawServer, check: Any, **options: Any) -> None:
        for client in (Runhook, AsyncRunhook):
            with self.subTest(client.__name__):
                server.received.clear()
                server.peers.clear()
                made = client(base_url=server.url, api_key=KEY, **options)
                await check(made)
                await done(made.close())


class Transport(BothClients):
    async def test_reads_chunks_trailers_interim_answers_and_bodies_without_a_length(self) -> None:
        for answering in (raw.in_chunks, raw.until_the_end):
            with RawServer(answering) as server:

                async def check(client: Any) -> None:
                    self.assertEqual((await done(client.executions.get("e-1"))).status, "running")

                await self.each(server, check, retries=0)

    async def test_uses_a_connection_again(self) -> None:
        with RawServer(raw.execution("running")) as server:

            async def check(client: Any) -> None:
                for _ in range(5):
                    await done(client.executions.get("e-1"))
                self.assertEqual(len(server.peers), 1)

            await self.each(server, check)

    async def test_opens_another_connection_when_the_peer_has_closed_the_last(self) -> None:
        def closing(asked: raw.Asked) -> None:
            raw.execution("running")(asked)
            asked.close_connection = True

        with RawServer(closing) as server:

            async def check(client: Any) -> None:
                for _ in range(5):
                    # It may not be repeated, so a connection that is used again would fail.
                    await done(client.request("POST", "/things", body={}))
                    [(_, connection)] = client._sender.pool._idle
                    while not connection.is_stale:
                        await asyncio.sleep(0.001)
                self.assertEqual(len(server.peers), 5)

            await self.each(server, check, retries=0)

    async def test_ends_an_attempt_in_the_middle_of_an_answer(self) -> None:
        def half(asked: raw.Asked) -> None:
            asked.send_response(200)
            asked.send_header("content-length", "9")
            asked.end_headers()
            asked.wfile.write(b"{")
            raw.silence(asked)

        with RawServer(half) as server:

            async def check(client: Any) -> None:
                with self.assertRaises(TimeoutError) as caught:
                    await done(client.executions.get("e-1"))
                self.assertIsInstance(caught.exception, runhook.TimeoutError)

            await self.each(server, check, retries=0, attempt_timeout=0.2)

    async def test_says_that_nobody_listens_in_the_words_of_python(self) -> None:
        with RawServer(raw.execution("running")) as server:
            url = server.url

        for client in (Runhook, AsyncRunhook):
            with self.assertRaises(ConnectionError) as caught:
                await done(client(base_url=url, api_key=KEY, retries=0).executions.get("e-1"))
            self.assertIsInstance(caught.exception, runhook.ConnectionError)
            self.assertIn(url, str(caught.exception))

    def test_serves_threads_that_share_a_client(self) -> None:
        with (
            RawServer(raw.execution("running")) as server,
            Runhook(base_url=server.url, api_key=KEY) as client,
        ):
            seen: list[str] = []

            def lane() -> None:
                seen.extend(client.executions.get("e-1").status for _ in range(20))

            lanes = [threading.Thread(target=lane) for _ in range(8)]
            for each in lanes:
                each.start()
            for each in lanes:
                each.join()
            self.assertEqual(seen, ["running"] * 160)

    async def test_a_cancelled_call_ends_at_once_and_leaves_no_half_connection(self) -> None:
        with RawServer(raw.silence, raw.execution("running")) as server:
            async with AsyncRunhook(base_url=server.url, api_key=KEY) as client:
                call = asyncio.create_task(client.executions.get("e-1"))
                while not server.received:
                    await asyncio.sleep(0.001)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call
                self.assertEqual((await client.executions.get("e-1")).status, "running")

    def test_a_client_outlives_an_event_loop(self) -> None:
        with RawServer(raw.execution("running")) as server:
            client = AsyncRunhook(base_url=server.url, api_key=KEY)
            for _ in range(2):
                self.assertEqual(asyncio.run(client.executions.get("e-1")).status, "running")


class Files(BothClients):
    async def test_the_storage_never_sees_the_key(self) -> None:
        with (
            RawServer(raw.file(b"a report")) as storage,
            RawServer(raw.redirect(f"{storage.url}/bucket?grant=1")) as server,
        ):

            async def check(client: Any) -> None:
                storage.received.clear()
                download = await done(client.files.download(Link))
                self.assertEqual(await done(download.read()), b"a report")
                self.assertEqual(download.content_type, "text/plain")
                self.assertEqual(server.received[0].headers["authorization"], f"Bearer {KEY}")
                self.assertEqual(
                    [(asked.path, asked.headers["authorization"]) for asked in storage.received],
                    [("/bucket?grant=1", None)],
                )

            await self.each(server, check)

    async def test_sends_no_key_to_a_storage_on_the_services_own_host_either(self) -> None:
        with RawServer(raw.redirect("/storage?grant=1"), raw.file(b"a report")) as server:

            async def check(client: Any) -> None:
                await done((await done(client.files.download(Link))).read())
                self.assertIsNone(server.received[1].headers["authorization"])
                self.assertEqual(server.received[1].path, "/storage?grant=1")

            await self.each(server, check)

    async def test_asks_for_a_new_place_when_the_storage_fails(self) -> None:
        with (
            RawServer(raw.refusal(503, "internal_error"), raw.file(b"a report")) as storage,
            RawServer(raw.redirect(storage.url)) as server,
        ):

            async def check(client: Any) -> None:
                storage.received.clear()
                with patch("random.random", return_value=0.0):
                    download = await done(client.files.download(Link))
                self.assertEqual(await done(download.read()), b"a report")
                self.assertEqual(len(server.received), 2)

            await self.each(server, check)

    async def test_a_saved_file_is_whole_or_what_was_there_before(self) -> None:
        with RawServer(raw.file(b"a report"), raw.break_off) as server:

            async def check(client: Any) -> None:
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder, "report.txt")
                    path.write_text("an older one")

                    await done(client.files.save(Link, path))
                    with self.assertRaises(ConnectionError):
                        await done(client.files.save(Link, path))

                    self.assertEqual(path.read_text(), "a report")
                    self.assertEqual(list(Path(folder).iterdir()), [path])

            await self.each(server, check, retries=0)

    async def test_can_be_saved_to_anything_open(self) -> None:
        with RawServer(raw.file(b"a report" * 50_000)) as server:

            async def check(client: Any) -> None:
                target = BytesIO()
                await done(client.files.save(Link, target))
                self.assertEqual(target.getvalue(), b"a report" * 50_000)

            await self.each(server, check)

    def test_only_links_of_files_are_opened(self) -> None:
        client = Runhook(base_url="http://localhost", api_key=KEY)
        self.assertTrue(client.files.url("e 1", "f").endswith("/integrations/executions/e%201/files/f"))
        with self.assertRaisesRegex(ValueError, "file.url"):
            client.files.download(
                types.FileArtifact(
                    id="f", file_name="f", content_type="text/plain", size_bytes=1, url="https://example.com/"
                )
            )


class Options(unittest.TestCase):
    def test_come_from_the_environment_where_they_are_not_given(self) -> None:
        with RawServer(raw.execution("running")) as server:
            with patch.dict(
                "os.environ", {"RUNHOOK_BASE_URL": server.url, "RUNHOOK_API_KEY": "of-the-environment"}
            ):
                Runhook().executions.get("e-1")
                Runhook(api_key=KEY).executions.get("e-1")
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
            ({"api_key": "rhlive_hush\n"}, "^api_key must be"),
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

    def test_does_not_leave_the_api(self) -> None:
        for path in ("/../../../admin/accounts", "/..", "/%2e%2e/x", "@example.com", "", "/a\\..\\b", "/a b"):
            with self.subTest(path), self.assertRaises(ValueError):
                self.client.request("GET", path)

    def test_of_a_header_is_refused_before_it_becomes_another(self) -> None:
        with RawServer(raw.execution("running")) as server, Runhook(base_url=server.url, api_key=KEY) as client:
            for key in ("order\r\nx-role: admin", "order\n", "\0"):
                with self.subTest(key), self.assertRaisesRegex(ValueError, "idempotency-key"):
                    client.executions.create(agent_id="a-1", idempotency_key=key)
            with self.assertRaisesRegex(ValueError, "x-one\\\\r"):
                client.with_options(headers={"x-one\r\nx-two": "2"}).executions.get("e-1")
            self.assertEqual(server.received, [])

    def test_of_an_argument_that_there_is_not_is_the_services_to_name(self) -> None:
        with (
            RawServer(raw.refusal(400, "invalid_request")) as server,
            Runhook(base_url=server.url, api_key=KEY) as client,
        ):
            with self.assertRaises(runhook.InvalidRequestError):
                client.request("POST", "/executions", body={"agent": None})
            self.assertEqual(server.received[0].body, '{"agent":null}')


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
