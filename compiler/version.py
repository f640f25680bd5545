"""The version of Vernis. The package (setup.py) and the command line read it here. The daemon reads it from
``version.h``, which mk/generated.mk makes from this file."""

VERSION = "0.1.0"
