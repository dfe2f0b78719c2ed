"""The command line, as tests call it."""

import json
from typing import Any

from click.testing import CliRunner, Result

from ludex.cli import cli


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(cli, arguments, input=given, prog_name="ludex")


def refused(*arguments: str) -> str:
    """Return the one line that a wrong command is refused with, and nothing else."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("ludex: ") and result.stderr.count("\n") == 1
    assert result.stdout == ""
    return result.stderr


def facts(*arguments: str, given: str | None = None) -> Any:
    """Return what a command tells programs."""
    result = run(*arguments, "--json", given=given)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)
