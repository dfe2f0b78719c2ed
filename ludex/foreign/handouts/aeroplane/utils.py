"""What the programs of this course are told."""

MAX_DEPTH = 2
CONFIG = {"graphics": False}
