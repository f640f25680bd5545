"""Headless Chromium, driven over the WebDriver protocol (chromedriver).

with Browser(dark=True) as browser:
    browser.open("http://127.0.0.1:1234/")
    assert browser.run("return document.title") == "Vernis"
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

START_S = 60.0
KEYS = {
    "tab": "\ue004",
    "enter": "\ue007",
    "escape": "\ue00c",
    "left": "\ue012",
    "right": "\ue014",
    "down": "\ue015",
}
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def is_here() -> bool:
    return shutil.which("chromium") is not None and shutil.which("chromedriver") is not None


class BrowserError(Exception):
    """An answer of chromedriver that reports an error."""


def _started_driver() -> tuple[subprocess.Popen[str], str]:
    """A chromedriver and its port. It chooses the port before it takes it, so another program may be first."""
    said = ""
    for _ in range(3):
        driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert driver.stdout is not None
        for line in driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                return driver, found[1]
            said += line
        driver.wait()
    raise BrowserError(f"chromedriver does not start:\n{said}")


class Browser:
    def __init__(
        self, dark: bool = False, size: tuple[int, int] = (1440, 900), any_certificate: bool = False
    ) -> None:
        self._profile = tempfile.mkdtemp(prefix="vernis-browser-")
        self._driver, port = _started_driver()
        self._url = f"http://127.0.0.1:{port}/session"
        flags = [*FLAGS, f"--user-data-dir={self._profile}", f"--window-size={size[0]},{size[1]}"]
        options = {
            "goog:chromeOptions": {"args": flags},
            "goog:loggingPrefs": {"browser": "ALL"},
            "acceptInsecureCerts": any_certificate,
        }
        self._session = ""
        try:
            self._session = "/" + self._ask("", {"capabilities": {"alwaysMatch": options}})["sessionId"]
            self.dark(dark)
        except BaseException:
            self.close()
            raise

    def _ask(self, path: str, body: dict[str, Any] | None = None, method: str | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._url + self._session + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=START_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise BrowserError(json.load(error)["value"]["message"]) from None

    def _devtools(self, command: str, **parameters: Any) -> Any:
        return self._ask("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, url: str) -> None:
        """Returns when the page has loaded."""
        self._ask("/url", {"url": url})

    def run(self, script: str, *arguments: Any) -> Any:
        """The value that the body of a function returns."""
        return self._ask("/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector: str) -> str:
        return str(
            self.run("const e = document.querySelector(arguments[0]); return e ? e.innerText : ''", selector)
        )

    def press(self, *keys: str) -> None:
        """Presses and releases keys, each a name of KEYS or a character."""
        strokes = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": value} for value in strokes for kind in ("keyDown", "keyUp")]
        self._ask("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def focused(self) -> str:
        """A short name of the focused element."""
        return str(
            self.run(
                "const e = document.activeElement;"
                "return e.id || e.name || e.getAttribute('aria-labelledby') || e.getAttribute('class') || e.tagName"
            )
        )

    def dark(self, dark: bool) -> None:
        """Sets what the system prefers."""
        value = "dark" if dark else "light"
        self._devtools(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}]
        )

    def console(self) -> list[str]:
        """Messages of the console since the last call."""
        return [f"{entry['level']} {entry['message']}" for entry in self._ask("/se/log", {"type": "browser"})]

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("/screenshot")))

    def close(self) -> None:
        try:
            if self._session:
                self._ask("", method="DELETE")
        finally:
            self._driver.terminate()
            self._driver.wait(START_S)
            shutil.rmtree(self._profile, ignore_errors=True)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
