"""A class of forty, graded once undisturbed and once killed again and again: the same tables.

`python -m bench.grading` takes some minutes. The submissions are the example solution of Trap with
other depths and estimates, and some that are broken.
"""

import difflib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

SOLUTION = Path(__file__).parent.parent / "docs" / "solutions" / "trap" / "PlayerAI.py"
KILLS = 6
ORDER = """
course = "trap"
title = "Forty"
clock = "turn=2"

[rules]
size = 5

[[tests]]
name = "Easy"
opponent = "easy"
matches = 2
points = 20

[[tests]]
name = "Hard"
opponent = "hard"
matches = 2
points = 34

[[tests]]
name = "Tournament"
kind = "tournament"
matches = 2
rounds = 2
points = 16
"""
# What stands in the place of the first line of the step.
STEPS = {
    "crash": "return [][0]",
    "illegal": "return (9, 9)",
    "nothing": "return None",
    "loop": "while True: pass",
    "exit": "os._exit(0)",
    "fork": "[os.fork() for _ in range(99)]",
    "flood": "print('x' * 99_999_999)",
}
ENDLESS = ("loop", "fork")
FILES: dict[str, bytes] = {
    "syntax": b"def x(:",
    "no_class": b"x = 1",
    "dies": b"import nothing_here\nclass PlayerAI: pass",
    "empty": b"",
    "utf16": "class PlayerAI: pass".encode("utf-16"),
    "latin": "word = 'é'\nclass PlayerAI: pass".encode("latin-1"),
}


def hand_in(folder: Path) -> list[str]:
    """Write forty submissions, and return their paths."""
    good = SOLUTION.read_text(encoding="utf-8")
    first = '        best, value = None, -float("inf")\n'
    assert good.count(first) == 1
    sources = FILES | {
        name: good.replace(first, f"        {line}\n{first}").encode()
        for name, line in STEPS.items()
    }
    for number in range(40 - len(sources) - 3):
        changed = good.replace("WIDEST = 8", f"WIDEST = {1 + number % 7}")
        changed = changed.replace("DEPTH = 5", f"DEPTH = {1 + number % 2}")
        sources[f"group{number:02}"] = changed.replace("1.5 *", f"{1 + number / 10} *").encode()
    for name, source in sources.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "PlayerAI.py").write_bytes(source)
    (folder / "link").mkdir()
    (folder / "link" / "PlayerAI.py").symlink_to("/etc/passwd")
    for name, inside in (("bomb", b"#" * (100 << 20)), ("zipped", good.encode())):
        with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr("PlayerAI.py", inside)
    return sorted(str(path) for path in folder.iterdir())


def tables(out: Path) -> dict[str, str]:
    """Return the table of the class and the results of all students.

    What a program has printed is left out: processes that it forks print in any order. So are the
    remarks on those that never end, because it depends on the load which limit they reach first.
    """
    rows = (out / "class.csv").read_text(encoding="utf-8").splitlines()
    rows = [",".join(row.split(",")[:7]) if row.split(",")[0] in ENDLESS else row for row in rows]
    found = {"class.csv": "\n".join(rows)}
    for file in sorted(out.glob("students/*/results.json")):
        told = json.loads(file.read_text(encoding="utf-8"))
        for test in told["tests"]:
            test["output"] = test["output"].partition("\n\nIt printed:\n")[0]
            if file.parent.name in ENDLESS:
                test["output"] = ""
        found[str(file.relative_to(out))] = json.dumps(told, indent=1)
    return found


def killed(command: list[str], seconds: float) -> int:
    """Grade, with a kill -9 after so many seconds, again and again; return how often."""
    luck = random.Random(1)
    for kill in range(KILLS):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(luck.uniform(0.5, 1.5) * seconds / KILLS)
            return kill
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return KILLS


def main() -> bool:
    """Grade the class twice, and return whether both gave the same."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # the sandbox reads submissions as another user
        paths = hand_in(folder / "class")
        order = folder / "assignment.toml"
        order.write_text(ORDER, encoding="utf-8")
        command = [sys.executable, "-m", "ludex", "grade", str(order), *paths, "--no-pages"]
        began = time.perf_counter()
        subprocess.run([*command, "--out", str(folder / "whole")], check=True)
        seconds = time.perf_counter() - began
        print(f"{len(paths)} submissions graded in {seconds:.0f} s", flush=True)
        kills = killed([*command, "--out", str(folder / "cut")], seconds)
        whole = tables(folder / "whole")
        cut = tables(folder / "cut")
        other = [name for name in whole if cut.get(name) != whole[name]]
        same = not other and len(whole) == len(paths) + 1
        said = "identical" if same else f"DIFFERENT: {', '.join(other)}"
        print(f"{kills} kills later: {len(whole)} tables, {said}")
        for name in other:
            first, second = (table.get(name, "").splitlines() for table in (whole, cut))
            print(*difflib.unified_diff(first, second, "whole", f"cut {name}", n=0), sep="\n")
        print((folder / "whole" / "class.csv").read_text(encoding="utf-8"))
    return same


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
