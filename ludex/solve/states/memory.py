"""Free memory, by the machine and by the limits of the process."""

import os
from pathlib import Path

# The files of a limit and of what is used, by the kind of a tree of groups.
LIMIT_FILES = {
    "": ("memory.max", "memory.current"),
    "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes"),
}


def free_gibibytes() -> float:
    """Return how many GiB a solver may take: three quarters of what is free, if that is known."""
    free = [limit for limit in (free_bytes(), *group_limits()) if limit is not None]
    return 0.75 * min(free) / 2**30 if free else 4.0


def free_bytes() -> int | None:
    """Return how many bytes of the machine's memory nobody uses, if that is known."""
    if "SC_AVPHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return None
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def group_limits(
    root: Path = Path("/sys/fs/cgroup"), process: Path = Path("/proc/self/cgroup")
) -> list[int]:
    """Return how many bytes each control group of this process still lets it take (Linux).

    There are two layouts: one tree of groups for everything, and one of its own for memory. What
    is kept of files could be let go, and counts as free.
    """
    found = []
    for line in lines_of(process):
        kind, _, path = line.partition(":")[2].partition(":")
        if kind not in LIMIT_FILES:
            continue
        group = root / kind / path.lstrip("/")
        for folder in (group, *group.parents):
            if not folder.is_relative_to(root / kind):
                break
            limit, used = (number_in(folder / name) for name in LIMIT_FILES[kind])
            kept = [line.split() for line in lines_of(folder / "memory.stat")]
            cached = sum(int(words[1]) for words in kept if words[0] == "inactive_file")
            if limit is not None and used is not None:
                found.append(max(0, limit - used + cached))
    return found


def number_in(file: Path) -> int | None:
    """Return the number that a file holds, None if it holds none, as where there is no limit."""
    text = "".join(lines_of(file))
    return int(text) if text.isdigit() else None


def lines_of(file: Path) -> list[str]:
    """Return the lines of a file, none if it cannot be read."""
    try:
        return file.read_text().splitlines()
    except OSError:
        return []
