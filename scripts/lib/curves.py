# SPDX-License-Identifier: Apache-2.0
"""Curves over time or over another quantity, several panels under each other, as an SVG."""
import math

from timing_diagram import GRID, INK, NOTE, Drawing

LEFT, RIGHT, TOP, HEAD, PLOT, FOOT = 70, 20, 50, 22, 120, 38  # pixels
COLOURS = ["#2f6fb3", "#b3524f", "#6b8e3d", "#8a4fa3"]


def ticks(most, wanted=5):
    """Round numbers from 0 to at least `most`."""
    raw = most / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw)
    return [step * i for i in range(math.ceil(most / step - 1e-9) + 1)]


def words(value):
    return f"{value:,.10g}"


class Chart:
    """Curves with common axes from 0: add() each as (name, [(x, y)]); None for y leaves a gap."""

    def __init__(self, heading, unit):
        self.heading, self.unit, self.curves = heading, unit, []

    def add(self, name, points):
        self.curves.append((name, points))

    def most(self, axis):
        return max(point[axis] for _, points in self.curves for point in points if point[1] is not None)

    def draw(self, drawing, top, across, width):
        up = ticks(self.most(1), 4)
        place = {value: top + HEAD + PLOT * (1 - value / up[-1]) for value in up}
        drawing.write(10, top + 12, f"{self.heading}, {self.unit}", INK, size=11.5)
        for value, y in place.items():
            drawing.line([(LEFT, y), (width - RIGHT, y)], GRID, 0.8)
            drawing.write(LEFT - 6, y + 4, words(value), NOTE, "end", 10)
        for value in across:
            x = self.x(value, across, width)
            drawing.line([(x, top + HEAD), (x, top + HEAD + PLOT)], GRID, 0.8)
        for number, (_, points) in enumerate(self.curves):
            line = []
            for x, y in points + [(0, None)]:
                if y is not None:
                    line.append((self.x(x, across, width), top + HEAD + PLOT * (1 - y / up[-1])))
                elif line:
                    drawing.line(line, COLOURS[number], 1.4)
                    line = []

    @staticmethod
    def x(value, across, width):
        return LEFT + (width - LEFT - RIGHT) * value / across[-1]


def curves(title, charts, across_unit, width=900):
    """All charts have the same horizontal axis."""
    across = ticks(max(chart.most(0) for chart in charts), 10)
    height = TOP + len(charts) * (HEAD + PLOT + 12) + FOOT
    drawing = Drawing(width, height, title)
    at = LEFT
    names = list(dict.fromkeys(name for chart in charts for name, _ in chart.curves))
    for number, name in enumerate(names if len(names) > 1 else []):
        drawing.box(at, 35, 18, 4, COLOURS[number])
        drawing.write(at + 23, 41, name, NOTE, size=10)
        at += 45 + 6 * len(name)
    top = TOP
    for chart in charts:
        chart.draw(drawing, top, across, width)
        top += HEAD + PLOT + 12
    for value in across:
        drawing.write(Chart.x(value, across, width), top + 6, words(value), NOTE, "middle", 10)
    drawing.write(width - RIGHT, top + 22, across_unit, NOTE, "end", 10)
    return drawing.text()
