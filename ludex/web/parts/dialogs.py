"""Questions that a page asks before it goes on."""

from collections.abc import Callable
from contextlib import suppress

from nicegui import ui

from ludex.web.parts import layout
from ludex.web.parts.field_errors import FieldError, errors_below


async def ask(question: str, words: str, *answers: str, no: str = "Cancel") -> str:
    """Ask a question, and return the answer chosen; empty if that was none."""
    with new_dialog() as dialog, ui.card():
        layout.heading(question, 2)
        ui.label(words)
        add_answers(dialog, *answers, no=no)
    return str(await result_of(dialog) or "")


async def ask_text(
    question: str, label: str, value: str, answer: str, take: Callable[[str], None]
) -> bool:
    """Ask for a text until one is taken or the question is cancelled; return whether one was.

    A ValueError of `take` is shown at the field.
    """

    def submit() -> None:
        with suppress(FieldError), errors_below(field):
            take(str(field.value or "").strip())
            dialog.submit(answer)

    with new_dialog() as dialog, ui.card():
        layout.heading(question, 2)
        field = ui.input(label, value=value).props("outlined dense autofocus")
        field.style("width: 22rem; max-width: 100%")  # a label of an example is read whole
        field.on("keydown.enter", submit)
        add_answers(dialog, answer, act=submit)
    return bool(await result_of(dialog))


def new_dialog() -> ui.dialog:
    """Return a dialog of the whole page: the list with the button that asks may be made anew."""
    with ui.context.client.content:
        return ui.dialog()


async def result_of(dialog: ui.dialog) -> str | None:
    """Open a dialog, and remove it once it is answered; None if its page is left meanwhile."""
    answer: str | None = await dialog
    if dialog.is_deleted:
        return None
    dialog.delete()
    return answer


def add_answers(
    dialog: ui.dialog, *answers: str, act: Callable[[], None] | None = None, no: str = "Cancel"
) -> None:
    """Add a button for each answer, which does something or submits it, and one for none."""
    with layout.row("0.4rem"):
        for answer in answers:
            add = layout.secondary if answer != answers[0] else layout.primary
            add(answer, act or (lambda one=answer: dialog.submit(one)))
        layout.secondary(no, dialog.close)
