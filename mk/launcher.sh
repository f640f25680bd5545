#!/bin/sh
# build/bin/vernis: runs the command line in the virtual environment of the build tree. Works from any directory and
# through symbolic links.
self=$(readlink -f "$0") || exit 2
build=${self%/bin/vernis}
PYTHONPATH=$build/py:$build/ext PYTHONSAFEPATH=1 exec "$build/venv/bin/python" -S "$build/py/vernis/start.py" "$@"
