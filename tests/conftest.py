"""What the tests share."""

import os

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "120")
