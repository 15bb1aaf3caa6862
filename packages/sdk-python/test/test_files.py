"""How files are fetched, saved and read."""

from __future__ import annotations

import tempfile
import unittest
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import raw_server as raw
from clients import KEY, BothClients, done
from raw_server import RawServer

from runhook import Runhook, types


class Link:
    """A file's link as a service shows it that knows itself by another address than its callers do."""

    url = "http://inside.example/api/v1/integrations/executions/e-1/files/f-1"


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

    async def test_leaves_nothing_behind_when_it_cannot_have_its_path(self) -> None:
        with RawServer(raw.file(b"a report")) as server:

            async def check(client: Any) -> None:
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder, "reports")
                    path.mkdir()

                    with self.assertRaises(OSError):
                        await done(client.files.save(Link, path))

                    self.assertEqual(list(Path(folder).iterdir()), [path])

            await self.each(server, check)

    async def test_are_not_saved_at_the_path_of_a_folder(self) -> None:
        with RawServer(raw.file(b"a report")) as server, tempfile.TemporaryDirectory() as folder:

            async def check(client: Any) -> None:
                for name in (".", "..", "", "a/.", "../..", "a\0"):
                    for path in (f"{folder}/{name}", *([name] if name in ("", ".", "..") else [])):
                        with self.subTest(path), self.assertRaisesRegex(ValueError, "^target must be the path of a file"):
                            await done(client.files.save(Link, path))
                self.assertEqual(list(Path(folder).iterdir()), [])

            await self.each(server, check)

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


if __name__ == "__main__":
    unittest.main()
