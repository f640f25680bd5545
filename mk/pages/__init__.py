"""Pages of docs/ that are made from tables in the sources: `make docs` writes them, and tests compare them.

A module makes one page, or one table of a page: ``PAGE`` is its file, ``page()`` its text.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: In a page of which only the end is made.
MARK = "<!-- The rest of this page is made by `make docs`. -->\n"
