"""Runs commands of Ludex and pieces of Python, one after the other, in this one process.

It reads them from the standard input as a JSON list, and writes what came of each.
"""

import glob
import json
import sys
from typing import Any

from click.testing import CliRunner

from ludex.cli import cli


def done(job: dict[str, Any]) -> dict[str, Any]:
    """Return the exit code of a job, and what it printed or how it failed."""
    if "code" in job:
        scope: dict[str, Any] = {"__name__": "__main__"}
        try:
            exec(compile(job["code"], "example.py", "exec"), scope)
        except Exception as error:
            return {"code": 1, "printed": "", "said": f"{type(error).__name__}: {error}"}
        return {"code": 0, "printed": scope.get("printed", ""), "said": ""}
    words = [each for word in job["arguments"] for each in sorted(glob.glob(word)) or [word]]
    result = CliRunner().invoke(cli, words, input=job["given"], prog_name="ludex")
    said = result.stderr if result.exit_code in (0, 2) else repr(result.exception)
    return {"code": result.exit_code, "printed": result.stdout, "said": said.strip()}


if __name__ == "__main__":
    print(json.dumps([done(job) for job in json.load(sys.stdin)]))
