"""Questions that a page asks before it goes on."""

from nicegui import ui

from ludex.web.parts import layout


async def ask(question: str, words: str, *answers: str) -> str:
    """Ask a question, and return the answer chosen; empty if it was cancelled."""
    with ui.dialog() as dialog, ui.card():
        layout.heading(question, 2)
        ui.label(words)
        add_answers(dialog, *answers)
    return str(await result_of(dialog) or "")


async def ask_text(question: str, label: str, value: str, answer: str) -> str:
    """Ask for a text, and return it; empty if the question was cancelled."""
    with ui.dialog() as dialog, ui.card():
        layout.heading(question, 2)
        field = ui.input(label, value=value).props("outlined dense autofocus")
        field.on("keydown.enter", lambda: dialog.submit(answer))
        add_answers(dialog, answer)
    return str(field.value or "").strip() if await result_of(dialog) else ""


async def result_of(dialog: ui.dialog) -> str | None:
    """Open a dialog, and remove it once it is answered."""
    answer: str | None = await dialog
    dialog.delete()
    return answer


def add_answers(dialog: ui.dialog, *answers: str) -> None:
    """Add a button for each answer, and one to cancel."""
    with layout.row("0.4rem"):
        for answer in answers:
            add = layout.secondary if answer != answers[0] else layout.primary
            add(answer, lambda one=answer: dialog.submit(one))
        layout.secondary("Cancel", dialog.close)
