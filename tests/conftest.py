"""What the tests share."""

import os
import tempfile

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "120")

# Matches of tests are not kept among those of the user.
data = tempfile.TemporaryDirectory(prefix="ludex-tests-")
os.environ["LUDEX_DATA"] = data.name
