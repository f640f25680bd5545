"""The live view of `vernis stat`: keeps the history of counters and draws it. The caller reads keys and the
clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from vernis.observe.vsc import Counter

LEVELS = ("info", "diag", "debug")
WINDOWS = (10, 100, 1000)  # readings in the moving averages
_OTHER_LINES = 9
_KEYS = "q quit  ↑↓ PgUp PgDn move  v V more, fewer kinds  d also zeros  r raw gauges  e scale  + - interval"
_CLASSES = ("2xx", "3xx", "4xx", "5xx")
_BYTES = ("", "K", "M", "G", "T", "P")


@dataclass(slots=True)
class _History:
    """The readings of one counter."""

    counter: Counter
    change: float = 0.0
    averages: list[float] = field(default_factory=lambda: [0.0] * len(WINDOWS))
    readings: int = 0
    seen: bool = False

    def take(self, counter: Counter, elapsed_s: float) -> None:
        if self.readings and elapsed_s > 0:
            self.change = (counter.value - self.counter.value) / elapsed_s
        sample = self.change if counter.kind.semantics == "c" else float(counter.value)
        self.counter = counter
        self.seen |= counter.value != 0
        if counter.kind.semantics == "c" and self.readings == 0:
            self.readings = 1
            return
        self.readings += 1
        for number, window in enumerate(WINDOWS):
            self.averages[number] += (sample - self.averages[number]) / min(self.readings, window)


@dataclass(slots=True)
class StatView:
    level: int = 0
    zeros: bool = False
    scale: bool = True
    raw: bool = False
    interval_s: float = 1.0
    selected: int = 0
    top: int = 0
    histories: dict[str, _History] = field(default_factory=dict)
    _last_at: float = 0.0

    def take(self, counters: Sequence[Counter], now: float) -> None:
        elapsed_s = now - self._last_at if self._last_at else 0.0
        self._last_at = now
        histories = {}
        for counter in counters:
            history = self.histories.get(counter.name) or _History(counter)
            history.take(counter, elapsed_s)
            histories[counter.name] = history
        self.histories = histories

    def key(self, key: str, page: int) -> bool:
        """Handles a key. Returns False if the key ends the view."""
        last = max(len(self._shown()) - 1, 0)
        match key:
            case "q" | "Q" | "\x11":
                return False
            case "up" | "k":
                self.selected -= 1
            case "down" | "j":
                self.selected += 1
            case "pageup" | "b":
                self.selected -= page
            case "pagedown" | " ":
                self.selected += page
            case "home" | "g":
                self.selected = 0
            case "end" | "G":
                self.selected = last
            case "v":
                self.level = min(self.level + 1, len(LEVELS) - 1)
            case "V":
                self.level = max(self.level - 1, 0)
            case "d":
                self.zeros = not self.zeros
            case "e":
                self.scale = not self.scale
            case "r":
                self.raw = not self.raw
            case "+":
                self.interval_s = min(self.interval_s + 0.5, 60.0)
            case "-":
                self.interval_s = max(self.interval_s - 0.5, 0.5)
        self.selected = min(max(self.selected, 0), max(len(self._shown()) - 1, 0))
        return True

    def draw(self, lines: int) -> RenderableType:
        shown = self._shown()
        room = max(lines - _OTHER_LINES, 1)
        self.selected = min(self.selected, max(len(shown) - 1, 0))
        self.top = min(max(self.top, self.selected - room + 1), self.selected)
        table = Table(box=None, expand=True, pad_edge=False, header_style="bold")
        table.add_column("name", no_wrap=True, ratio=1)
        for title in ("now", "per second", "average", *(f"avg {window}" for window in WINDOWS)):
            table.add_column(title, justify="right", no_wrap=True)
        for number, history in enumerate(shown[self.top : self.top + room], self.top):
            table.add_row(*self._row(history), style="reverse" if number == self.selected else "")
        about = shown[self.selected].counter.kind if shown else None
        return Group(
            self._title(len(shown)),
            table,
            Text(""),
            Text(about.oneliner if about else "", "bold", no_wrap=True),
            Text(_KEYS, "dim", no_wrap=True),
        )

    # ---- parts ----

    def _shown(self) -> list[_History]:
        return [
            history
            for history in self.histories.values()
            if (self.zeros or history.seen)
            and (
                history.counter.kind.level not in LEVELS
                or LEVELS.index(history.counter.kind.level) <= self.level
            )
        ]

    def _value(self, name: str) -> int:
        history = self.histories.get(name)
        return history.counter.value if history else 0

    def _title(self, shown: int) -> Text:
        up, manager_up = self._value("MAIN.uptime"), self._value("MGT.uptime")
        worker = f"worker up {_clock(up)}" if "MAIN.uptime" in self.histories else "no worker runs"
        line = Text.assemble(
            (worker, "bold"),
            f"  manager up {_clock(manager_up)}  {shown} of {len(self.histories)} counters, "
            f"{LEVELS[self.level]}, every {self.interval_s:g} s\n",
        )
        line.append("hit ratio  ")
        for number, window in enumerate(WINDOWS):
            line.append(f"{self._hit_ratio(number)} (last {window})  ")
        line.append(f"\n{self._traffic()}\n{self._stored()}\n")
        return line

    def _rate(self, name: str) -> float:
        history = self.histories.get(name)
        return history.change if history else 0.0

    def _traffic(self) -> str:
        """The rates that the dashboard shows, a second."""
        sent = self._rate("MAIN.s_resp_hdrbytes") + self._rate("MAIN.s_resp_bodybytes")
        classes = [
            f"{name} {self._rate(f'VERNIS.resp_{name}'):.0f}"
            for name in _CLASSES
            if f"VERNIS.resp_{name}" in self.histories
        ]
        return "  ".join(
            (
                f"requests/s {self._rate('MAIN.client_req'):.0f}",
                *classes,
                f"misses {self._rate('MAIN.cache_miss'):.0f}",
                f"passes {self._rate('MAIN.s_pass'):.0f}",
                f"fetches {self._rate('MAIN.backend_req'):.0f}",
                f"sent {scaled(sent)}B/s",
            )
        )

    def _stored(self) -> str:
        used = [
            f"{name.split('.')[1]} {scaled(history.counter.value)}B"
            for name, history in self.histories.items()
            if name.startswith(("SMA.", "SMF.")) and name.endswith(".g_bytes")
        ]
        return "  ".join((f"stored     {self._value('MAIN.n_object')} objects", *used))

    def _hit_ratio(self, number: int) -> str:
        hit, miss = self.histories.get("MAIN.cache_hit"), self.histories.get("MAIN.cache_miss")
        if hit is None or miss is None or hit.averages[number] + miss.averages[number] <= 0:
            return "-"
        return f"{hit.averages[number] / (hit.averages[number] + miss.averages[number]):.1%}"

    def _row(self, history: _History) -> list[str | Text]:
        counter = history.counter
        uptime = self._value("MGT.uptime" if counter.ident == "MGT" else "MAIN.uptime")
        counts = counter.kind.semantics == "c"
        values: list[str | Text] = [self._text(counter.value, counter)]
        values.append(self._text(history.change, counter) if counts or history.change else ".")
        values.append(self._text(counter.value / uptime, counter) if counts and uptime else ".")
        values.extend(
            "." if counter.kind.semantics == "b" else self._text(average, counter)
            for average in history.averages
        )
        return [Text(counter.name), *values]

    def _text(self, value: float, counter: Counter) -> str:
        kind = counter.kind.format
        if kind == "b":
            return f"{int(value):016x}"
        if kind == "B" and self.scale:
            return scaled(value)
        if kind == "d" and self.scale and isinstance(value, int):
            return _clock(value)
        return str(value) if isinstance(value, int) else f"{value:.2f}"


def scaled(value: float) -> str:
    number = 0
    while abs(value) >= 1024 and number < len(_BYTES) - 1:
        value /= 1024
        number += 1
    return f"{value:.2f}{_BYTES[number]}" if number or value != int(value) else str(int(value))


def _clock(seconds: int) -> str:
    days, rest = divmod(int(seconds), 86_400)
    return f"{days}+{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
