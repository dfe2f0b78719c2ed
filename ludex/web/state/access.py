"""Access keys: whoever holds one may do what it grants."""

import socket
from typing import NamedTuple

from starlette.requests import HTTPConnection

from ludex.io.keys import key_hash

LOCAL = ("localhost", "127.0.0.1", "::1")
PARAMETER = "access"  # the key in an address, which a browser swaps for a cookie at once


def is_local(host: str) -> bool:
    """Return whether a server at this host can be reached from its own machine only."""
    return host in LOCAL or host.removeprefix("::ffff:").startswith("127.")


def is_on_server(request: HTTPConnection | None) -> bool:
    """Return whether a request comes from a browser on the server's own machine.

    Its address has to be local too: a proxy on this machine passes on the requests of others.
    """
    if request is None or request.client is None:
        return False
    return is_local(request.client.host) and is_local(request.url.hostname or "")


class Access(NamedTuple):
    """Who may come in: those with the key, if there is one, under these names of the server."""

    key: str = ""
    names: frozenset[str] = frozenset({"localhost"})
    local: bool = True
    """Whether only this machine reaches the server."""
    hosts: tuple[str, ...] = ()
    """The names and addresses at which others find the server, the best first."""

    @classmethod
    def at(cls, host: str, key: str, names: tuple[str, ...], *hosts: str) -> "Access":
        """Return the access to a server that listens at a host, and is found by others at some."""
        own = socket.gethostname().lower()
        known = {"localhost", own, own.partition(".")[0], f"{own}.local", host, *names}
        return cls(key, frozenset(one.lower() for one in known), is_local(host), hosts)


class Visitor(NamedTuple):
    """Whoever asks for something: the key of a browser, and whether it is on the server's machine.

    The latter is the host, who may do everything.
    """

    key: str = ""
    on_server: bool = False
    address: str = ""

    @property
    def name(self) -> str:
        """What tells visitors apart: a hash of the key, or else the address; empty for the host."""
        if self.on_server:
            return ""
        return key_hash(self.key) if self.key else self.address

    @classmethod
    def of(cls, request: HTTPConnection | None) -> "Visitor":
        """Return whoever sends a request, whose key is not known."""
        client = request.client if request is not None else None
        return cls(on_server=is_on_server(request), address=client.host if client else "")


HOST = Visitor(on_server=True)
