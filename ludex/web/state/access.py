"""Access keys: whoever holds one may do what it grants."""

import hmac
import secrets


class Refused(ValueError):
    """What somebody wanted is not possible as things are, or not for them."""


def new_key() -> str:
    """Return a key that nobody guesses."""
    return secrets.token_urlsafe(12)


def key_matches(key: str, given: str) -> bool:
    """Return whether the key that was given is the right one."""
    return hmac.compare_digest(key.encode(), given.encode())
