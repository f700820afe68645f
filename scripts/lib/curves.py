# SPDX-License-Identifier: Apache-2.0
"""Curves over a common horizontal axis, several charts under each other, as an SVG."""
import math

from timing_diagram import GRID, INK, NOTE, Drawing

LEFT, RIGHT, TOP, HEAD, PLOT, FOOT = 70, 24, 50, 22, 130, 34  # pixels
COLOURS = ["#2f6fb3", "#c4622d", "#6b8e3d", "#8a4fa3"]
UNNAMED = "#5b6b7a"


def ticks(most, wanted):
    """Round numbers from 0 to at least `most`, about as many as wanted."""
    raw = most / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw)
    return [step * i for i in range(math.ceil(most / step - 1e-9) + 1)]


def words(value):
    return f"{value:,.10g}"


class Axis:
    """Horizontal: numbers from 0, or names at equal distances, at which the points have the places 0, 1, ..."""

    def __init__(self, title, names=None):
        self.title, self.names = title, names

    def marks(self, charts):
        """[(place, words)]"""
        if self.names:
            return list(enumerate(self.names))
        most = max(x for chart in charts for _, points in chart.curves for x, _ in points)
        return [(value, words(value)) for value in ticks(most, 10)]


class Chart:
    """Add each curve as its name and its points (x, y); the vertical axis begins at 0. Without a name, the heading says what it is."""

    def __init__(self, heading, unit):
        self.heading, self.unit, self.curves = heading, unit, []

    def add(self, name, points):
        self.curves.append((name, points))

    def draw(self, drawing, top, marks, width, has_dots, colours):
        scale = (width - LEFT - RIGHT) / marks[-1][0]
        up = ticks(max(y for _, points in self.curves for _, y in points), 4)

        def place(point):
            return LEFT + point[0] * scale, top + HEAD + PLOT * (1 - point[1] / up[-1])

        drawing.write(10, top + 12, f"{self.heading}, {self.unit}", INK, size=11.5)
        for value in up:
            y = place((0, value))[1]
            drawing.line([(LEFT, y), (width - RIGHT, y)], GRID, 0.8)
            drawing.write(LEFT - 6, y + 4, words(value), NOTE, "end", 10)
        for value, _ in marks:
            x = place((value, 0))[0]
            drawing.line([(x, top + HEAD), (x, top + HEAD + PLOT)], GRID, 0.8)
        for name, points in self.curves:
            colour = colours.get(name, UNNAMED)
            drawing.line([place(point) for point in points], colour, 1.5)
            for x, y in map(place, points if has_dots else []):
                drawing.box(x - 2.5, y - 2.5, 5, 5, colour)


def curves(title, charts, axis, width=900):
    marks = axis.marks(charts)
    drawing = Drawing(width, TOP + len(charts) * (HEAD + PLOT + 12) + FOOT, title)
    names = list(dict.fromkeys(name for chart in charts for name, _ in chart.curves if name))
    colours = dict(zip(names, COLOURS))
    at = LEFT
    for name in names if len(names) > 1 else []:
        drawing.box(at, 35, 18, 4, colours[name])
        drawing.write(at + 23, 41, name, NOTE, size=10)
        at += 45 + 6 * len(name)
    top = TOP
    for chart in charts:
        chart.draw(drawing, top, marks, width, axis.names is not None, colours)
        top += HEAD + PLOT + 12
    for value, name in marks:
        drawing.write(LEFT + value * (width - LEFT - RIGHT) / marks[-1][0], top + 6, name, NOTE, "middle", 10)
    drawing.write(width - RIGHT, top + 24, axis.title, NOTE, "end", 10)
    return drawing.text()
