"""Hand in over HTTP to a class that is served elsewhere."""

import json
import secrets
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from ludex.classroom.package import read_upload
from ludex.core.termination import shorten
from ludex.io.keys import Refused

PROGRAMS = "/api/class/programs"
SECONDS = 60.0  # until a server must have answered


def submit(address: str, token: str, path: Path) -> dict[str, Any]:
    """Hand in a file or folder, and return what the server says of it."""
    name, data = read_upload(path)
    boundary = secrets.token_hex(16)
    safe = name.encode("ascii", "replace").decode().replace('"', "_").replace("\n", "_")
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{safe}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head.encode() + data + f"\r\n--{boundary}--\r\n".encode()
    kind = f"multipart/form-data; boundary={boundary}"
    return ask(f"{address.rstrip('/')}{PROGRAMS}", token, body, {"Content-Type": kind})


def program_state(address: str, token: str, program: int) -> dict[str, Any]:
    """Return what the server says of a program that was handed in."""
    return ask(f"{address.rstrip('/')}{PROGRAMS}/{program}", token)


def ask(
    url: str, token: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> dict[str, Any]:
    """Return the JSON object with which a server answers; a ValueError says why there is none."""
    given = {"Authorization": f"Bearer {token}", **(headers or {})}
    request = urllib.request.Request(url, body, given)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            said = json.loads(answer.read())
    except urllib.error.HTTPError as error:
        raise Refused(refusal(error)) from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{url}: no answer ({shorten(str(error))})") from None
    if not isinstance(said, dict):
        raise ValueError(f"{url}: expected a JSON object")
    return said


def refusal(error: urllib.error.HTTPError) -> str:
    """Return the reason with which a server refuses."""
    try:
        said = json.loads(error.read())
        return shorten(str(said["error"]))
    except (OSError, ValueError, KeyError, TypeError):
        return f"the server answers {error.code} {error.reason}"
