"""How requests and answers go over the wire, which only Python does by itself."""

from __future__ import annotations

import asyncio
import threading
import unittest
from typing import Any

import raw_server as raw
from clients import KEY, BothClients, done
from raw_server import RawServer

import runhook
from runhook import AsyncRunhook, Runhook


class Transport(BothClients):
    async def test_reads_chunks_trailers_interim_answers_and_bodies_without_a_length(self) -> None:
        for answering in (raw.in_chunks, raw.until_the_end):
            with RawServer(answering) as server:

                async def check(client: Any) -> None:
                    self.assertEqual((await done(client.executions.get("e-1"))).status, "running")

                await self.each(server, check, retries=0)

    async def test_believes_no_length_that_is_none(self) -> None:
        heads = (
            "HTTP/1.1 200 OK\r\ncontent-length: -5",
            "HTTP/1.1 200 OK\r\ncontent-length: 1_0",
            "HTTP/1.1 200 OK\r\ncontent-length: +2",
            "HTTP/1.1 200 OK\r\ncontent-length: 0x2",
            "HTTP/1.1 200 OK\r\ncontent-length: " + "9" * 5_000,
            "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3",
            "HTTP/1.1 200 OK\r\ncontent-length: 2, 3",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-5",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0x5",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + "F" * 5_000,
            "HTTP/1.1 2\u00b20 OK\r\ncontent-length: 2",
            "HTTP/1.1 2000 OK\r\ncontent-length: 2",
        )
        for head in heads:

            def answering(asked: raw.Asked, text: str = head) -> None:
                asked.wfile.write(f"{text}\r\n\r\n{{}}".encode("latin-1"))
                asked.close_connection = True

            with self.subTest(head[:70]), RawServer(answering) as server:

                async def check(client: Any) -> None:
                    with self.assertRaisesRegex(runhook.ConnectionError, "does not speak HTTP"):
                        await done(client.executions.get("e-1"))

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


if __name__ == "__main__":
    unittest.main()
