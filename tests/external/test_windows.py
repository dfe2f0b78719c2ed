"""Libraries that draw windows stand in for themselves in every process: nothing fails by them."""

from pathlib import Path

import pytest

from ludex.core.termination import BY_RULES
from ludex.grading.assignment import Assignment
from ludex.grading.comparison import compare, droids
from ludex.grading.examples import example_faults
from tests.players import choosing, play, written
from tests.students import SOLUTIONS, played

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]

DROID = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
# All that was seen in students' files, and what they do with it.
WINDOWS = """
import abc, copy
import pygame
from pygame.locals import *
import tkinter as tk
import tkinter.font
from tkinter import *
from tkinter import messagebox, ttk
import turtle

pygame.init()
pygame.mixer.music.load("theme.ogg")
screen = pygame.display.set_mode((640, 480), RESIZABLE | SRCALPHA)
clock = pygame.time.Clock()
root = tk.Tk()
root.title("R2-D2")
root["bg"] = "black"
KEYS = {K_UP: 1, pygame.K_DOWN: 2, K_w: 3, K_KP5: 4}
assert KEYS[pygame.K_UP] == 1 and KEYS[K_DOWN] == 2 and USEREVENT + 1 is not None


class Board(tk.Frame):
    def __init__(self, master=None):
        super().__init__(master, width=screen.get_width() // 2)
        self.canvas = tk.Canvas(self, bg="white")
        self.canvas.pack(side=LEFT, fill=BOTH)
        self.rows = 3


class Ship(pygame.sprite.Sprite, abc.ABC):
    speed = 2


assert Board(root).rows == 3 and Ship().speed == 2
assert not (pygame.K_a < 3) and max(3, pygame.K_a) == 3
for event in pygame.event.get():
    if event.type == QUIT:
        pygame.quit()
with pygame.PixelArray(screen) as pixels:
    pixels[0, 0] = 255
int(clock.get_fps()), float(clock.get_fps()), f"{clock.get_fps():.1f}", round(clock.get_fps(), 1)
-screen.x, abs(screen.x), 2 * screen.x, divmod(screen.x, 2), range(screen.x), len(screen), [*screen]
copy.deepcopy(root), "x" in screen, isinstance(root, tk.Tk), next(iter(screen), None)
turtle.Turtle().forward(10)
try:
    raise pygame.error("no display")
except (tk.TclError, pygame.error):
    pass
Label(root, text="x").grid(row=0)
"""


def test_windows_cost_a_droid_nothing(tmp_path: Path) -> None:
    file = Path(written(tmp_path, f"{WINDOWS}\n{DROID}", "r2d2_hw3.py"))
    examples = ">>> R2Droid(4, 4, (0, 0), 5).shots\n5\n"
    assert example_faults(file, file, examples, "droids") == []
    assert compare(file, Assignment("droids", "x"), droids.COMPARED, ["shoot"], 60) == []


@pytest.mark.usefixtures("measured_processes")
def test_windows_cost_a_player_nothing(tmp_path: Path) -> None:
    match, _ = played(written(tmp_path, f"{WINDOWS}\n{DROID}", "r2d2_hw3.py"), "droids")
    assert (match.ending, match.words) == (BY_RULES, "")
    match, _ = play(written(tmp_path, WINDOWS + choosing("return moves[0]")))
    assert (match.ending, match.words) == (BY_RULES, "")


def test_a_module_of_ones_own_comes_before_a_window(tmp_path: Path) -> None:
    written(tmp_path, "def last(moves):\n    return moves[-1]\n", "turtle.py")
    written(tmp_path, "import turtle\n" + choosing("return turtle.last(moves)"), "agent.py")
    match, _ = play(str(tmp_path))
    assert (match.ending, match.moves[0]) == (BY_RULES, 2)


def test_what_is_missing_is_still_missing(tmp_path: Path) -> None:
    match, _ = play(written(tmp_path, "import nothing_here\n" + choosing("return moves[0]")))
    assert match.words.startswith("ModuleNotFoundError: No module named 'nothing_here'")
