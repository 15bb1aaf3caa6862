"""Where requests go: an origin, and the proxy on the way to it."""

from __future__ import annotations

import base64
import ipaddress
import re
import ssl
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment


@dataclass(frozen=True, repr=False)
class Proxy:
    host: str
    port: int
    authorization: str | None
    """The value of `proxy-authorization`, from the user info of its URL."""

    def __str__(self) -> str:
        return host_and_port(self.host, self.port)


@dataclass(frozen=True)
class Origin:
    host: str
    port: int
    tls: ssl.SSLContext | None
    proxy: Proxy | None = None

    def __str__(self) -> str:
        default = 80 if self.tls is None else 443
        return host_and_port(self.host, None if self.port == default else self.port)


def host_and_port(host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host
    return name if port is None else f"{name}:{port}"


class Proxies:
    """Chooses the proxy for each origin: the one of the option, or else what the environment names, as curl reads it."""

    def __init__(self, proxy: str | None) -> None:
        self._direct: list[str] = []
        if proxy is not None:
            # An empty one is none, whatever the environment says.
            one = _proxy_of("proxy", proxy) if proxy else None
            self._by_scheme = {"http": one, "https": one}
            return
        named = getproxies_environment()
        self._direct = [name for name in re.split(r"[,\s]+", named.get("no", "").lower()) if name]
        self._by_scheme = {
            scheme: _proxy_of(f"{scheme.upper()}_PROXY", url) if url else None
            for scheme in ("http", "https")
            for url in [named.get(scheme) or named.get("all")]
        }

    def on_way_to(self, scheme: str, host: str, port: int) -> Proxy | None:
        if any(_names(entry, host.lower().rstrip("."), port) for entry in self._direct):
            return None
        return self._by_scheme[scheme]


def _proxy_of(name: str, url: str) -> Proxy:
    try:
        parts = urlsplit(url.strip() if "://" in url else f"http://{url.strip()}")
        port = parts.port or 80
    except ValueError:
        parts, port = urlsplit(""), 0
    if parts.scheme != "http" or not parts.hostname:
        # Its user info stays unsaid.
        raise ValueError(f"{name} must be an http URL, such as http://user:password@proxy.example.com:3128")
    if parts.username is None:
        return Proxy(parts.hostname, port, None)
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Proxy(parts.hostname, port, f"Basic {base64.b64encode(pair.encode()).decode()}")


def _names(entry: str, host: str, port: int) -> bool:
    """Whether an entry of `NO_PROXY` is about this host: `*`, a domain, an address, a network, each with or without port."""
    if entry == "*":
        return True
    found = re.fullmatch(r"(\[[^\]]*\]|[^:]*):(\d+)", entry)
    if found is not None:
        entry = found[1]
        if int(found[2]) != port:
            return False
    entry = entry.strip("[]")
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        domain = entry.removeprefix("*").strip(".")
        return domain != "" and (host == domain or host.endswith(f".{domain}"))
    try:
        return address in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False
