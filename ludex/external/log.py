"""The output of an agent: its beginning and its end."""

from ludex.core.termination import plain_text

HEAD_BYTES, TAIL_BYTES = 2 << 10, 6 << 10  # bytes that are kept of the beginning and of the end
INDENT = "    "  # before what somebody's program has printed


class Log:
    """The beginning and the end of a stream of bytes, in memory that does not grow."""

    def __init__(self, home: str = "", first: int = HEAD_BYTES, last: int = TAIL_BYTES) -> None:
        self.home, self.first, self.last = home, first, last
        self.head, self.tail = b"", b""
        self.size = 0

    def add(self, some: bytes) -> None:
        """Take what was printed next."""
        room = self.first - len(self.head)
        self.head += some[:room]
        self.tail = (self.tail + some[room:])[-self.last :]
        self.size += len(some)

    @property
    def text(self) -> str:
        """What was printed, safe on any screen; a line says how much is missing in the middle.

        Paths of the agent's files begin at its folder.
        """
        missing = self.size - len(self.head) - len(self.tail)
        middle = f"\n… {missing} bytes are left out …\n".encode() if missing else b""
        whole = plain_text((self.head + middle + self.tail).decode("utf-8", "replace"))
        return whole.replace(f"{self.home}/", "") if self.home else whole

    @property
    def last_line(self) -> str:
        """The last line that is not empty."""
        lines = self.text.split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def last_part(text: str, most: int) -> str:
    """Return whole lines at the end of what was printed, in about so many letters at most."""
    text = text.rstrip("\n")
    if len(text) <= most:
        return text
    kept = text[-most:]
    kept = kept.partition("\n")[2] or kept
    return f"… {len(text) - len(kept)} letters before …\n{kept}"


def last_lines(text: str, most: int) -> str:
    """Return the last so many lines of what was printed; a line says how many came before."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) <= most:
        return "\n".join(lines)
    return "\n".join([f"… {len(lines) - most} lines before …", *lines[-most:]])


def with_caption(name: str, text: str, most: int = 0) -> str:
    """Return what was printed, or so many of its last lines, under a line that says by whom."""
    return f"{name} printed:\n{indent(last_lines(text, most) if most else text)}"


def indent(text: str) -> str:
    """Return what was printed so that it can be told apart from what is said about it."""
    return "\n".join(f"{INDENT}{line}".rstrip() for line in text.rstrip("\n").split("\n"))
