"""The output of an agent: its beginning and its end."""

from ludex.core.termination import plain_text

HEAD_BYTES, TAIL_BYTES = 2 << 10, 6 << 10  # bytes kept of the beginning and of the end
INDENT = "    "  # of output


class Log:
    """The beginning and the end of a stream of bytes, in bounded memory."""

    def __init__(self, home: str = "", first: int = HEAD_BYTES, last: int = TAIL_BYTES) -> None:
        self.home, self.first, self.last = home, first, last
        self.head, self.tail = b"", b""
        self.size = 0

    def add(self, some: bytes) -> None:
        """Append output."""
        room = self.first - len(self.head)
        self.head += some[:room]
        self.tail = (self.tail + some[room:])[-self.last :]
        self.size += len(some)

    @property
    def text(self) -> str:
        """The output, safe for a terminal, without a long middle and the path of its folder."""
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
    """Return the last whole lines of output, in about `most` characters."""
    text = text.rstrip("\n")
    if len(text) <= most:
        return text
    kept = text[-most:]
    kept = kept.partition("\n")[2] or kept
    return f"… {len(text) - len(kept)} letters before …\n{kept}"


def last_lines(text: str, most: int) -> str:
    """Return the last lines of output, after a line that says how many came before."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) <= most:
        return "\n".join(lines)
    return "\n".join([f"… {len(lines) - most} lines before …", *lines[-most:]])


def with_caption(name: str, text: str, most: int = 0) -> str:
    """Return output, or its last `most` lines, under a line that names the agent."""
    return f"{name} printed:\n{indent(last_lines(text, most) if most else text)}"


def indent(text: str) -> str:
    """Return output with its lines indented, to set it apart from messages."""
    return "\n".join(f"{INDENT}{line}".rstrip() for line in text.rstrip("\n").split("\n"))
