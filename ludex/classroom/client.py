"""Hand in over HTTP to a class that is served elsewhere."""

import json
import secrets
import urllib.error
import urllib.request
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPException, InvalidURL
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ludex.classroom.package import read_upload
from ludex.core.termination import shorten
from ludex.io.keys import Refused

PROGRAMS = "/api/class/programs"
SECONDS = 60.0  # until a server must have answered


def read_link(text: str) -> tuple[str, str]:
    """Return the address of a server and the token, from a link or from the address alone."""
    parts = urlsplit(text)
    place, token = parts.path.rstrip("/"), parts.fragment
    for page in ("/class/enter", "/class"):
        place = place.removesuffix(page)
    return f"{parts.scheme}://{parts.netloc}{place}", token


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
            text = answer.read()
    except urllib.error.HTTPError as error:
        raise Refused(refusal(error)) from None
    except (OSError, ValueError, InvalidURL) as error:
        why = getattr(error, "reason", error)  # an OSError within a URLError says more
        words = shorten(str(getattr(why, "strerror", None) or why))
        raise ValueError(f"{server_of(url)} does not answer: {words}") from None
    except HTTPException as error:
        words = shorten(str(error))
        raise ValueError(f"{server_of(url)} does not answer in HTTP: {words}") from None
    with suppress(ValueError):
        said = json.loads(text)
        if isinstance(said, dict):
            return said
    raise ValueError(f"{server_of(url)} is no server of a class")


def server_of(url: str) -> str:
    """Return the scheme and the host of a URL."""
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


def refusal(error: urllib.error.HTTPError) -> str:
    """Return the reason with which a server refuses."""
    try:
        said = json.loads(error.read())
        return shorten(str(said["error"]))
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        words = f"the server answers {error.code} {error.reason}"
        return f"{words}; is it that of a class?" if error.code == HTTPStatus.NOT_FOUND else words
