"""Files for instructors: the table of the class, marks, and the bundle of a final."""

import asyncio
import json
import tempfile
from pathlib import Path

from fastapi import APIRouter, Request, Response

from ludex.classroom.bundle import write_bundle
from ludex.classroom.classroom import Classroom
from ludex.classroom.finals import find_final
from ludex.classroom.results import class_csv, gradescope_results
from ludex.web.classroom.desk import Desk
from ludex.web.classroom.rights import INSTRUCT

FILES = "/class/files"


def make_downloads(desk: Desk) -> APIRouter:
    """Return the addresses of the files."""
    router = APIRouter()

    @router.get(f"{FILES}/class.csv")
    async def table(request: Request) -> Response:
        desk.require(request.state.visitor.person, INSTRUCT)
        text = await asyncio.to_thread(class_csv, desk.classroom)
        return file("class.csv", text.encode(), "text/csv")

    @router.get(f"{FILES}/gradescope.json")
    async def marks(request: Request) -> Response:
        desk.require(request.state.visitor.person, INSTRUCT)
        found = await asyncio.to_thread(gradescope_results, desk.classroom)
        return file("gradescope.json", json.dumps(found, indent=1).encode(), "application/json")

    @router.get(f"{FILES}/final/{{number}}")
    async def bundle(number: int, request: Request) -> Response:
        desk.require(request.state.visitor.person, INSTRUCT)
        data = await asyncio.to_thread(bundle_of, desk.classroom, number)
        return file(f"final-{number}.zip", data, "application/zip")

    return router


def bundle_of(classroom: Classroom, number: int) -> bytes:
    """Return the bundle of a final."""
    with tempfile.TemporaryDirectory(prefix="ludex-") as folder:
        path = Path(folder) / "final.zip"
        write_bundle(classroom, find_final(classroom, number), path)
        return path.read_bytes()


def file(name: str, data: bytes, kind: str) -> Response:
    """Return a file to be saved, and to be kept by no cache."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, media_type=kind, headers=headers)
