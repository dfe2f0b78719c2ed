"""The pages of a class."""

import uvicorn
from fastapi import FastAPI

from ludex.classroom.classroom import Classroom
from ludex.web.state import limits


def make_class_app(classroom: Classroom, names: tuple[str, ...] = ()) -> FastAPI:
    """Return the web application of a class, which answers to these host names, too."""
    app = FastAPI(title=classroom.name, docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/health")
    def health() -> dict[str, str]:
        return {"class": classroom.name}

    return app


def serve_class(classroom: Classroom, host: str, port: int, names: tuple[str, ...] = ()) -> None:
    """Serve the pages of a class until it is interrupted."""
    app = make_class_app(classroom, names)
    most = limits.CONNECTIONS
    uvicorn.run(app, host=host, port=port, log_level="warning", limit_concurrency=most)
