// The page of the dashboard. Texts of clients (URLs, fields) enter the page only as text nodes.
"use strict";

const TOKEN = /^[0-9a-f]{64}$/;
const RETRY_MS = 1000;
const TABLES_MS = 2000;
const PLOT = { left: 44, right: 8, top: 8, bottom: 20, lines: 2 };
const GROUP_ROWS = 4; // URLs of a reason, until somebody wants all
const PROBES = 32; // newest polls shown of a probe
const $ = (id) => document.getElementById(id);

const page = {
  token: "", seconds: 900, paused: false, order: "hits", cursor: -1,
  state: null, history: null, charts: [], tablesAt: 0, stream: null,
};

// ---- elements -----------------------------------------------------------------------------------

function make(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

function draw(name, attributes = {}, text = "") {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text) e.textContent = text;
  return e;
}

// ---- numbers ------------------------------------------------------------------------------------

const known = (x) => typeof x === "number" && Number.isFinite(x);

function digits(x, of = 3) {
  if (!known(x)) return "–";
  const fraction = x === 0 ? 0 : Math.min(Math.max(of - 1 - Math.floor(Math.log10(Math.abs(x))), 0), 2);
  return x.toLocaleString("en", { minimumFractionDigits: fraction, maximumFractionDigits: fraction });
}

function scaled(x, base, units, of = 3) {
  if (!known(x)) return ["–", ""];
  let i = 0;
  while (Math.abs(x) >= base && i < units.length - 1) { x /= base; i++; }
  return [i === 0 && base === 1024 ? Math.round(x).toString() : digits(x, of), units[i]];
}

const count = (x) => scaled(x, 1000, ["", "k", "M", "G"]);
const size = (x) => scaled(x, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
const percent = (x) => [known(x) ? (100 * x).toFixed(x === 0 || x === 1 ? 0 : 1) : "–", "%"];

function seconds(x) {
  if (!known(x)) return ["–", ""];
  if (x < 1e-3) return [digits(x * 1e6, 2), "µs"];
  return x < 1 ? [digits(x * 1e3), "ms"] : [digits(x), "s"];
}

// For an axis: without zeros behind the point.
const short = ([number, unit]) => flat([number.includes(".") ? number.replace(/\.?0+$/, "") : number, unit]);
const flat = ([number, unit]) => (unit && unit !== "k" && unit !== "%" ? `${number} ${unit}` : number + unit);

function span(s) {
  const steps = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const parts = [];
  let left = Math.max(Math.floor(s), 0);
  for (const [step, unit] of steps) {
    const n = Math.floor(left / step);
    left -= n * step;
    if (n > 0) parts.push(`${n} ${unit}`);
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}

function clock(s, withSeconds = false) {
  const d = new Date(1000 * s);
  const two = (n) => String(n).padStart(2, "0");
  return `${two(d.getHours())}:${two(d.getMinutes())}${withSeconds ? ":" + two(d.getSeconds()) : ""}`;
}

function moment(s) {
  const d = new Date(1000 * s);
  const two = (n) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${clock(s, true)}`;
}

// ---- charts -------------------------------------------------------------------------------------

// The smallest of 1, 2, 5 times a power of `base` that is at least x.
function niceMax(x, base = 10) {
  if (!(x > 0)) return 1;
  const power = base === 10 ? 10 ** Math.floor(Math.log10(x)) : 1024 ** Math.floor(Math.log(x) / Math.log(1024));
  const steps = base === 10 ? [1, 2, 4, 5, 10] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
  return power * steps.find((s) => s * power >= x * 0.999);
}

function runs(values, at) { // [[x, y], ...] for each stretch without gaps
  const found = [];
  let run = [];
  values.forEach((value, i) => {
    if (known(value)) run.push(at(i, value));
    else if (run.length) { found.push(run); run = []; }
  });
  if (run.length) found.push(run);
  return found;
}

const pathOf = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

class Plot {
  // series: [{label, colour, of(history) -> values}]; format(x) -> [number, unit]
  constructor(options) {
    Object.assign(this, { stacked: false, base: 10, max: 0, top: 0, lines: PLOT.lines, ticks: true }, options);
    this.svg = draw("svg", { class: "plot", tabindex: "0", role: "img" });
    this.svg.addEventListener("pointermove", (e) => this.point(e));
    this.svg.addEventListener("pointerleave", () => moveCursor(-1));
    this.svg.addEventListener("keydown", (e) => this.key(e));
    this.svg.addEventListener("blur", () => moveCursor(-1));
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }

  layers() { // of each series: values and, when stacked, the values below
    const values = this.series.map((s) => s.of(page.history));
    if (!this.stacked) return values.map((v) => ({ upper: v, lower: v.map((x) => (known(x) ? 0 : null)) }));
    let lower = values[0].map((x) => (known(x) ? 0 : null));
    return values.map((v) => {
      const layer = { lower, upper: v.map((x, i) => (known(x) && known(lower[i]) ? lower[i] + x : null)) };
      lower = layer.upper;
      return layer;
    });
  }

  draw() {
    const h = page.history, width = this.svg.clientWidth, height = this.svg.clientHeight;
    if (!h || !width) return;
    const layers = this.layers();
    const highest = Math.max(0, ...layers.flatMap((l) => l.upper.filter(known)));
    const max = this.max || niceMax(Math.max(highest, this.top), this.base);
    const right = width - PLOT.right, bottom = height - PLOT.bottom;
    const points = Math.max(layers[0].upper.length - 1, 1);
    this.x = (i) => PLOT.left + (i / points) * (right - PLOT.left);
    this.y = (v) => bottom - (Math.min(v, max) / max) * (bottom - PLOT.top);
    const parts = [...this.axes(h, max, right, bottom)];
    layers.forEach((layer, s) => parts.push(...this.layer(layer, this.series[s].colour)));
    this.drawn = layers;
    this.cursor = draw("g");
    this.svg.replaceChildren(...parts, this.cursor);
    this.showCursor();
    this.svg.setAttribute("aria-label", this.summary(layers));
  }

  *axes(h, max, right, bottom) {
    for (let i = 0; i <= this.lines; i++) {
      const value = (max * i) / this.lines, y = Math.round(this.y(value));
      yield draw("line", { class: "grid", x1: PLOT.left, x2: right, y1: y, y2: y });
      yield draw("text", { x: PLOT.left - 6, y: y + 4, "text-anchor": "end" }, value ? short(this.format(value)) : "0");
    }
    const length = h.step * (h.requests.length - 1), first = h.from;
    const wide = right - PLOT.left > 260;
    const n = this.ticks ? (wide ? 3 : 1) : 1;
    for (let i = 0; i <= n; i++) {
      const x = PLOT.left + (i / n) * (right - PLOT.left);
      const anchor = i === 0 ? "start" : i === n ? "end" : "middle";
      yield draw("text", { x, y: bottom + 15, "text-anchor": anchor }, clock(first + (i / n) * length));
    }
  }

  *layer({ upper, lower }, colour) {
    const tops = runs(upper, (i, v) => [this.x(i), this.y(v)]);
    const floors = runs(upper.map((v, i) => (known(v) ? lower[i] : null)), (i, v) => [this.x(i), this.y(v)]);
    for (let r = 0; r < tops.length; r++) {
      const area = `${pathOf(tops[r])}${pathOf([...floors[r]].reverse()).replace("M", "L")}Z`;
      if (this.stacked) yield draw("path", { class: `band c-${colour}`, d: area });
      else {
        if (this.series.length === 1) yield draw("path", { class: `area c-${colour}`, d: area });
        yield draw("path", { class: `line c-${colour}`, d: pathOf(tops[r]) });
        if (tops[r].length === 1)
          yield draw("circle", { class: `mark c-${colour}`, cx: tops[r][0][0], cy: tops[r][0][1], r: 2.5 });
      }
    }
  }

  summary() {
    const texts = this.series.map((s) => {
      const values = s.of(page.history).filter(known);
      if (!values.length) return `${s.label}: nothing known`;
      const [least, most] = [Math.min(...values), Math.max(...values)].map((v) => flat(this.format(v)));
      return `${s.label}: ${flat(this.format(values[values.length - 1]))} now, ${least} to ${most}`;
    });
    return `${this.title}, ${span(page.seconds)}. ${texts.join("; ")}`;
  }

  point(e) {
    if (!this.drawn) return;
    const n = this.drawn[0].upper.length - 1, box = this.svg.getBoundingClientRect();
    const share = (e.clientX - box.left - PLOT.left) / (box.width - PLOT.left - PLOT.right);
    moveCursor(Math.min(Math.max(Math.round(share * n), 0), n));
  }

  key(e) {
    if (!this.drawn) return;
    const n = this.drawn[0].upper.length - 1, from = page.cursor < 0 ? n : page.cursor;
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -n, End: n };
    if (e.key === "Escape") moveCursor(-1);
    else if (e.key in steps) {
      moveCursor(page.cursor < 0 && steps[e.key] < 0 ? n : Math.min(Math.max(from + steps[e.key], 0), n));
      e.preventDefault();
    }
  }

  showCursor() {
    if (!this.cursor || !this.drawn) return;
    const i = page.cursor, bottom = this.svg.clientHeight - PLOT.bottom, marks = [];
    if (i >= 0 && i < this.drawn[0].upper.length) {
      const x = Math.round(this.x(i));
      marks.push(draw("line", { class: "cursor", x1: x, x2: x, y1: PLOT.top, y2: bottom }));
      this.drawn.forEach((layer, s) => {
        if (known(layer.upper[i]))
          marks.push(draw("circle", { class: `mark c-${this.series[s].colour}`, cx: x, cy: this.y(layer.upper[i]), r: 3 }));
      });
    }
    this.cursor.replaceChildren(...marks);
  }
}

// A card: title, the value now, a key with the value of each series, the plot.
class Card {
  constructor(options) {
    Object.assign(this, options);
    this.figure = document.querySelector(`[data-chart="${this.name}"]`);
    this.big = make("div", { class: "big" });
    this.at = make("span", { class: "at" });
    this.keys = make("ul", { class: "keys" });
    this.plot = new Plot({ ...options, title: this.title });
    this.more = make("div");
    const head = make("figcaption", { class: "head" }, make("span", { class: "title" }, this.title), this.at);
    this.figure.append(head, this.big, this.keys, this.plot.svg, this.more);
  }

  values() { // at the cursor, or now
    const i = page.cursor;
    return this.series.map((s) => {
      if (i >= 0 && page.history) return s.of(page.history)[i];
      return page.state ? s.now(page.state) : null;
    });
  }

  show() {
    const values = this.values(), [number, unit] = this.format(this.total ? this.total(values) : values[0]);
    this.big.replaceChildren(number, make("small", {}, unit + (this.unit || "")));
    this.keys.replaceChildren(...this.series.map((s, i) => make("li", {},
      make("span", { class: `swatch c-${s.colour}` }), s.label, make("b", {}, flat(this.format(values[i]))))));
    this.at.textContent = page.cursor >= 0 && page.history
      ? `at ${clock(page.history.from + page.cursor * page.history.step, true)}` : "now";
    if (this.extra && page.state) this.more.replaceChildren(...this.extra(page.state));
    this.plot.showCursor();
  }

  draw() { this.plot.draw(); this.show(); }
}

// One small chart for each status class, because a few errors vanish beside many good responses.
class StatusCard {
  constructor() {
    const rows = [["2xx", "green"], ["3xx", "blue"], ["4xx", "amber"], ["5xx", "red"]];
    this.figure = document.querySelector('[data-chart="status"]');
    this.at = make("span", { class: "at" });
    const grid = make("div", { class: "multiples" });
    this.parts = rows.map(([label, colour]) => {
      const big = make("div", { class: "big" });
      const series = [{ label, colour, of: (h) => h[`s${label}`], now: (s) => s.rates && s.rates[`s${label}`] }];
      const plot = new Plot({ title: `Responses ${label} a second`, series, format: count, ticks: false });
      grid.append(make("div", {},
        make("ul", { class: "keys" }, make("li", {}, make("span", { class: `swatch c-${colour}` }), label)), big, plot.svg));
      return { series: series[0], big, plot };
    });
    this.figure.append(make("figcaption", { class: "head" },
      make("span", { class: "title" }, "Responses a second, by status"), this.at), grid);
  }

  show() {
    const i = page.cursor, cursor = i >= 0 && page.history;
    for (const { series, big, plot } of this.parts) {
      const value = cursor ? series.of(page.history)[i] : page.state && series.now(page.state);
      const [number, unit] = count(value);
      big.replaceChildren(number, make("small", {}, `${unit}/s`));
      plot.showCursor();
    }
    this.at.textContent = cursor ? `at ${clock(page.history.from + i * page.history.step, true)}` : "now";
  }

  draw() { for (const { plot } of this.parts) plot.draw(); this.show(); }
}

function moveCursor(i) {
  if (page.cursor === i) return;
  page.cursor = i;
  for (const chart of page.charts) chart.show();
}

function ratio(hits, misses, passes) {
  const all = hits + misses + passes;
  return known(all) && all > 0 ? hits / all : null;
}

function fills(state) {
  return [make("div", { class: "fills" }, ...state.storages.flatMap((s) => {
    const text = s.limit ? `${flat(size(s.used))} of ${flat(size(s.limit))}` : flat(size(s.used));
    const bar = make("i");
    bar.style.width = `${s.limit ? Math.min((100 * s.used) / s.limit, 100) : 0}%`;
    const row = make("div", { class: "row" }, breakable(s.name), make("span", { class: "one" }, text));
    return s.limit ? [row, make("div", { class: "fill" }, bar)] : [row];
  }))];
}

const rate = (name) => (s) => s.rates && s.rates[name];

function makeCharts() {
  const each = (h, f) => h.requests.map((_, i) => f(i));
  page.charts = [
    new Card({
      name: "requests", title: "Requests a second", unit: "/s", stacked: true, format: count,
      total: () => (page.cursor >= 0 ? page.history.requests[page.cursor] : page.state && rate("requests")(page.state)),
      series: [
        { label: "hits", colour: "blue", of: (h) => h.hits, now: rate("hits") },
        { label: "misses", colour: "orange", of: (h) => h.misses, now: rate("misses") },
        { label: "passes", colour: "violet", of: (h) => h.passes, now: rate("passes") },
      ],
    }),
    new Card({
      name: "ratio", title: "Hit ratio", format: percent, max: 1,
      series: [{
        label: "of hits, misses and passes", colour: "blue",
        of: (h) => each(h, (i) => ratio(h.hits[i], h.misses[i], h.passes[i])),
        now: (s) => s.rates && ratio(s.rates.hits, s.rates.misses, s.rates.passes),
      }],
    }),
    new Card({
      name: "origin", title: "Origin, time to first byte", format: seconds,
      series: [
        { label: "median", colour: "blue", of: (h) => h.origin_p50, now: (s) => s.origin && s.origin.p50 },
        { label: "95 %", colour: "orange", of: (h) => h.origin_p95, now: (s) => s.origin && s.origin.p95 },
      ],
    }),
    new StatusCard(),
    new Card({
      name: "bytes", title: "Sent to clients", unit: "/s", format: size, base: 1024,
      series: [{ label: "heads and bodies", colour: "blue", of: (h) => h.bytes, now: (s) => s.rates && s.rates.head_bytes + s.rates.body_bytes }],
    }),
    new Card({
      name: "storage", title: "Storage", format: size, base: 1024, extra: fills,
      series: [{ label: "used by responses", colour: "blue", of: (h) => h.used_bytes, now: (s) => s.storages.reduce((sum, one) => sum + one.used, 0) }],
    }),
  ];
}

// ---- tables -------------------------------------------------------------------------------------

const BREAKS = /(?<=[/._\-?&=:,;@+ ])/; // a line may end behind these
const UNBROKEN = 28; // characters; a longer piece is shortened in its middle
const ROWS = 12; // of a table, until somebody wants all
const opened = new Set(); // tables and groups that show all rows

// The text with places where a line may end. The whole text is the title if a piece is shortened.
function breakable(text, cls = "") {
  const pieces = String(text).split(BREAKS), e = make("span", { class: cls });
  for (const piece of pieces) {
    const isLong = piece.length > UNBROKEN;
    e.append(isLong ? `${piece.slice(0, UNBROKEN / 2)}…${piece.slice(1 - UNBROKEN / 2)}` : piece, make("wbr"));
    if (isLong) e.title = text;
  }
  return e;
}

// A row that says how many rows are left out, and shows or hides them.
function moreRow(name, columns, hidden, beyond) {
  const isOpen = opened.has(name), cell = make("td", { colspan: columns, class: "more" });
  if (hidden > 0 || isOpen) {
    const button = make("button", { type: "button", "aria-expanded": String(isOpen), "data-more": name }, isOpen ? "fewer" : `${hidden} more`);
    button.addEventListener("click", () => { if (!opened.delete(name)) opened.add(name); showTables(); focusMore(name); });
    cell.append(button);
  }
  if (beyond) cell.append(make("span", { class: "quiet" }, beyond));
  return make("tr", {}, cell);
}

function focusMore(name) { document.querySelector(`[data-more="${name}"]`)?.focus(); }

// No row for the sake of one row.
const firstRows = (name, rows, most) => (opened.has(name) || rows.length <= most + 1 ? rows : rows.slice(0, most));

// columns: [[title, class]]; rows: lists of cells, each a text or an element, or a row that is made already.
// beyond: what is known about rows that the daemon did not send. most: rows without a click
function fillTable(id, columns, rows, empty, { beyond = "", most = ROWS } = {}) {
  const table = $(id), selection = document.getSelection();
  if (selection && !selection.isCollapsed && table.contains(selection.anchorNode)) return; // somebody copies
  if (!rows.length) {
    table.replaceChildren(make("tbody", {}, make("tr", {}, make("td", { class: "empty" }, empty))));
    return;
  }
  const focused = table.contains(document.activeElement) && document.activeElement.dataset.more;
  const cell = (kind, content, cls) => make(kind, { class: cls, ...(kind === "th" && { scope: "col" }) },
    typeof content === "string" && cls.startsWith("text") ? breakable(content) : content);
  const shown = firstRows(id, rows, most), body = shown.map((row) => (row instanceof Element ? row
    : make("tr", {}, ...row.map((content, i) => {
      const td = cell("td", content, columns[i][1]);
      if (i > 0) td.dataset.label = columns[i][0]; // shown where the table has no room for heads
      return td;
    }))));
  if (rows.length > most + 1 || beyond) body.push(moreRow(id, columns.length, rows.length - shown.length, beyond));
  table.replaceChildren(
    make("thead", {}, make("tr", {}, ...columns.map(([title, cls]) => cell("th", title, cls)))), make("tbody", {}, ...body));
  if (focused) focusMore(focused);
}

// A share as a bar, as long as `most` at its full length, and as a number.
function share(part, most) {
  const bar = make("i");
  bar.style.width = `${most > 0 ? 100 * Math.min(part / most, 1) : 0}%`;
  return make("span", { class: "one" }, make("span", { class: "share" }, bar), make("span", { class: "part" }, flat(percent(part))));
}

function shares(rows, of) { // for each row its bar
  const all = rows.reduce((sum, row) => sum + of(row), 0), most = Math.max(0, ...rows.map(of));
  return (row, total = all) => share(total > 0 ? of(row) / total : 0, total > 0 ? most / total : 0);
}

function probeStrip(details) {
  if (!details || details.bits_H === undefined) return make("span", { class: "quiet" }, "no probe");
  const bits = BigInt(details.bits_H);
  const polled = Object.keys(details).filter((k) => k.startsWith("bits_") && k !== "bits_H")
    .reduce((all, k) => all | BigInt(details[k]), bits);
  const svg = draw("svg", { class: "probes", viewBox: `0 0 ${PROBES * 5} 14`, preserveAspectRatio: "none", role: "img" });
  let good = 0, known = 0;
  for (let i = 0; i < PROBES; i++) {
    const at = BigInt(PROBES - 1 - i), was = (polled >> at) & 1n, ok = (bits >> at) & 1n;
    known += Number(was);
    good += Number(ok);
    const height = ok ? 14 : was ? 7 : 2;
    svg.append(draw("rect", { class: ok ? "" : was ? "bad" : "none", x: i * 5, y: 14 - height, width: 4, height }));
  }
  svg.setAttribute("aria-label", `${good} of the last ${known} polls were good`);
  svg.append(draw("title", {}, `${good} of the last ${known} polls were good; the newest is on the right`));
  return svg;
}

function health(word) {
  const cls = word === "healthy" ? "good" : word === "sick" ? "bad" : "warn";
  return make("span", { class: "health" }, make("span", { class: `dot ${cls}` }), word);
}

function showBackends(s) {
  const rows = Object.entries(s.backends || {}).map(([name, b]) => {
    const r = s.backend_rates[name] || {}, d = b.probe_details || {};
    const window = d.window ? `${d.good}/${d.window}` : "";
    return [name, health(b.probe_message[2]), probeStrip(d), window, flat(count(r.requests)),
      known(r.connections) ? String(r.connections) : "–", known(r.failures) ? String(r.failures) : "–",
      b.last_change ? `${span(s.now - b.last_change)} ago` : "–"];
  });
  fillTable("backends", [["Backend", "text"], ["Health", ""], ["Probes", "one"], ["Good", "n"], ["Requests/s", "n"],
    ["Open", "n"], ["Failed", "n"], ["Changed", "n"]], rows, s.worker === "running" ? "The active policy has no backends." : "No worker runs.");
}

function showPolicies(s) {
  const rows = [...s.policies].sort((a, b) => b.active - a.active || b.activated - a.activated).map((p) => {
    const state = p.active ? "active" : p.suspect ? "suspect" : p.state;
    const cls = p.active ? "good" : p.suspect ? "bad" : "";
    const name = p.policy ? `${p.name} → ${p.policy}` : p.name;
    return [name, make("span", { class: "health" }, make("span", { class: `dot ${cls}` }), state),
      p.activated ? moment(p.activated) : "–", p.activated && p.active ? span(s.now - p.activated) : "",
      p.by || "", p.file || ""];
  });
  fillTable("policies", [["Policy", "text"], ["State", ""], ["Last became active", "one"], ["For", "n"], ["By", "one"], ["File", "text"]], rows,
    "No policy is loaded.");
}

function urlCell(u) {
  const e = make("span", { class: "mono", title: `${u.host}${u.url}` }, breakable(u.host, "quiet"), breakable(u.url));
  if (u.marker) e.append(make("span", { class: "quiet tag" }, ` ${u.marker}`));
  return e;
}

function showUrls(s) {
  const requests = shares(s.urls, (u) => u.requests);
  const rows = s.urls.map((u) => [urlCell(u), requests(u, s.recent),
    flat(percent(ratio(u.hits, u.misses, u.passes)))]);
  fillTable("urls", [["URL", "text url"], ["Of requests", "n"], ["Hits", "n"]], rows, "No requests in the last minutes.",
    { beyond: beyond(s.urls_in_all - s.urls.length, "vernis top -i ReqURL") });
  const all = s.values.requests, part = all > 0 ? Math.min(s.sampled / all, 1) : 1;
  const note = part < 0.95 ? `last minutes, sample of ${flat(percent(part))}` : "last minutes";
  for (const e of document.querySelectorAll(".sampled")) e.textContent = note;
}

const beyond = (n, command) => (n > 0 ? ` ${n} less frequent: ${command}` : "");

// Misses and passes by their reason, the most frequent first, each with its URLs.
function showMisses(s) {
  const reasons = [...s.reasons].sort((a, b) => b.requests - a.requests), rows = [];
  const lost = shares(reasons, (r) => r.requests), lostOfUrl = shares(s.misses, (u) => u.misses + u.passes);
  const all = reasons.reduce((sum, r) => sum + r.requests, 0);
  for (const r of reasons) {
    const head = make("td", { class: "text" }, make("b", { class: "id" }, r.reason), breakable(r.text.replace(/ s$/, "\u00a0s")));
    rows.push(make("tr", { class: "group" }, head, make("td", { class: "n", "data-label": "Of these" }, lost(r))));
    const urls = s.misses.filter((u) => u.reason === r.reason), name = `misses ${r.reason}`;
    const shown = firstRows(name, urls, GROUP_ROWS);
    for (const u of shown) {
      const cell = make("td", { class: "text url" }, urlCell(u));
      if (u.text !== r.text) cell.append(make("div", { class: "quiet" }, breakable(u.text.replace(/ s$/, "\u00a0s"))));
      rows.push(make("tr", { class: "in" }, cell, make("td", { class: "n", "data-label": "Of these" }, lostOfUrl(u, all))));
    }
    const left = r.urls - urls.length;
    if (urls.length > GROUP_ROWS + 1 || left > 0) rows.push(moreRow(name, 2, urls.length - shown.length, left > 0 ? ` ${left} less frequent` : ""));
  }
  fillTable("misses", [["Reason and URLs", "text url"], ["Of these", "n"]], rows, "Every request was a hit in the last minutes.",
    { most: Infinity });
}

function showRules(s) {
  const r = s.rules || { policy: "the policy", rules: [], requests: 0 };
  const cost = (rule) => rule.hits * (rule.ns || 0), time = shares(r.rules, cost);
  const by = page.order === "hits" ? (rule) => rule.hits : cost;
  const rows = [...r.rules].sort((a, b) => by(b) - by(a)).map((rule) => [
    breakable(`${rule.file}:${rule.line}`, "mono"), breakable(rule.name ? `@${rule.name} ${rule.rule}` : rule.rule, "mono"),
    rule.hits.toLocaleString("en"), r.requests ? flat(percent(rule.hits / r.requests)) : "–",
    known(rule.ns) ? flat(seconds(rule.ns / 1e9)) : "–", time(rule)]);
  fillTable("rules", [["Place", "text"], ["Rule", "text"], ["Hits", "n"], ["Of requests", "n"], ["A run", "n"], ["Of the time", "n"]], rows,
    "No rules are counted: see the parameter rule_counters.", { beyond: beyond(r.count - rows.length, "vernis top --rules") });
  $("rules-policy").replaceChildren(breakable(r.policy));
}

// ---- state --------------------------------------------------------------------------------------

function setState(cls, text) {
  $("state").className = `state ${cls}`;
  $("state-text").textContent = text;
}

function showState() {
  const s = page.state;
  if (!s) return;
  document.title = s.rates ? `${flat(count(s.rates.requests))}/s · ${s.identity}` : `Vernis · ${s.identity}`;
  $("identity").replaceChildren(breakable(s.identity));
  $("version").textContent = `Vernis ${s.version}`;
  setState(s.worker === "running" ? "good" : "bad", page.paused ? "paused" : s.worker);
  $("up").textContent = s.worker === "running"
    ? `worker up ${span(s.worker_up)}, manager ${span(s.manager_up)}` : `manager up ${span(s.manager_up)}`;
  for (const chart of page.charts) chart.show();
  if (performance.now() - page.tablesAt < TABLES_MS) return;
  page.tablesAt = performance.now();
  showTables();
}

function showTables() {
  const s = page.state;
  if (!s) return;
  showBackends(s);
  showPolicies(s);
  showUrls(s);
  showMisses(s);
  showRules(s);
}

// ---- the server ---------------------------------------------------------------------------------

async function ask(path, signal) {
  const answer = await fetch(path, { headers: { Authorization: `Bearer ${page.token}` }, cache: "no-store", signal });
  if (answer.status === 401) { askToken("The daemon refuses this token. vernis dashboard prints the right one."); throw new Error("token"); }
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}

async function follow(signal) {
  const reader = (await ask("/events", signal)).body.getReader(), decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      if (!event.startsWith("data: ") || page.paused) continue;
      page.state = JSON.parse(event.slice(6));
      showState();
    }
  }
}

async function watch() {
  if (page.stream) return;
  const stop = page.stream = new AbortController();
  while (page.token && !stop.signal.aborted) {
    try { await follow(stop.signal); } catch (error) {
      if (stop.signal.aborted || !page.token) break;
      setState("bad", error instanceof TypeError ? "no connection" : error.message.trim());
    }
    await new Promise((resume) => setTimeout(resume, RETRY_MS));
  }
  if (page.stream === stop) page.stream = null;
}

function unwatch() {
  if (page.stream) page.stream.abort();
  page.stream = null;
}

async function loadHistory() {
  clearTimeout(page.historyTimer);
  if (page.token && !page.paused && !document.hidden) {
    try {
      const asked = page.seconds, history = await (await ask(`/history?seconds=${asked}`)).json();
      if (asked === page.seconds) {
        page.history = history;
        for (const chart of page.charts) chart.draw();
      }
    } catch { /* watch() shows what is wrong */ }
  }
  clearTimeout(page.historyTimer);
  page.historyTimer = setTimeout(loadHistory, 1000 * Math.max(page.history ? page.history.step : 5, 5));
}

// ---- the user -----------------------------------------------------------------------------------

function stored(name, value) { // settings; a browser may forbid to store
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch { /* the setting lasts as long as the page */ }
  return null;
}

function setTheme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  $("theme").value = name;
  stored("vernis-theme", name);
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setPaused(paused) {
  page.paused = paused;
  $("pause").setAttribute("aria-pressed", String(paused));
  showState();
  if (!paused) loadHistory();
}

function setRange(value) {
  page.seconds = Number(value);
  page.cursor = -1;
  loadHistory();
}

function askToken(why) {
  page.token = "";
  unwatch();
  try { sessionStorage.removeItem("vernis-token"); } catch { /* was not stored */ }
  $("main").hidden = true;
  $("ask").hidden = false;
  $("refused").textContent = why;
  setState("warn", "no token");
  $("token").focus();
}

function useToken(token) {
  page.token = token;
  try { sessionStorage.setItem("vernis-token", token); } catch { /* asked again after a reload */ }
  $("ask").hidden = true;
  $("main").hidden = false;
  watch();
  loadHistory();
}

function tokenOfLink() {
  const token = location.hash.slice(1);
  if (!TOKEN.test(token)) return "";
  history.replaceState(null, "", location.pathname); // keep it out of bookmarks and screenshots
  return token;
}

function tokenOfSession() {
  try { return sessionStorage.getItem("vernis-token") || ""; } catch { return ""; }
}

function onKey(e) {
  if (e.ctrlKey || e.altKey || e.metaKey || ["INPUT", "SELECT"].includes(e.target.tagName) && e.target.type !== "radio") return;
  const ranges = document.querySelectorAll("#range input");
  if (e.key >= "1" && e.key <= String(ranges.length)) ranges[Number(e.key) - 1].click();
  else if (e.key === "p") setPaused(!page.paused);
  else if (e.key === "t") setTheme(isDark() ? "light" : "dark");
}

function begin() {
  setTheme(stored("vernis-theme") || "");
  makeCharts();
  $("theme").addEventListener("change", (e) => setTheme(e.target.value));
  $("pause").addEventListener("click", () => setPaused(!page.paused));
  $("range").addEventListener("change", (e) => setRange(e.target.value));
  $("order").addEventListener("change", (e) => { page.order = e.target.value; if (page.state) showRules(page.state); });
  $("ask").addEventListener("submit", (e) => { e.preventDefault(); useToken($("token").value.trim()); });
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) unwatch();
    else if (page.token) { watch(); loadHistory(); }
  });
  window.addEventListener("hashchange", () => { const token = tokenOfLink(); if (token) { unwatch(); useToken(token); } });
  const token = tokenOfLink() || tokenOfSession();
  if (token) useToken(token);
  else askToken("");
}

begin();
