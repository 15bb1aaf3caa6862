"""Proxies on the way to the service, of the option and of the environment."""

from __future__ import annotations

import ssl
import unittest
from typing import Any
from unittest.mock import patch

import raw_server as raw
from clients import KEY, done
from raw_server import RawServer

import runhook
from runhook import AsyncRunhook, Runhook
from runhook._http.origins import Proxies
from runhook.runner import Runner

BASIC = "Basic dXM6ciBwQHNz"
"""`us` with the password `r p@ss`, which its URL has encoded."""


class Ways(unittest.IsolatedAsyncioTestCase):
    """Each test runs with both clients."""

    async def each(self, check: Any, **options: Any) -> None:
        trusting = ssl.create_default_context(cafile=raw.CERTIFICATE)
        for client in (Runhook, AsyncRunhook):
            with self.subTest(client.__name__):
                made = client(**{"api_key": KEY, "ssl_context": trusting, **options})
                await check(made)
                await done(made.close())

    async def test_pass_the_proxy_of_the_option(self) -> None:
        with RawServer(raw.itself) as proxy:
            url = proxy.url.replace("://", "://us:r%20p%40ss@")

            async def check(client: Any) -> None:
                proxy.received.clear()
                self.assertEqual((await done(client.executions.get("e-1"))).execution_id, "e-1")
                [asked] = proxy.received
                self.assertEqual(
                    asked.path, "http://service.invalid:8700/api/v1/integrations/executions/e-1"
                )
                self.assertEqual(asked.headers["host"], "service.invalid:8700")
                self.assertEqual(asked.headers["proxy-authorization"], BASIC)

            await self.each(check, base_url="http://service.invalid:8700", proxy=url)

    async def test_pass_a_tunnel_to_a_service_with_tls_and_use_it_again(self) -> None:
        with RawServer(raw.itself, tls=True) as service, RawServer(raw.tunnel) as proxy:
            proxies = {"HTTPS_PROXY": proxy.url.replace("://", "://us:r%20p%40ss@"), "NO_PROXY": "other.invalid"}
            with patch.dict("os.environ", proxies):

                async def check(client: Any) -> None:
                    service.received.clear()
                    proxy.received.clear()
                    for id in ("e-1", "e-2"):
                        self.assertEqual((await done(client.executions.get(id))).execution_id, id)
                    [asked] = proxy.received
                    self.assertEqual(asked.path, service.url.removeprefix("https://"))
                    self.assertEqual(asked.headers["proxy-authorization"], BASIC)
                    self.assertNotIn("authorization", asked.headers)
                    for each in service.received:
                        self.assertNotIn("proxy-authorization", each.headers)

                await self.each(check, base_url=service.url)

    async def test_end_at_a_proxy_that_refuses(self) -> None:
        with RawServer(raw.refusal(407, "who_are_you")) as proxy:

            async def check(client: Any) -> None:
                proxy.received.clear()
                with self.assertRaises(runhook.ConnectionError) as caught:
                    await done(client.executions.get("e-1"))
                self.assertRegex(str(caught.exception), r"the proxy 127\.0\.0\.1:\d+ answered 407")
                self.assertNotIn("hush", str(caught.exception))
                self.assertEqual([caught.exception.status, len(proxy.received)], [407, 1])

            proxied = proxy.url.replace("://", "://us:hush@")
            await self.each(check, base_url="https://service.invalid", proxy=proxied)

    async def test_pass_none_where_the_environment_says_so_or_an_empty_option(self) -> None:
        with RawServer(raw.itself) as service:

            async def check(client: Any) -> None:
                self.assertEqual((await done(client.executions.get("e-1"))).execution_id, "e-1")

            nowhere = {"HTTP_PROXY": "http://proxy.invalid:3128", "NO_PROXY": "localhost, 127.0.0.0/8"}
            with patch.dict("os.environ", nowhere):
                await self.each(check, base_url=service.url)
            with patch.dict("os.environ", {**nowhere, "NO_PROXY": ""}):
                await self.each(check, base_url=service.url, proxy="")


class Choice(unittest.TestCase):
    def test_of_the_proxy_is_by_scheme_and_of_the_hosts_without_one_by_name_address_and_port(self) -> None:
        cases: list[tuple[str, str, str, int, bool]] = [
            ("", "http", "a.example", 80, True),
            ("*", "http", "a.example", 80, False),
            ("example", "https", "a.example", 443, False),
            (".example", "https", "A.EXAMPLE.", 443, False),
            ("*.example", "https", "a.example", 443, False),
            ("other, a.example", "https", "a.example", 443, False),
            ("other a.example", "https", "a.example", 443, False),
            ("ample", "https", "a.example", 443, True),
            ("a.example:8443", "https", "a.example", 443, True),
            ("a.example:443", "https", "a.example", 443, False),
            ("10.0.0.0/8", "http", "10.1.2.3", 80, False),
            ("10.0.0.0/8", "http", "11.1.2.3", 80, True),
            ("::1", "http", "::1", 80, False),
            ("[::1]:80", "http", "::1", 80, False),
            ("[::1]:81", "http", "::1", 80, True),
            ("fd00::/8", "http", "fd00::5", 80, False),
            (",", "http", "a.example", 80, True),
        ]
        for no_proxy, scheme, host, port, is_through in cases:
            variables = {"ALL_PROXY": "proxy.example", "https_proxy": "http://p:1", "NO_PROXY": no_proxy}
            with self.subTest(no_proxy, host=host), patch.dict("os.environ", variables, clear=True):
                proxy = Proxies(None).on_way_to(scheme, host, port)
                expected = {"http": "proxy.example:80", "https": "p:1"}[scheme]
                self.assertEqual(None if proxy is None else str(proxy), expected if is_through else None)

    def test_of_a_proxy_that_is_none_is_refused_by_name_and_without_its_password(self) -> None:
        for made in (Runhook, AsyncRunhook, Runner):
            client: Any = made
            for url in ("socks5://us:hush@p", "https://us:hush@p", "http://us:hush@p:99999", "http://", "ftp://p"):
                for name, options, variables in (
                    ("proxy", {"proxy": url}, {}),
                    ("HTTPS_PROXY", {}, {"HTTPS_PROXY": url}),
                    ("HTTP_PROXY", {}, {"ALL_PROXY": url}),
                ):
                    with (
                        self.subTest(url, client=client.__name__, name=name),
                        patch.dict("os.environ", variables, clear=True),
                        self.assertRaisesRegex(ValueError, f"^{name} must be an http URL") as caught,
                    ):
                        client(base_url="http://localhost", api_key=KEY, **options)
                    self.assertNotIn("hush", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
