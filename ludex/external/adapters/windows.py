"""Stubs for window libraries: nothing is drawn where an agent runs.

They replace the real ones even if those are installed. Every name in them is an object that can be
called, subclassed, compared, used in arithmetic, entered and iterated, without effect.
"""

import abc
import importlib.abc
import importlib.machinery
import string
import sys
import types
from typing import Any

LIBRARIES = {"pygame", "tkinter", "Tkinter", "turtle", "arcade", "pyglet", "wx"}
LIBRARIES |= {"PyQt5", "PyQt6", "PySide2", "PySide6"}
# What `from … import *` provides.
TKINTER = """
NO FALSE OFF YES TRUE ON N S W E NW SW NE SE NS EW NSEW CENTER NONE X Y BOTH LEFT TOP RIGHT BOTTOM
RAISED SUNKEN FLAT RIDGE GROOVE SOLID HORIZONTAL VERTICAL NUMERIC CHAR WORD BASELINE INSIDE OUTSIDE
SEL SEL_FIRST SEL_LAST END INSERT CURRENT ANCHOR ALL NORMAL DISABLED ACTIVE HIDDEN CASCADE
CHECKBUTTON COMMAND RADIOBUTTON SEPARATOR SINGLE BROWSE MULTIPLE EXTENDED DOTBOX UNDERLINE PIESLICE
CHORD ARC FIRST LAST BUTT PROJECTING ROUND BEVEL MITER MOVETO SCROLL UNITS PAGES TkVersion
TclVersion READABLE WRITABLE EXCEPTION EventType Event NoDefaultRoot Variable StringVar IntVar
DoubleVar BooleanVar mainloop getint getdouble getboolean Misc CallWrapper XView YView Wm Tk Tcl
Pack Place Grid BaseWidget Widget Toplevel Button Canvas Checkbutton Entry Frame Label Listbox Menu
Menubutton Message Radiobutton Scale Scrollbar Text OptionMenu Image PhotoImage BitmapImage
image_names image_types Spinbox LabelFrame PanedWindow
""".split()
KEYS = """
BACKSPACE TAB CLEAR RETURN PAUSE ESCAPE SPACE DELETE UP DOWN RIGHT LEFT INSERT HOME END PAGEUP
PAGEDOWN NUMLOCK CAPSLOCK LSHIFT RSHIFT LCTRL RCTRL LALT RALT LMETA RMETA PLUS MINUS EQUALS COMMA
PERIOD SLASH BACKSLASH SEMICOLON QUOTE LEFTBRACKET RIGHTBRACKET BACKQUOTE KP_ENTER KP_PLUS KP_MINUS
""".split()
KEYS += [*string.ascii_lowercase, *string.digits, *(f"F{number}" for number in range(1, 16))]
KEYS += [f"KP{number}" for number in range(10)]
PYGAME = (
    """
QUIT ACTIVEEVENT KEYDOWN KEYUP MOUSEMOTION MOUSEBUTTONDOWN MOUSEBUTTONUP MOUSEWHEEL USEREVENT
NUMEVENTS NOEVENT VIDEORESIZE VIDEOEXPOSE TEXTINPUT JOYAXISMOTION JOYBUTTONDOWN JOYBUTTONUP
FULLSCREEN RESIZABLE NOFRAME DOUBLEBUF HWSURFACE OPENGL SCALED SHOWN HIDDEN SRCALPHA SRCCOLORKEY
BLEND_ADD BLEND_SUB BLEND_MULT BLEND_RGBA_ADD BLEND_RGBA_MULT KMOD_NONE KMOD_SHIFT KMOD_CTRL
KMOD_ALT KMOD_LSHIFT KMOD_RSHIFT KMOD_LCTRL KMOD_RCTRL Rect Color
""".split()
    + [f"K_{key}" for key in KEYS]
)
MODULES = """
init quit error Surface Vector2 cursors display draw event font image key locals mask math mixer
mouse sprite surfarray time transform
""".split()
STARRED = {"tkinter": TKINTER, "Tkinter": TKINTER, "pygame": PYGAME + MODULES}
STARRED |= {"pygame.locals": PYGAME, "tkinter.constants": TKINTER}


def install(folder: str) -> None:
    """Install the stubs, except for libraries that the agent's own folder provides."""
    sys.meta_path.insert(0, Finder(folder))


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stub for every module of the libraries."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Return the spec of a stub, or None for any other module."""
        library = name.partition(".")[0]
        if library not in LIBRARIES:
            return None
        if importlib.machinery.PathFinder.find_spec(library, [self.folder]):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        """Return a module that has every name."""
        module = Module(spec.name)
        module.__all__ = STARRED.get(spec.name, [])
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Run nothing."""


class Module(types.ModuleType):
    """A module that has a stub for every name, always the same one."""

    __all__: list[str]

    def __getattr__(self, name: str) -> Any:
        library, _, rest = self.__name__.partition(".")
        # Its constants are those of the library itself, so that they compare equal.
        return stub(sys.modules[library] if rest in ("locals", "constants") else self, name)


def stub(owner: Any, name: str) -> Any:
    """Return the stub for a name of an object, creating it at first use."""
    if name.startswith("__"):
        raise AttributeError(name)
    if name not in vars(owner):
        error = name == "error" or name.endswith("Error")  # to be raised or caught
        kind = type(name, (Exception,), {}) if error else StubType(name, (Nothing,), {})
        setattr(owner, name, kind)
    return vars(owner)[name]


ARITHMETIC = "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift".split()
UNARY = "neg pos abs invert round getitem enter".split()
EFFECTLESS: dict[str, Any] = {
    **{f"__{side}{name}__": lambda *given: Nothing() for name in ARITHMETIC for side in ("", "r")},
    **{f"__{name}__": lambda *given: Nothing() for name in UNARY},
    **{f"__{name}__": lambda *given: False for name in "lt le gt ge bool contains".split()},
    **{f"__{name}__": lambda *given: 0 for name in "int index len".split()},
    **{f"__{name}__": lambda *given: None for name in "setitem delitem exit".split()},
    "__float__": lambda self: 0.0,
    "__iter__": lambda self: iter(()),
    "__next__": lambda self: next(iter(())),
    "__format__": lambda self, how: "",
    "__getattr__": stub,
}


class StubType(abc.ABCMeta):  # so that a stub can be a base beside any other class
    """The metaclass of stubs, which work as classes and as numbers."""


class Nothing(metaclass=StubType):
    """The result of calling a stub."""

    def __init__(self, *given: Any, **named: Any) -> None: ...

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Return an object without effect."""
        return Nothing()


for method, body in EFFECTLESS.items():
    setattr(StubType, method, body)
    setattr(Nothing, method, body)
