"""The default address of the web lab.

A separate module, so that the command line need not import the pages.
"""

HOST, PORT = "127.0.0.1", 8642
