"""A server that answers as a test says."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Answering = Callable[["Asked"], None]

CERTIFICATE = str(Path(__file__).with_name("localhost.pem"))
"""A certificate and its key, made for these tests and of use for nothing else."""


@dataclass
class Received:
    """What a request was."""

    path: str
    headers: Message
    body: str
    peer: int
    """The port that it came from, one for each connection."""


class Asked(BaseHTTPRequestHandler):
    """One request, and the way to answer it."""

    protocol_version = "HTTP/1.1"

    def do(self) -> None:
        server = self.server
        assert isinstance(server, RawServer)
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        with server.lock:
            server.received.append(Received(self.path, self.headers, body, self.client_address[1]))
            server.peers.add(self.client_address[1])
            answer = server.answers[min(len(server.received), len(server.answers)) - 1]
        answer(self)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_CONNECT = do

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def give(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class RawServer(ThreadingHTTPServer):
    """Meets the requests one after the other; what is too many is met as the last."""

    daemon_threads = True

    def __init__(self, *answers: Answering, tls: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.answers = answers
        self.received: list[Received] = []
        self.peers: set[int] = set()
        """The ports that requests came from: one for each connection."""
        self.lock = threading.Lock()
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.server_address[1]}"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> RawServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


def answer(status: int, body: Any, **headers: str) -> Answering:
    return lambda asked: asked.give(status, json.dumps(body).encode(), **headers)


def execution(status: str) -> Answering:
    return answer(200, {"execution_id": "e-1", "status": status, "request_id": "req_1"})


def itself(asked: Asked) -> None:
    """The execution that was asked for."""
    answer(200, {"execution_id": asked.path.split("/")[-1].split("?")[0], "status": "running"})(asked)


def refusal(status: int, code: str) -> Answering:
    return answer(status, {"error": {"code": code, "message": code, "request_id": "req_2"}})


def file(data: bytes) -> Answering:
    return lambda asked: asked.give(200, data, content_type="text/plain")


def redirect(location: str) -> Answering:
    return lambda asked: asked.give(302, b"", location=location)


def break_off(asked: Asked) -> None:
    asked.send_response(200)
    asked.send_header("content-length", "9")
    asked.end_headers()
    asked.wfile.write(b"a rep")
    asked.close_connection = True


def in_chunks(asked: Asked) -> None:
    """After an interim answer, with an extension of a chunk and a trailer."""
    asked.wfile.write(b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")
    asked.send_response(200)
    asked.send_header("transfer-encoding", "chunked")
    asked.end_headers()
    asked.wfile.write(b'5;a=b\r\n{"sta\r\n')
    asked.wfile.write(b'10\r\ntus": "running"}\r\n0\r\nx-sum: 1\r\n\r\n')


def until_the_end(asked: Asked) -> None:
    """Without saying how long it is."""
    asked.send_response(200)
    asked.end_headers()
    asked.wfile.write(b'{"status": "running"}')
    asked.close_connection = True


def tunnel(asked: Asked) -> None:
    """As a proxy opens one, to the host that it was asked for."""
    host, port = asked.path.rsplit(":", 1)
    with socket.create_connection((host, int(port))) as beyond:
        asked.send_response(200)
        asked.end_headers()
        back = threading.Thread(target=_pass_on, args=(beyond, asked.connection), daemon=True)
        back.start()
        _pass_on(asked.connection, beyond)
        back.join()
    asked.close_connection = True


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def silence(asked: Asked) -> None:
    threading.Event().wait(60)
