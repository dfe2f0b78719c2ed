"""Exit with 0 if the web lab at an address is up; the image of the lab asks every half minute."""

import os
import sys
import urllib.error
import urllib.request

# A server that asks for its key is up: without LUDEX_KEY it has made one that is not known here.
UNAUTHORIZED = 401


def main(address: str) -> int:
    """Ask a server for its health, with the access key if there is one."""
    asked = urllib.request.Request(address)
    if key := os.environ.get("LUDEX_KEY"):
        asked.add_header("Authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(asked, timeout=5) as answer:
            print(answer.read().decode())
            return 0
    except urllib.error.HTTPError as error:
        print(f"{address}: {error}")
        return 0 if error.code == UNAUTHORIZED and not key else 1
    except OSError as error:
        print(f"{address}: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
