"""Clients that are kept over a fork, as servers do which load a program before they fork their workers."""

from __future__ import annotations

import asyncio
import gc
import json
import multiprocessing
import os
import ssl
import threading
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import raw_server as raw
from clients import KEY
from forking import in_child
from raw_server import RawServer

from runhook import AsyncRunhook, Runhook, UnauthorizedError
from runhook._http.connect import connect_asyncio, only_here
from runhook._http.origins import Proxies
from runhook._http.pool import Pool
from runhook.runner import Runner


class Held:
    """A client and what makes its calls."""

    def __init__(self, kind: type[Runhook] | type[AsyncRunhook], url: str) -> None:
        trusting = ssl.create_default_context(cafile=raw.CERTIFICATE)
        self.client: Any = kind(base_url=url, api_key=KEY, retries=0, ssl_context=trusting, proxy="")
        self.loop = asyncio.new_event_loop() if kind is AsyncRunhook else None

    def get(self, id: str) -> str:
        return str(self.end(self.client.executions.get(id)).execution_id)

    def end(self, call: Any) -> Any:
        return call if self.loop is None else self.loop.run_until_complete(call)

    def fork(self) -> None:
        """The same client, in an event loop of the child's own."""
        if self.loop is not None:
            self.loop = asyncio.new_event_loop()


@unittest.skipUnless(hasattr(os, "fork"), "nothing forks here")
class Forks(unittest.TestCase):
    """Each test runs with both clients, over both transports."""

    @contextmanager
    def _held(self, kind: Any, server: RawServer) -> Iterator[Held]:
        held = Held(kind, server.url)
        try:
            yield held
        finally:
            held.end(held.client.close())
            if held.loop is not None:
                held.loop.close()

    def each(self, check: Callable[[Held, RawServer], None], *answers: raw.Answering) -> None:
        for kind in (Runhook, AsyncRunhook):
            for tls in (False, True):
                with (
                    self.subTest(kind.__name__, tls=tls),
                    RawServer(*answers or (raw.itself,), tls=tls) as server,
                    self._held(kind, server) as held,
                ):
                    check(held, server)

    def test_leave_the_connections_of_the_parent_as_they_are(self) -> None:
        def check(held: Held, server: RawServer) -> None:
            held.get("parent-1")

            def act() -> None:
                held.fork()
                for number in range(3):
                    self.assertEqual(held.get(f"child-{number}"), f"child-{number}")

            in_child(act)
            held.get("parent-2")
            parents = {each.peer for each in server.received if "parent" in each.path}
            childrens = {each.peer for each in server.received if "child" in each.path}
            self.assertEqual(len(parents), 1)
            self.assertTrue(childrens)
            self.assertFalse(parents & childrens)

        self.each(check)

    def test_give_each_process_its_own_answers_while_all_of_them_ask(self) -> None:
        def check(held: Held, server: RawServer) -> None:
            held.get("warm")

            def ask(name: str) -> None:
                if name == "grandchild":
                    held.fork()
                for number in range(10):
                    self.assertEqual(held.get(f"{name}-{number}"), f"{name}-{number}")

            def family() -> None:
                held.fork()
                asking = threading.Thread(target=in_child, args=(lambda: ask("grandchild"),))
                if held.loop is None:
                    asking.start()
                    ask("child")
                    asking.join()
                else:
                    ask("child")

            asking = threading.Thread(target=in_child, args=(family,))
            asking.start()
            ask("parent")
            asking.join()

        self.each(check)

    def test_may_collect_what_they_have_inherited(self) -> None:
        def check(held: Held, server: RawServer) -> None:
            held.get("before")

            def act() -> None:
                held.client.close() if held.loop is None else asyncio.run(held.client.close())
                held.client = held.loop = None
                gc.collect()

            in_child(act)
            held.get("after")
            self.assertEqual(len(server.peers), 1)

        self.each(check)

    def test_go_on_while_another_thread_is_inside_a_call(self) -> None:
        waiting, go_on = threading.Event(), threading.Event()

        def answer(asked: raw.Asked) -> None:
            if "slow" in asked.path:
                waiting.set()
                go_on.wait()
            raw.itself(asked)

        def check(held: Held, server: RawServer) -> None:
            waiting.clear()
            go_on.clear()
            seen: list[str] = []
            slow = threading.Thread(target=lambda: seen.append(held.get("slow")))
            slow.start()
            waiting.wait()

            def act() -> None:
                held.fork()
                self.assertEqual(held.get("child"), "child")

            in_child(act)

            go_on.set()
            slow.join()
            self.assertEqual(seen, ["slow"])

        self.each(check, answer)

    def test_cannot_read_a_file_that_the_parent_has_opened(self) -> None:
        halves = threading.Event()

        def file(asked: raw.Asked) -> None:
            asked.send_response(200)
            asked.send_header("content-length", "8")
            asked.end_headers()
            asked.wfile.write(b"half")
            halves.wait()
            asked.wfile.write(b"half")

        def check(held: Held, server: RawServer) -> None:
            halves.clear()
            link = SimpleNamespace(url=f"{server.url}/api/v1/integrations/executions/e/files/f")
            download = held.end(held.client.files.download(link))

            def act() -> None:
                if held.loop is None:
                    with self.assertRaises(ConnectionError):
                        download.read()
                download.close()

            in_child(act)
            halves.set()
            self.assertEqual(held.end(download.read()), b"halfhalf")

        self.each(check, file)

    def test_have_their_own_chances_and_idempotency_keys(self) -> None:
        def check(held: Held, server: RawServer) -> None:
            def create() -> None:
                held.client._sender.clock.random()
                chance = str(held.client._sender.clock.random())
                held.end(held.client.with_options(headers={"chance": chance}).executions.create(agent_id="a"))

            def act() -> None:
                held.fork()
                create()

            create()
            for _ in range(2):
                in_child(act)
            create()
            for header in ("idempotency-key", "chance"):
                self.assertEqual(len({each.headers[header] for each in server.received}), 4)

        self.each(check)

    def test_may_be_those_of_multiprocessing_in_a_running_event_loop(self) -> None:
        with RawServer(raw.itself) as server:
            client = AsyncRunhook(base_url=server.url, api_key=KEY, retries=0, proxy="")
            forking = multiprocessing.get_context("fork")

            def child() -> None:
                ended = threading.Thread(target=lambda: asyncio.run(ask("child")))
                ended.start()
                ended.join()

            async def ask(id: str) -> None:
                self.assertEqual((await client.executions.get(id)).execution_id, id)

            async def parent() -> None:
                await ask("parent")
                process = forking.Process(target=child)
                process.start()
                await asyncio.to_thread(process.join)
                self.assertEqual(process.exitcode, 0)
                await ask("parent")

            asyncio.run(parent())
            peers = [each.peer for each in server.received]
            self.assertEqual([peers[0] == peer for peer in peers], [True, False, True])

    def test_of_a_runner_that_is_started_after_them_make_one_instance_each(self) -> None:
        with RawServer(raw.refusal(401, "unauthorized")) as server:
            runner = Runner(base_url=server.url, api_key=KEY, proxy="")

            def serve() -> None:
                with self.assertRaises(UnauthorizedError):
                    runner.run()

            for _ in range(2):
                in_child(serve)
            instances = {json.loads(each.body)["instance_id"] for each in server.received}
            self.assertEqual(len(instances), 2)

    def test_of_a_runner_that_has_started_send_nothing_for_it(self) -> None:
        with RawServer(raw.itself) as server:

            async def leave() -> None:
                pool = Pool(only_here(connect_asyncio), None, Proxies(""))
                url = f"{server.url}/claims"
                await (await pool.request("GET", url, headers={})).read()

                def claim() -> None:
                    asking = threading.Thread(target=lambda: asyncio.run(refused()))
                    asking.start()
                    asking.join()

                async def refused() -> None:
                    with self.assertRaisesRegex(RuntimeError, "only in the process that has started it"):
                        await pool.request("GET", url, headers={})

                in_child(claim)

            asyncio.run(leave())
            self.assertEqual(len(server.received), 1)


if __name__ == "__main__":
    unittest.main()
