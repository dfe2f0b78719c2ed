"""Coming in and leaving: a token is swapped for a session, whose key is in a cookie."""

import asyncio
from http import HTTPStatus

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, Field

from ludex.classroom.sessions import SECONDS, log_in, log_out
from ludex.web.classroom.desk import LONGEST, Desk, address_of, session_cookie, session_key
from ludex.web.classroom.gate import ENTER, TOO_OFTEN, refuse
from ludex.web.rest.notice import notice

# The token is behind the # of a link, which browsers send to no server; here it leaves the address.
FORM = """<p>Open the link that you were given, or paste it here.</p>
<form id="enter">
<input name="token" type="password" aria-label="link or token" autocomplete="off" required>
<button>Enter</button></form>
<p id="why" role="alert"></p>
<noscript><p>This page needs JavaScript.</p></noscript>
<script>
const form = document.getElementById("enter"), why = document.getElementById("why");
async function enter(token) {
  const answer = await fetch("/class/enter", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  }).catch(() => null);
  if (answer?.ok) return location.replace("/class");
  const said = await answer?.json().catch(() => null);
  why.textContent = said?.error ?? "The server does not answer.";
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(form.elements.token.value.trim().split("#").pop());
});
function useLink() {
  if (location.hash.length < 2) return false;
  const token = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  enter(token);
  return true;
}
// A link that is pasted while this page is open changes the # alone, and loads nothing.
addEventListener("hashchange", useLink);
if (!useLink()) {
  // After a link from another site the browser has sent no cookie, but it may have one.
  fetch("/class/enter/known").then((answer) => answer.ok && location.replace("/class"));
}
</script>"""
WRONG = "this token is nobody's; ask for a new link"


class Entry(BaseModel):
    """Somebody who wants to come in."""

    token: str = Field(max_length=LONGEST)


def make_entry(desk: Desk) -> APIRouter:
    """Return the addresses for coming in and leaving."""
    router = APIRouter()

    @router.get(ENTER)
    def show_form() -> HTMLResponse:
        return notice("The class", FORM, HTTPStatus.OK, Cache_Control="no-store")

    @router.post(ENTER)
    async def enter(entry: Entry, request: Request) -> Response:
        here = address_of(request.scope)
        # The gate has counted a stranger; a session gives no more tries.
        if request.state.visitor.person is not None and not desk.strangers.take(here):
            return refuse(request, HTTPStatus.TOO_MANY_REQUESTS, TOO_OFTEN)
        found = await asyncio.to_thread(log_in, desk.classroom, entry.token.strip())
        if found is None:
            if not desk.failures.take(here):
                return refuse(request, HTTPStatus.TOO_MANY_REQUESTS, TOO_OFTEN)
            return refuse(request, HTTPStatus.FORBIDDEN, WRONG)
        person, key = found
        if before := session_key(request):
            await asyncio.to_thread(log_out, desk.classroom, before)
            desk.forget_people()
        answer = JSONResponse({"name": person.name, "role": person.role})
        answer.set_cookie(
            session_cookie(request),
            key,
            int(SECONDS),
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer

    @router.get(f"{ENTER}/known")
    def known(request: Request) -> Response:
        inside = request.state.visitor.person is not None
        return Response(status_code=HTTPStatus.OK if inside else HTTPStatus.UNAUTHORIZED)

    @router.post("/class/leave")
    async def leave(request: Request) -> Response:
        if key := session_key(request):
            await asyncio.to_thread(log_out, desk.classroom, key)
            desk.forget_people()
        answer = RedirectResponse(ENTER, HTTPStatus.SEE_OTHER)
        answer.delete_cookie(session_cookie(request), httponly=True, samesite="strict")
        return answer

    return router
