# SPDX-License-Identifier: Apache-2.0
"""Horizontal bars of several parts, in panels that each have a scale of their own, as an SVG."""
from curves import ticks, words
from timing_diagram import GRID, INK, NOTE, Drawing

LEFT, RIGHT, TOP, HEAD, ROW, FOOT = 250, 150, 66, 20, 24, 34  # pixels
COLOURS = ["#2f6fb3", "#c4622d", "#6b8e3d", "#8a4fa3", "#c9a227", "#5b6b7a", "#3aa6a0", "#b23a48"]


class Panel:
    """Add each bar as its name, its parts (in the order of the legend) and a note, which is written after it."""

    def __init__(self, heading, unit):
        self.heading, self.unit, self.bars = heading, unit, []

    def add(self, name, parts, note=""):
        self.bars.append((name, parts, note))

    def height(self):
        return HEAD + ROW * len(self.bars) + FOOT

    def draw(self, drawing, top, width):
        marks = ticks(max(sum(parts) for _, parts, _ in self.bars), 6)
        scale = (width - LEFT - RIGHT) / marks[-1]
        bottom = top + HEAD + ROW * len(self.bars)
        drawing.write(10, top + 12, f"{self.heading}, {self.unit}", INK, size=11.5)
        for mark in marks:
            drawing.line([(LEFT + mark * scale, top + HEAD), (LEFT + mark * scale, bottom)], GRID, 0.8)
            drawing.write(LEFT + mark * scale, bottom + 13, words(mark), NOTE, "middle", 10)
        for number, (name, parts, note) in enumerate(self.bars):
            y, at = top + HEAD + ROW * number, LEFT
            drawing.write(LEFT - 8, y + 16, name, INK, "end", 10.5)
            for part, colour in zip(parts, COLOURS):
                drawing.box(at, y + 4, part * scale, ROW - 8, colour)
                at += part * scale
            drawing.write(at + 6, y + 16, note, NOTE, size=10)


def bars(title, legend, panels, width=900):
    """`legend`: the names of the parts."""
    drawing = Drawing(width, TOP + sum(panel.height() for panel in panels), title)
    at = 10
    for name, colour in zip(legend, COLOURS):
        drawing.box(at, 36, 12, 10, colour)
        drawing.write(at + 17, 45, name, NOTE, size=10)
        at += 33 + 6 * len(name)
    top = TOP
    for panel in panels:
        panel.draw(drawing, top, width)
        top += panel.height()
    return drawing.text()
