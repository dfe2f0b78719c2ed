"""Access keys: whoever holds one may do what it grants."""

import hmac
import secrets
import socket
from typing import NamedTuple

PARAMETER = "access"  # the key in an address, which a browser swaps for a cookie at once


class Access(NamedTuple):
    """Who may come in: those with the key, if there is one, under these names of the server."""

    key: str = ""
    names: frozenset[str] = frozenset({"localhost"})

    @classmethod
    def at(cls, host: str, key: str, names: tuple[str, ...]) -> "Access":
        """Return the access to a server that listens at a host."""
        own = socket.gethostname().lower()
        known = {"localhost", own, own.partition(".")[0], f"{own}.local", host, *names}
        return cls(key, frozenset(one.lower() for one in known))


class Refused(ValueError):
    """The action is not possible now, or not permitted."""


def new_key() -> str:
    """Return a new random key."""
    return secrets.token_urlsafe(12)


def key_matches(key: str, given: str) -> bool:
    """Compare keys in constant time."""
    return hmac.compare_digest(key.encode(), given.encode())
