"""The tests."""

import pytest

# What these assert is explained as in a test.
pytest.register_assert_rewrite(
    "tests.browsing",
    "tests.classes",
    "tests.commands",
    "tests.players",
    "tests.solutions",
    "tests.students",
    "tests.webvisit",
)
