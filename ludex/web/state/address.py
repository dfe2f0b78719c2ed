"""Where the web lab is found, unless somebody says otherwise.

It stands alone, so that the command line need not import the pages.
"""

HOST, PORT = "127.0.0.1", 8642
