"""The provenance of an experiment: enough to reproduce it, nothing personal."""

import platform
from importlib.metadata import version
from pathlib import Path

from ludex.workers.pool import cores


def machine_facts() -> dict[str, str]:
    """Return the processor, its cores, the system, and the relevant versions."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "matplotlib"))
    return {
        "processor": processor_name(),
        "cores": str(cores()),
        "system": f"{platform.system()} on {platform.machine()}",
        "Python": platform.python_version(),
        "packages": packages,
    }


def processor_name() -> str:
    """Return the name of the processor, or `unknown`."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else "unknown"
