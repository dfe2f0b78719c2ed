"""Links between the pages of a class; all names in them are escaped."""

import html

from ludex.web.parts import layout


def program_address(program: int) -> str:
    """Return the address of a program."""
    return f"/class/program/{program}"


def program_link(program: int, name: str, house: bool = False) -> str:
    """Return a link to a program, with a mark if it is a house agent."""
    mark = ' <span class="lx-badge">house</span>' if house else ""
    return f'<a href="{program_address(program)}">{html.escape(name)}</a>{mark}'


def match_address(job: int, number: int, ply: int | None = None) -> str:
    """Return the address of a match, perhaps of one of its positions."""
    return layout.address(f"/class/match/{job}/{number}", ply="" if ply is None else str(ply))
