"""`ludex classic`: the course programs, as their documents describe them."""

import webbrowser
from typing import Any

import click
import numpy as np

from ludex.cli import console, options, words
from ludex.cli.arena import arena, seed_option
from ludex.cli.console_match import QUIT_WORDS, Quit
from ludex.cli.failures import SHOWN
from ludex.core.termination import Offence
from ludex.external.agent import ExternalAgent
from ludex.external.log import with_caption
from ludex.io.text import many


def prompt(prompt: str) -> str:
    """Read a line; the end of the input quits."""
    try:
        return input(prompt)
    except EOFError:
        raise Quit from None


@click.group()
def classic() -> None:
    """Run a course program as its document describes it.

    \b
    ludex classic nuts
    ludex classic droids KeyboardAgent QAgent 100000 MinimaxAgent
    ludex classic trap ./ab1234_cd5678 hard
    """


classic.add_command(arena)


@classic.command()
@click.option("--part", type=click.IntRange(1, 3), default=3, help="Part of the assignment; 3.")
@click.option("--training", type=click.IntRange(0, 10**7), help="Training matches; 100000.")
@click.option("--hats", is_flag=True, help="Print the hats after every game.")
@seed_option
def nuts(part: int, training: int | None, hats: bool, seed: int) -> None:
    """Play the game of nuts with a friend, a computer or a trained computer.

    Typing hats at any prompt prints what the computer has learned.

    \b
    ludex classic nuts
    ludex classic nuts --part 1
    """
    from ludex.courses.nuts import TRAINING, Dialogue
    from ludex.library.progress import bar

    options.chosen_rules("nuts")
    rng = np.random.default_rng(seed)
    matches = TRAINING if training is None else training
    progress = bar()  # on standard error: the course document defines the output

    def tell(done: int) -> None:
        if not progress.tasks:
            progress.add_task("matches", total=matches)
            progress.start()
        progress.update(progress.tasks[0].id, completed=done)
        if done == matches:
            progress.stop()

    try:
        Dialogue(rng, prompt, click.echo, part, matches, hats, tell).run()
    except Quit:
        click.echo()
    finally:
        progress.stop()


@classic.command()
@click.argument("r2_agent")
@click.argument("q5_agent")
@click.argument("rounds", required=False, type=click.IntRange(0, 10**9), default=0)
@click.argument("trainer", required=False)
@click.option("--file", metavar="R2D2_HW3.PY", help="A file with a student's agents; ours.")
@click.option("--console", "plain", is_flag=True, help="Show the board at the console.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page; any.")
@seed_option
@options.unsafe
def droids(
    r2_agent: str,
    q5_agent: str,
    rounds: int,
    trainer: str | None,
    file: str | None,
    plain: bool,
    port: int,
    seed: int,
) -> None:
    """Train two droids for some rounds, then watch them, or play with the keyboard.

    An agent is QAgent, MinimaxAgent, KeyboardAgent, or any other agent. Space plays the next
    round; with a keyboard agent it shoots, and W, A, S, D and the arrows move.

    \b
    ludex classic droids QAgent MinimaxAgent 100000
    ludex classic droids KeyboardAgent QAgent 100000 MinimaxAgent --file r2d2_hw3.py
    """
    from ludex.courses.droids import Show, make_droid, train

    rules = options.chosen_rules("droids")
    names = (r2_agent, q5_agent)
    agents = [make_droid(name, file, rules, seed + seat) for seat, name in enumerate(names)]
    pupils = [
        make_droid(trainer, file, rules, seed + 2) if agent is None and trainer else agent
        for agent in agents
    ]
    if all(agent is None for agent in agents):
        raise ValueError("one keyboard cannot play both droids: name another agent")
    if rounds and None in pupils:
        raise ValueError("whom does it train against? ludex classic droids R2 Q5 ROUNDS TRAINER")
    try:
        if rounds:
            told = "\rTraining: {} %"
            click.echo(told.format(0), nl=False)
            ready: Any = pupils
            train(rules, ready, rounds, seed, lambda now: click.echo(told.format(now), nl=False))
            click.echo()
        show = Show(agents, rules, seed, click.echo)
        try:
            at_console(show) if plain else in_browser(show, port)
        finally:
            show.close()
    except Offence:  # in the training; in a match another agent takes over
        for agent in pupils:
            if isinstance(agent, ExternalAgent) and agent.log:
                click.echo(f"\n{with_caption(agent.text, agent.log, SHOWN)}")
        raise
    finally:
        for agent in pupils:
            if isinstance(agent, ExternalAgent):
                agent.kill()


def at_console(show: Any) -> None:
    """Show the rounds at the console, one for each line of input."""
    from ludex.core.rules import render
    from ludex.courses.droids import round_text

    click.echo(f"{show.help()} Then Enter; quit leaves.")
    heard = ""  # why the input was rejected
    while True:
        if not heard:
            console.show(render(show.rules, show.match.state, show.match.last_move))
        click.echo(heard or show.words or round_text(show))
        try:
            text = prompt("> ")
        except Quit:
            click.echo()
            return
        if text.strip().lower() in QUIT_WORDS:
            return
        # Without human players Enter continues; a droid shoots only on command.
        heard = show.press(text.strip() or (text and " ") or ("" if show.people else " "))


def in_browser(show: Any, port: int) -> None:
    """Show the rounds in a browser until Ctrl-C."""
    from ludex.courses.droids_page import DroidsServer

    with DroidsServer(show, port) as server:
        click.echo(f"The board is at {server.address} (Ctrl-C ends it)")
        webbrowser.open(server.address)
        server.serve_forever()


@classic.command()
@click.option("--agent", type=words.AGENT, default="random", help="The agent of Blue; random.")
@click.option("--show", "shown", is_flag=True, help="Show one match, move by move.")
@click.option("--matches", type=options.POSITIVE, default=100, help="Matches; 100.")
@seed_option
@options.unsafe
def aeroplane(agent: str, shown: bool, matches: int, seed: int) -> None:
    """Play matches of an agent against random play, or show one.

    \b
    ludex classic aeroplane --agent expectimax:depth=2
    ludex classic aeroplane --agent ./Agent.py --show
    """
    from ludex.agents.registry import make_agent
    from ludex.courses import aeroplane as course
    from ludex.library.progress import progress_bar

    make_agent(agent, options.chosen_rules("aeroplane"))
    if shown:
        try:
            course.show(agent, seed, click.echo, lambda: prompt("Type enter to continue..."))
        except Quit:
            click.echo()
        return
    with progress_bar() as tell:
        found = course.play_matches(
            agent, matches, seed, lambda done: tell("matches", done, matches)
        )
    wins = console.table("Blue Player Agent", "Green Player Agent", f"Wins (B:G, {matches} Games)")
    wins.add_row(found.agent, course.OPPONENT, f"{found.blue}:{found.green}")
    times = console.table("Agent Type", "Ave Decision Time (s)")
    times.add_row(found.agent, f"{found.seconds:.5f}")
    for table in (wins, times):
        console.show(table)
        console.say("")
    if found.words:
        click.echo(f"match {found.number} ended {found.words}")
    if found.output:
        click.echo(with_caption(f"{found.agent}, in match {found.number},", found.output, SHOWN))


@classic.command()
@click.argument("players", nargs=-1)
@click.option("--size", type=click.IntRange(3, 7), default=7, help="Rows and columns; 7.")
@click.option("--seconds", type=options.DURATION, help="Turn limit; 5 for programs.")
@options.clock
@seed_option
@options.unsafe
def trap(players: tuple[str, ...], size: int, seconds: float | None, clock: str, seed: int) -> None:
    """Play a match of Trap!, and show the grid at every turn.

    Without players two random ones play, as in the original program.

    \b
    ludex classic trap
    ludex classic trap ./ab1234_cd5678 hard
    """
    from ludex.core.time_control import Clocks, read_clocks
    from ludex.courses import trap as course

    if seconds and clock:
        raise ValueError("--seconds and --clock: expected one of them")
    clocks = Clocks(turn=seconds) if seconds else read_clocks(clock) if clock else Clocks()
    if len(players) not in (0, 2):
        raise ValueError(f"{many(len(players), 'player')}: expected two, or none")
    options.chosen_rules("trap")
    both = (players[0], players[1]) if players else ("random", "random")
    match = course.play(both, seed, size, clocks)
    course.show(match, both, click.echo)
