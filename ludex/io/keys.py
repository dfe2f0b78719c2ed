"""Random keys: whoever holds one may do what it grants."""

import hashlib
import hmac
import secrets


class Refused(ValueError):
    """The action is not possible now, or not permitted."""


def new_key(size: int = 12) -> str:
    """Return a new random key of so many bytes, as letters and digits for an address."""
    return secrets.token_urlsafe(size)


def key_matches(key: str, given: str) -> bool:
    """Compare keys in constant time."""
    return hmac.compare_digest(key.encode(), given.encode())


def key_hash(key: str) -> str:
    """Return the hash of a random key, to store in its place."""
    return hashlib.sha256(key.encode()).hexdigest()
