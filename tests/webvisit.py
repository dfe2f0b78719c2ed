"""A visitor of the web lab without a browser, for tests: NiceGUI's simulated user and a hall."""

import asyncio
import ctypes
import functools
import gc
import html
import os
import re
import sys
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from coverage import Coverage
from nicegui import background_tasks, ui
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction
from nicegui.testing.user_simulation import user_simulation
from numba.core import config

from ludex.web import app
from ludex.web.parts import live_view
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import ServerState
from ludex.web.state.workers import Workers

PATIENCE = 600  # tries to see something, on a machine that does much else
STORED = re.compile(r"localStorage(\[|\.getItem)")
"""Begins a script that asks the browser for what it has stored; a visitor's has stored nothing."""
Story = Callable[[User, ServerState], Awaitable[None]]


def visit(story: Story, folder: Path, games: tuple[str, ...] = ()) -> None:
    """Let a story happen in a hall of its own, whose work is done by threads."""

    async def in_hall(user: User) -> None:
        server = ServerState(Catalogue(games), Workers(0), folder)
        app.register(server)
        try:
            await story(user, server)
        finally:
            await finish_navigation()
            await server.archive.drain()
            server.close()
            end_tasks(server.workers)
            await asyncio.sleep(0)

    simulate(in_hall)


def simulate(story: Callable[[User], Awaitable[None]]) -> None:
    """Let a story happen to a visitor."""

    async def run() -> Exception | None:
        # The simulation ends well only if nothing is raised in it.
        async with user_simulation() as user:
            gc.freeze()  # what is left of other stories is not searched for garbage again
            for name in ("should_see", "should_not_see"):  # each try waits for a tenth of a second
                setattr(user, name, functools.partial(getattr(user, name), retries=PATIENCE))
            user.javascript_rules[STORED] = lambda _: ""
            try:
                await story(user)
            except Exception as error:
                return error
        return None

    before = dict(sys.modules)
    forget_tasks()
    live_view.SETTLING = 0.0  # no board moves
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        fault = asyncio.run(run())
    sys.modules.update(before)  # the simulation forgets modules, and a second copy would differ
    os.environ.pop("NICEGUI_USER_SIMULATION", None)
    if fault is not None:
        raise fault


async def finish_navigation() -> None:
    """Let the pages open that a story has gone to: half of one would leave a warning behind."""
    if tasks := [one for one in background_tasks.running_tasks if "navigate" in one.get_name()]:
        await asyncio.wait(tasks)


def forget_tasks() -> None:
    """Forget the tasks of earlier loops, which are closed: NiceGUI would wait for them forever.

    Such a task was begun while its loop was closing, and has not run at all. Its coroutine, and one
    that it was given to await, would warn that nobody has awaited them.
    """
    for task in {*background_tasks.running_tasks, *background_tasks.lazy_tasks_running.values()}:
        work: Any = task.get_coro()
        given = work.cr_frame.f_locals.values() if work.cr_frame else ()
        for one in (*filter(asyncio.iscoroutine, given), work):
            one.close()
    background_tasks.running_tasks.clear()
    background_tasks.lazy_tasks_running.clear()


class Ended(BaseException):
    """A thread is ended; unlike a SystemExit, the loop that waits for its result goes on."""


def end_tasks(workers: Workers) -> None:
    """End what the threads of a closed hall still do, as the processes of a real one are ended.

    Without the compiler they would go on for minutes, while other tests run. Where coverage is
    measured, they may: one that is ended could hold a lock of the measurement.
    """
    if not config.DISABLE_JIT or Coverage.current() is not None:
        return
    for thread in workers.threads._threads:
        thread.join(0.05)  # one that has nothing to do ends by itself
        if thread.ident is not None and thread.is_alive():
            ended = ctypes.py_object(Ended)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ended)


def in_server(
    story: Callable[[ServerState], Awaitable[None]], folder: Path, games: tuple[str, ...] = ()
) -> None:
    """Let a story happen in a hall without pages, whose work is done by threads."""

    async def run() -> None:
        server = ServerState(Catalogue(games), Workers(0), folder)
        try:
            await story(server)
        finally:
            await server.archive.drain()
            server.close()
            end_tasks(server.workers)

    asyncio.run(run())


async def error_response(user: User, path: str, said: str, status: int = 404) -> None:
    """Open a page that cannot be: it says why, and its status too."""
    answer = await user.http_client.get(path)
    assert answer.status_code == status
    assert said in html.unescape(answer.text).replace("\\u0027", "'")


async def until(claim: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until something is so."""
    for _ in range(int(seconds / 0.02)):
        if claim():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come to that")


def field(user: User, name: str, kind: Any = ui.input) -> Any:
    """Return the field of a page that has a label."""
    (found,) = [one for one in user.find(kind).elements if one.props.get("label") == name]
    return found


def press(user: User, name: str) -> None:
    """Press the button of a name, for screen readers if it has one of its own."""
    (found,) = [
        one
        for one in user.find(ui.button).elements
        if one.props.get("aria-label", one.text) == name
    ]
    UserInteraction(user, {found}, None).click()


def sit_at_server(user: User) -> None:
    """Let the visitor's browser be on the server's own machine."""
    user.http_client.base_url = "http://localhost"
