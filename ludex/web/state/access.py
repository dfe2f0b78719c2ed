"""Access keys: whoever holds one may do what it grants."""

import hmac
import secrets


class Refused(ValueError):
    """The action is not possible now, or not permitted."""


def new_key() -> str:
    """Return a new random key."""
    return secrets.token_urlsafe(12)


def key_matches(key: str, given: str) -> bool:
    """Compare keys in constant time."""
    return hmac.compare_digest(key.encode(), given.encode())
