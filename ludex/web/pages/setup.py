"""Set up a match: players, rules, and position."""

from contextlib import suppress

from nicegui import ui

from ludex.agents.registry import HUMAN, default_agent
from ludex.core.rules import OVER, imperfect_information, scene, seat_name, seats, title, turn
from ludex.core.scene import Scene, without_offers
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.board import Board
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.field_errors import FieldError, errors_below, field_errors_shown
from ludex.web.parts.manual import manual
from ludex.web.parts.match_controls import GUEST, YOU
from ludex.web.parts.rules_form import RulesForm
from ludex.web.parts.seat_link import offer_latest_seat
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import ServerState

FORMER_GUEST = "a person by link"  # in addresses that were made before
PEOPLE = (YOU, GUEST, FORMER_GUEST)
HELP = (
    "Play against an agent or yourself, or invite a friend by a link."
    " You can also type any agent, such as {}."
)
EXAMPLE, HIDDEN_EXAMPLE = "mcts:sims=2000", "ismcts:sims=2000"


class SetupPage(GamePage):
    """The form, with a picture of the starting position."""

    path = "/play"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        self.reader = BrowserReader(server)
        rules = self.rules
        self.against = current_name(query.get("against", ""))
        who = query.get("who", "")
        self.who = [current_name(one) for one in who.split("|")] if who else []
        position = query.get("position", "")
        self.state = server.parse_position(rules, position)
        self.choices: list[AgentField] = []
        with layout.frame(f"Play {title(rules)}"):
            with layout.div("lx-title"):
                layout.heading(title(rules))
            offer_latest_seat(server.matches, self.game)
            with layout.div("lx-play"):
                with layout.div():
                    self.board = Board(self.picture(), "The first position")
                    self.board.set_inactive(True)
                with layout.div("lx-side"):
                    with layout.sheet():
                        layout.heading("Who plays", 2)
                        self.seats_box = layout.div("lx-form")
                        # Above the button: what is below it is off the screen of a phone.
                        self.wait = layout.note().classes("lx-wait").props('role="status"')
                        with layout.row("1.1rem"):
                            button = layout.primary("Start the match", self.start, "play_arrow")
                            self.button = button.props("autofocus")
                    self.manual = layout.div().style("margin-top: 1rem")
                with layout.div("lx-below"), layout.sheet():
                    layout.heading("Rules and clock", 2)
                    self.rule_form(position, query.get("limit", ""))
        self.seat_form()
        self.show_manual()

    def picture(self) -> Scene:
        """Return the scene of the starting position, without choices."""
        return without_offers(scene(self.rules, self.state))

    def show_manual(self) -> None:
        """Show how to play by the current rules."""
        self.manual.clear()
        with self.manual:
            manual(self.rules, self.game)

    def seat_form(self) -> None:
        """Add a field for each seat."""
        self.seats_box.clear()
        self.choices = []
        offered = {YOU: "you, on this screen", GUEST: GUEST, **agents_for(self.rules)}
        offered |= {text: text for text in self.server.own_agents(self.game)}
        usual = self.against or default_agent(self.rules)
        with self.seats_box:
            for seat in range(seats(self.rules)):
                who = dict(enumerate(self.who)).get(seat, usual if seat else YOU)
                name = seat_name(self.rules, seat)
                self.choices.append(AgentField(offered, who, name, check=self.check_player))
            hides = imperfect_information(self.rules)
            layout.note(HELP.format(HIDDEN_EXAMPLE if hides else EXAMPLE))

    def check_player(self, text: str) -> None:
        """Raise a ValueError if nobody of this name can play."""
        if text not in PEOPLE:
            self.server.check_agent(self.rules, text)

    def rule_form(self, position: str, limit: str) -> None:
        """Add fields for the rules outside tables, the position, and the time limit."""
        with layout.div("lx-form"):
            given = self.server.catalogue, self.game, self.rules
            self.rules_form = RulesForm(*given, on_change=self.refresh)
            clock = ui.input("seconds for a move", value=limit, placeholder="no limit")
            hint = "empty: no clock for people and agents; programs have the game's own"
            self.limit = clock.props(f'outlined dense inputmode="decimal" hint="{hint}"')
            start = ui.input("position", value=position, placeholder="the usual one")
            hint = "as text; leave empty for the usual start"
            self.position = start.props(f'outlined dense hint="{hint}"').classes("lx-mono")
            self.position.on("blur", self.refresh)
        self.add_tables_link()

    def read(self) -> None:
        """Read the form; raise a ValueError for invalid input."""
        self.rules = self.rules_form.read()
        with errors_below(self.position):
            self.state = self.server.parse_position(self.rules, self.position.value)
            if turn(self.rules, self.state) == OVER:
                raise ValueError("in this position the match is over: expected one that goes on")

    def refresh(self) -> None:
        """Show the rules and position that the form describes, or what is wrong with them."""
        with layout.errors_shown(), suppress(FieldError):
            count = seats(self.rules)
            self.read()
            self.keep_in_links()
            self.board.show(self.picture())
            self.show_manual()
            if seats(self.rules) != count:
                self.seat_form()

    async def start(self) -> None:
        """Open a match and go there."""
        chosen = [current_name(choice.text) for choice in self.choices]
        agents = [HUMAN if text in PEOPLE else text for text in chosen]
        yours = {seat for seat, text in enumerate(chosen) if text == YOU}
        with field_errors_shown(), self.reader.reasons_told(), layout.busy(self.button):
            self.read()
            with errors_below(self.limit):
                limit = read_limit(self.limit.value)
            given = self.game, self.rules, agents, yours, self.state, limit
            tell = layout.compiling_note(self.wait)
            opener = await self.reader.opener_with(agents)
            live = await self.server.open_match(*given, tell=tell, opener=opener)
            if HUMAN not in agents:
                ui.navigate.to(f"/watch/match/{live.id}")
            else:
                ui.navigate.to(layout.address(f"/match/{live.id}", key=live.owner))


def read_limit(text: str | None) -> float | None:
    """Return the seconds allowed per move; None if there is no limit."""
    if not text or not text.strip():
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 1.0 <= seconds <= 3600.0:
        raise ValueError(f"seconds for a move: {text[:20]!r}: expected 1 to 3600, or nothing")
    return seconds


def current_name(text: str) -> str:
    """Return the name of a player as the form has it now."""
    return GUEST if text == FORMER_GUEST else text
