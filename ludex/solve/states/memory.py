"""Free memory, by the machine and by the limits of the process."""

import os
from pathlib import Path

# The files of the limit and the usage, for cgroups v2 and v1.
LIMIT_FILES = {
    "": ("memory.max", "memory.current"),
    "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes"),
}


def free_gibibytes() -> float:
    """Return the memory that a solver may use in GiB: three quarters of the free memory."""
    free = [limit for limit in (free_bytes(), *group_limits()) if limit is not None]
    return 0.75 * min(free) / 2**30 if free else 4.0


def free_bytes() -> int | None:
    """Return the free memory of the machine in bytes, if known."""
    if "SC_AVPHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return None
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def group_limits(
    root: Path = Path("/sys/fs/cgroup"), process: Path = Path("/proc/self/cgroup")
) -> list[int]:
    """Return the bytes that each control group of this process has left (Linux).

    cgroups v2 has one hierarchy for everything, v1 one of its own for memory. The page cache can
    be reclaimed, and counts as free.
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
    """Return the number in a file, None if there is none, as without a limit."""
    text = "".join(lines_of(file))
    return int(text) if text.isdigit() else None


def lines_of(file: Path) -> list[str]:
    """Return the lines of a file; none if it cannot be read."""
    try:
        return file.read_text().splitlines()
    except OSError:
        return []
