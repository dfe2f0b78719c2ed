"""Counts with singular and plural nouns."""


def many(number: int, noun: str) -> str:
    """Return a count with its noun, such as "2 matches"."""
    end = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}{end}"
