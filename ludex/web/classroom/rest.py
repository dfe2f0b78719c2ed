"""The REST API of a class: programs are handed in, by the page or by `ludex class submit`."""

import asyncio
import io
import zipfile
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from ludex.classroom.client import PROGRAMS
from ludex.classroom.people import Person
from ludex.classroom.programs import check_quota, check_result, find_program, hand_in
from ludex.web.classroom.desk import Desk
from ludex.web.classroom.rights import HAND_IN
from ludex.web.parts.upload import safe_name
from ludex.web.state.public_text import hide_paths

Upload = tuple[str, bytes]
"""A file name, perhaps with folders, and the content."""


def make_rest(desk: Desk) -> APIRouter:
    """Return the addresses at which programs are handed in."""
    router = APIRouter()

    @router.post(PROGRAMS)
    async def post_program(request: Request) -> JSONResponse:
        person = person_of(desk, request)
        await asyncio.to_thread(check_quota, desk.classroom, person)
        name, data = one_file(await uploads(request, desk.classroom.settings.files))
        made = await asyncio.to_thread(hand_in, desk.classroom, person, name, data)
        said = {"person": person.name, "program": made.id, "name": made.name, "state": made.state}
        return JSONResponse(said, HTTPStatus.CREATED)

    @router.get(PROGRAMS + "/{number}")
    async def get_program(number: int, request: Request) -> dict[str, Any]:
        return await asyncio.to_thread(describe, desk, person_of(desk, request), number)

    return router


def person_of(desk: Desk, request: Request) -> Person:
    """Return who sends a request, and may hand in."""
    person: Person | None = request.state.visitor.person
    desk.require(person, HAND_IN)
    assert person is not None
    return person


def describe(desk: Desk, person: Person, number: int) -> dict[str, Any]:
    """Return what the owner of a program may know of it."""
    program = find_program(desk.classroom, number)
    found = check_result(desk.classroom, program, person)
    said = {"program": program.id, "name": program.name, "state": found.state}
    return {**said, "reason": hide_paths(found.reason), "output": hide_paths(found.output)}


async def uploads(request: Request, files: int) -> list[Upload]:
    """Return the files of a form; a ValueError says that there is none."""
    try:
        async with request.form(max_files=files, max_fields=1) as form:
            given = [one for one in form.getlist("file") if isinstance(one, UploadFile)]
            found = [(one.filename or "", await one.read()) for one in given]
    except HTTPException as error:
        if error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise
        raise ValueError(f"expected a form with at most {files} files") from error
    if not found:
        raise ValueError("expected a file in the field 'file' of a form")
    return found


def one_file(given: Sequence[Upload]) -> Upload:
    """Return the only file, or a folder as one zip; its names are checked where it is unpacked."""
    if len(given) == 1 and "/" not in given[0][0]:
        return safe_name(given[0][0]), given[0][1]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in given:
            packed.writestr(name, data)
    return "folder.zip", stream.getvalue()
