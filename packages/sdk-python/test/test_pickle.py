"""A client that is copied, as for a worker of another process, has connections of its own."""

from __future__ import annotations

import copy
import pickle
import unittest
from multiprocessing.reduction import ForkingPickler
from typing import Any

import raw_server as raw
from clients import KEY, BothClients, done
from raw_server import RawServer

from runhook import ConnectionError


def for_a_process(client: Any) -> Any:
    """As `multiprocessing` and `ProcessPoolExecutor` give it to one, which would also give it open sockets."""
    return pickle.loads(ForkingPickler.dumps(client))


class Copies(BothClients):
    async def test_of_a_client_have_connections_of_their_own(self) -> None:
        with RawServer(raw.itself) as server:
            for copied in (for_a_process, copy.deepcopy):
                with self.subTest(copied.__name__):

                    async def check(client: Any, copied: Any = copied) -> None:
                        await done(client.executions.get("first"))
                        other = copied(client)
                        for id, each in (("other", other), ("first", client), ("other", other)):
                            self.assertEqual((await done(each.executions.get(id))).execution_id, id)
                        peers: dict[str, set[int]] = {"first": set(), "other": set()}
                        for received in server.received:
                            peers[received.path.split("/")[-1]].add(received.peer)
                        self.assertEqual([len(each) for each in peers.values()], [1, 1])
                        self.assertFalse(peers["first"] & peers["other"])
                        await done(other.close())

                    await self.each(server, check, proxy="")

    async def test_of_a_client_can_be_made_after_it_has_used_tls(self) -> None:
        with RawServer(raw.itself, tls=True) as server:

            async def check(client: Any) -> None:
                with self.assertRaises(ConnectionError):
                    await done(client.executions.get("first"))
                self.assertEqual(repr(for_a_process(client)), repr(client))

            await self.each(server, check, proxy="", retries=0)


if __name__ == "__main__":
    unittest.main()
