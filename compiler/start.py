"""Starts `python -m vernis` as the launchers do: by the name of this file, and with -S.

Python answers Ctrl-C from its own first instruction on, also while it reads its settings (`site`) and
imports, with a traceback. So this comes first: it leaves the signal to the system, until the command
can clean up.
"""

# Part of the interpreter, while `signal` is a file to import.
import _signal  # type: ignore[import-not-found]

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # else the parent process ignores it
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

import site

site.main()

from vernis.__main__ import run  # noqa: E402

if __name__ == "__main__":
    run()
