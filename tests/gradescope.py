"""The format of results that Gradescope documents."""

from typing import Any

from ludex.grading.assignment import SHOWN

# Fields that Gradescope documents for results.json and for each of its tests.
FIELDS = {
    "score": float,
    "output": str,
    "output_format": str,
    "visibility": str,
    "stdout_visibility": str,
    "tests": list,
    "leaderboard": list,
    "extra_data": dict,
}
TEST_FIELDS = {
    "score": float,
    "max_score": float,
    "status": str,
    "name": str,
    "number": str,
    "output": str,
    "output_format": str,
    "visibility": str,
}


def faults(found: dict[str, Any]) -> list[str]:
    """Return where results differ from Gradescope's documentation."""
    wrong = wrong_fields("results", found, FIELDS)
    for number, test in enumerate(found.get("tests", []), start=1):
        wrong += wrong_fields(f"test {number}", test, TEST_FIELDS)
        if not 0 <= test.get("score", 0) <= test.get("max_score", 0):
            wrong.append(f"test {number}: score is not between 0 and max_score")
        if test.get("status", "passed") not in ("passed", "failed"):
            wrong.append(f"test {number}: status is neither passed nor failed")
    for one in found.get("leaderboard", []):
        if not {"name", "value"} <= set(one) <= {"name", "value", "order"}:
            wrong.append(f"leaderboard: {one!r}")
    return wrong


def wrong_fields(place: str, found: dict[str, Any], fields: dict[str, type]) -> list[str]:
    """Return messages for unknown fields and wrong types."""
    wrong = [f"{place}: no field {name!r}" for name in found if name not in fields]
    for name, kind in fields.items():
        value = found.get(name, kind())
        if not isinstance(value, (int, float) if kind is float else kind):
            wrong.append(f"{place}: {name} is {value!r}")
        if name.endswith("visibility") and name in found and value not in SHOWN:
            wrong.append(f"{place}: {name} is {value!r}")
    return wrong
