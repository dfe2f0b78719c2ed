"""The files of the experiments that come with Ludex; they are found without reading them."""

from pathlib import Path

FOLDER = Path(__file__).with_name("experiments")


def shipped_files() -> dict[str, Path]:
    """Return the files of the shipped experiments by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}
