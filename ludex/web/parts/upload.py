"""Uploads: small files of any name, never stored."""

import re
from collections.abc import Awaitable, Callable

from nicegui import events, ui

from ludex.web.parts import layout
from ludex.web.state import limits

OnFile = Callable[[str, bytes], Awaitable[None]]
"""A callback that receives a sanitized file name and the content."""


def file_button(
    text: str, on_file: OnFile, refuse: Callable[[str], None] = layout.show_error
) -> ui.button:
    """Return a button that uploads a file; only its size is checked, and `refuse` says so."""

    async def on_upload(event: events.UploadEventArguments) -> None:
        content = await event.file.read()
        upload.reset()  # else the browser would not send the same file again
        await on_file(safe_name(event.file.name), content)

    size = f"that file is too large: expected at most {limits.BODY // 1024} KiB"
    upload = ui.upload(
        on_upload=on_upload,
        on_rejected=lambda: refuse(size),
        max_file_size=limits.BODY,
        auto_upload=True,
    ).style("display: none")
    return layout.secondary(text, lambda: upload.run_method("pickFiles"), "upload_file")


def safe_name(name: str) -> str:
    """Return a file name without folders and special characters."""
    kept = re.sub(r"[^\w.+-]", "_", name.replace("\\", "/").rpartition("/")[2])
    return kept[-60:].lstrip(".") or "file"


def decode_text(name: str, content: bytes) -> str:
    """Decode a file as UTF-8; raise a ValueError if it is not text."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not a text file") from error
