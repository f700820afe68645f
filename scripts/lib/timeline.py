# SPDX-License-Identifier: Apache-2.0
"""Timelines: bus and dies from a value change dump, and rows of bars under headings, as an SVG."""
import re

from timing_diagram import GRID, INK, NOTE, Drawing, read_vcd

LEFT, RIGHT, TOP, HEAD, ROW, BAR = 70, 20, 56, 34, 17, 12  # pixels: names, margin, title, heading of a panel, row, bar
COLOURS = {"command": "#1b2733", "data in": "#2f6fb3", "data out": "#2a8c8c", "status": "#8a4fa3", "wait": "#9aa7b3",
           "array": "#f0b35b", "rest": "#f7ddb0", "frame": "#5f7fb8", "burst": "#8a4fa3", "work": "#b3524f", "code": "#6b8e3d"}
LEGEND = [("command", "command, address"), ("data in", "data in"), ("data out", "data out"), ("status", "status"),
          ("array", "R/B# low"), ("rest", "array at work"),
          ("frame", "frame on the link"), ("burst", "burst"), ("work", "firmware"), ("code", "decoding")]
US = 1000000  # picoseconds


class Timeline:
    """A channel as recorded in a dump: segments on the bus and busy arrays, times in ps."""

    def __init__(self, text):
        names, changes, self.end = read_vcd(text, lambda name: name == "phase" or name.startswith(("CE_n", "RB_n")))
        if "phase" not in changes:
            raise ValueError("no dump of a channel: it has no phases")
        chips = [name for name in names if name.startswith("CE_n")]
        self.dies = [name for name in names if name.startswith("RB_n")]
        per_chip = len(self.dies) // len(chips)
        selected = {chip: low(changes[chip], self.end) for chip in chips}
        self.segments = []  # (start, end, chip, label)
        phases = changes["phase"]
        for (start, label), (end, _) in zip(phases, phases[1:] + [(self.end, "")]):
            if label:
                chip = next((n for n, c in enumerate(chips) if any(a <= start < b for a, b in selected[c])), 0)
                self.segments.append((start, end, chip, label))
        if not self.segments:
            raise ValueError("nothing happens on this channel")
        self.arrays = {n: low(changes[die], self.end) for n, die in enumerate(self.dies)}
        # Dies that share a chip enable: the pins alone do not show which of them is addressed.
        self.chip_of = {n: n for n in self.arrays} if per_chip == 1 else {}


def low(series, end):
    spans = []
    for (start, value), (stop, _) in zip(series, series[1:] + [(end, "")]):
        if value == "0":
            spans.append((start, stop))
    return spans


def kind_of(label):
    if label in ("spare record", "id bytes"):
        return "data out"
    if label in ("data in", "data out", "status"):
        return label
    return "wait" if label.startswith("t") or label.endswith("amble") else "command"


class Panel:
    """Rows under one heading, all with the same origin; add() bars, then draw()."""

    def __init__(self, heading, note, rows):
        self.heading, self.note, self.rows = heading, note, rows
        self.bars = []  # (row, start, end, kind, text)

    def add(self, row, start, end, kind, text=""):
        self.bars.append((row, start, end, kind, text))

    def head(self):
        return HEAD if self.note else HEAD - 14

    def height(self):
        return self.head() + ROW * len(self.rows) + 10

    def draw(self, drawing, top, x, length, step):
        drawing.write(10, top + 12, self.heading, INK, size=11.5)
        if self.note:
            drawing.write(10, top + 26, self.note, NOTE, size=10)
        top += self.head()
        for tick in range(0, int(length) + 1, step):
            drawing.line([(x(tick), top - 4), (x(tick), top + ROW * len(self.rows))], GRID, 0.8)
        for number, name in enumerate(self.rows):
            y = top + ROW * number
            drawing.write(LEFT - 6, y + 10, name, INK, "end", 10)
            drawing.line([(LEFT, y + BAR + 1.5), (x(length), y + BAR + 1.5)], GRID, 0.8)
        for row, start, end, kind, text in self.bars:
            if start >= length or end <= 0:
                continue
            a, b = x(max(start, 0)), x(min(end, length))
            y = top + ROW * row
            drawing.box(a, y, max(b - a, 0.7), BAR, COLOURS[kind])
            words = next((t for t in (text, *re.findall(r"[\d.]+(?= us)", text)) if b - a > 5.4 * len(t) + 3), "")
            if words:
                dark = kind in ("array", "rest", "wait")
                drawing.write((a + b) / 2, y + 9.5, words, INK if dark else "white", "middle", 9)


def figure(title, panels, length, width=900):
    """`length` in ps."""
    used = {kind for panel in panels for _, start, _, kind, _ in panel.bars if start < length}
    scale = (width - LEFT - RIGHT) / length

    def x(time):
        return LEFT + time * scale

    bottom = TOP + sum(panel.height() for panel in panels)
    drawing = Drawing(width, bottom + 26, title)
    at = LEFT
    for kind, words in (row for row in LEGEND if row[0] in used):
        drawing.box(at, 32, 11, 11, COLOURS[kind])
        drawing.write(at + 15, 41, words, NOTE, size=10)
        at += 32 + 6 * len(words)
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if length / (s * US) <= 12) * US
    for tick in range(0, int(length) + 1, step):
        drawing.write(x(tick), bottom + 14, f"{tick // US}" + (" us" if tick == 0 else ""), NOTE, "middle", 10)
    top = TOP
    for panel in panels:
        panel.draw(drawing, top, x, length, step)
        top += panel.height()
    return drawing.text()


def channel_panel(timeline, heading, note, origin):
    """The bus with the number of the chip on it, and a row for each die."""
    panel = Panel(heading, note, ["bus"] + [f"die {n}" for n in timeline.arrays])
    for start, end, chip, label in timeline.segments:
        kind = kind_of(label)
        panel.add(0, start - origin, end - origin, kind, str(chip) if kind.startswith("data") else "")
        for die, its_chip in timeline.chip_of.items():
            if its_chip == chip:
                panel.add(1 + die, start - origin, end - origin, kind)
    for die, spans in timeline.arrays.items():
        for start, end in spans:
            panel.add(1 + die, start - origin, end - origin, "array")
    return panel
