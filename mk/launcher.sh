#!/bin/sh
# Runs the command line from the build tree's own virtual environment, from any directory and through symbolic links.
self=$(readlink -f "$0") || exit 2
build=${self%/bin/vernis}
PYTHONPATH=$build/py:$build/ext PYTHONSAFEPATH=1 exec "$build/venv/bin/python" -m vernis "$@"
