"""Both clients, for tests that run with each."""

from __future__ import annotations

import inspect
import unittest
from typing import Any

from raw_server import RawServer

from runhook import AsyncRunhook, Runhook

KEY = "rhlive_prefix_hush"


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
