"""`python -m bench`: all measurements, or those named."""

import importlib
import sys

ALL = (
    "playouts",
    "start",
    "search",
    "first_move",
    "mcts",
    "clock",
    "solve",
    "learn",
    "matches",
    "web",
    "sandbox",
    "load",
)

if __name__ == "__main__":
    fine = True
    for name in sys.argv[1:] or ALL:
        fine &= importlib.import_module(f"bench.{name}").main()
        print()
    sys.exit(0 if fine else 1)
