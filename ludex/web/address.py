"""Where the web lab is found, unless somebody says otherwise."""

HOST, PORT = "127.0.0.1", 8642
