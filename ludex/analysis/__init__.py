"""Why a match went as it did: each decision against the truth, and luck apart from skill."""
