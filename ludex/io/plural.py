"""Numbers of things in words."""


def many(number: int, noun: str) -> str:
    """Return how many there are of a thing whose plural is regular."""
    end = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}{end}"
