"""The version of Vernis: one number for compiler, command line and package."""

VERSION = "0.1.0"
