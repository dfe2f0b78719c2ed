"""What an agent has printed: how it began and how it ended."""

KEPT = 65536  # bytes of the beginning, and of the end


class Log:
    """The beginning and the end of a stream of bytes, in memory that does not grow."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.head, self.tail = b"", b""
        self.size = 0

    def add(self, some: bytes) -> None:
        """Take what was printed next."""
        room = self.kept - len(self.head)
        self.head += some[:room]
        self.tail = (self.tail + some[room:])[-self.kept :]
        self.size += len(some)

    @property
    def text(self) -> str:
        """What was printed; a line says how much is missing in the middle."""
        missing = self.size - len(self.head) - len(self.tail)
        middle = f"\n… {missing} bytes are left out …\n".encode() if missing else b""
        return (self.head + middle + self.tail).decode("utf-8", "replace")

    @property
    def last_line(self) -> str:
        """The last line that is not empty."""
        lines = self.text.split("\n")[-100:]
        return next((line.strip() for line in reversed(lines) if line.strip()), "")
