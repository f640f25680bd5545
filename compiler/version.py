"""The version of Vernis: the only place of the number. The package (setup.py) and the command line read it here, the daemon
from ``version.h``, which mk/generated.mk makes of this file."""

VERSION = "0.1.0"
