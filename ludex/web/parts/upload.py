"""A file that a visitor opens: small, of any name, and never stored."""

import re
from collections.abc import Awaitable, Callable

from nicegui import events, ui

from ludex.web.parts.layout import secondary, show_error
from ludex.web.state import limits

OnFile = Callable[[str, bytes], Awaitable[None]]
"""What is done with a file: it gets its name, which is a plain one, and its bytes."""


def file_button(text: str, on_file: OnFile) -> ui.button:
    """Return a button that asks for a file; only its size can be refused here."""

    async def on_upload(event: events.UploadEventArguments) -> None:
        content = await event.file.read()
        upload.reset()  # or the browser would not send the same file again
        await on_file(safe_name(event.file.name), content)

    size = f"that file is too large: expected at most {limits.BODY // 1024} KiB"
    upload = ui.upload(
        on_upload=on_upload,
        on_rejected=lambda: show_error(size),
        max_file_size=limits.BODY,
        auto_upload=True,
    ).style("display: none")
    return secondary(text, lambda: upload.run_method("pickFiles"), "upload_file")


def safe_name(name: str) -> str:
    """Return the name of a file without folders and without anything that is not plain."""
    kept = re.sub(r"[^\w.+-]", "_", name.replace("\\", "/").rpartition("/")[2])
    return kept[-60:].lstrip(".") or "file"


def decode_text(name: str, content: bytes) -> str:
    """Return what a file says; a ValueError tells that it is no text."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not a text file") from error
