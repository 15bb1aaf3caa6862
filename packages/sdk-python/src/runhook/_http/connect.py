"""Opens connections: straight to an origin, or through a proxy."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Coroutine
from typing import Any, Protocol, TypeAlias

from .origins import Origin, Proxy, host_and_port
from .streams import AsyncioStream, SocketStream, Stream, seconds_until

_ANSWER_BYTES_MAX = 65_536
"""Longest answer of a proxy that is read."""


class Connect(Protocol):
    async def __call__(self, origin: Origin, deadline: float) -> Stream: ...


def only_here(connect: Connect) -> Connect:
    """The same, for what must not go on in a process that is forked from this one."""
    process = os.getpid()

    async def connect_here(origin: Origin, deadline: float) -> Stream:
        if os.getpid() != process:
            raise RuntimeError("a runner works only in the process that has started it, and not in a fork of it")
        return await connect(origin, deadline)

    return connect_here


class TunnelRefusedError(ConnectionError):
    """The proxy answered, and opened no way to the origin."""

    def __init__(self, proxy: Proxy, status: int, reason: str) -> None:
        super().__init__(f"the proxy {proxy} answered {status} {reason}".rstrip())
        self.status = status


async def connect_socket(origin: Origin, deadline: float) -> Stream:
    peer = origin.proxy or origin
    sock = socket.create_connection((peer.host, peer.port), timeout=seconds_until(deadline))
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if origin.tls is None:
            return SocketStream(sock)
        if origin.proxy is not None:
            sock.sendall(_tunnel_head(origin, origin.proxy))
            answer = b""
            while not _is_whole(answer):
                sock.settimeout(seconds_until(deadline))
                if not (data := sock.recv(_ANSWER_BYTES_MAX)):
                    break
                answer += data
            _check_tunnel(origin.proxy, answer)
        sock.settimeout(seconds_until(deadline))
        return SocketStream(origin.tls.wrap_socket(sock, server_hostname=origin.host))
    except BaseException:
        sock.close()
        raise


_Ends: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect_asyncio(origin: Origin, deadline: float) -> Stream:
    seconds = seconds_until(deadline)
    peer = origin.proxy or origin
    opening: Coroutine[Any, Any, _Ends]
    if origin.tls is not None and origin.proxy is not None:
        opening = _tunnelled(origin, origin.proxy, origin.tls)
    else:
        opening = asyncio.open_connection(peer.host, peer.port, ssl=origin.tls)
    try:
        reader, writer = await asyncio.wait_for(opening, seconds)
    except asyncio.TimeoutError:
        raise TimeoutError from None
    return AsyncioStream(reader, writer)


async def _tunnelled(origin: Origin, proxy: Proxy, tls: ssl.SSLContext) -> _Ends:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    plain, _ = await loop.create_connection(
        lambda: asyncio.StreamReaderProtocol(reader), proxy.host, proxy.port
    )
    try:
        plain.write(_tunnel_head(origin, proxy))
        answer = b""
        while not _is_whole(answer) and (data := await reader.read(_ANSWER_BYTES_MAX)):
            answer += data
        _check_tunnel(proxy, answer)
        inner = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(inner)
        secured = await loop.start_tls(plain, protocol, tls, server_hostname=origin.host)
        assert secured is not None
        protocol.connection_made(secured)
        return inner, asyncio.StreamWriter(secured, protocol, inner, loop)
    except BaseException:
        plain.abort()
        raise


def _tunnel_head(origin: Origin, proxy: Proxy) -> bytes:
    target = host_and_port(origin.host, origin.port)
    lines = [f"CONNECT {target} HTTP/1.1", f"host: {target}"]
    if proxy.authorization is not None:
        lines.append(f"proxy-authorization: {proxy.authorization}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _is_whole(answer: bytes) -> bool:
    return b"\r\n\r\n" in answer or len(answer) > _ANSWER_BYTES_MAX


def _check_tunnel(proxy: Proxy, answer: bytes) -> None:
    line = answer.partition(b"\r\n")[0].decode("latin-1")
    version, _, after = line.partition(" ")
    status, _, reason = after.partition(" ")
    if not version.startswith("HTTP/1.") or not (status.isascii() and status.isdigit() and len(status) == 3):
        raise ConnectionError(f"the proxy {proxy} does not speak HTTP")
    if not status.startswith("2"):
        raise TunnelRefusedError(proxy, int(status), reason[:100])
