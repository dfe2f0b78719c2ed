"""What the tests of the web lab share."""

from tests import browsing

server = browsing.server
