#!/usr/bin/env bash
# Runs once, when Gradescope builds the image: Python, what Ludex needs, and compiled code.
set -e
BASE="${AUTOGRADER:-/autograder}"
apt-get update
# Without bubblewrap, or where the container forbids it, agents run as a user without rights.
apt-get install -y --no-install-recommends util-linux bubblewrap || true
for PYTHON in python3.13 python3.12 python3.11 ""; do
  if [ -z "$PYTHON" ]; then
    apt-get install -y --no-install-recommends python3.11 python3.11-venv
    PYTHON=python3.11
  fi
  if command -v "$PYTHON" > /dev/null && "$PYTHON" -m venv "$BASE/venv"; then break; fi
done
"$BASE/venv/bin/pip" install --no-cache-dir -r "$BASE/source/requirements.txt"
chmod -R a+rX "$BASE/source" "$BASE/venv"
export PYTHONPATH="$BASE/source" LUDEX_CACHE="$BASE/cache" LUDEX_DATA="$BASE/work"
# Compiling is done here, not while somebody waits for marks.
sh "$BASE/source/warm.sh" "$BASE/venv/bin/python"
