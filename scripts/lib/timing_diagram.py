# SPDX-License-Identifier: Apache-2.0
"""Common parts of scripts/plot-waveform and scripts/plot-timeline: reading a value change dump, and writing an SVG."""
import html
import re

UNITS = {"ps": 1, "ns": 1000, "us": 1000000}
INK, GRID, SHADE, BYTES, NOTE = "#1b2733", "#d5dbe1", "#f3f6f9", "#e3eefb", "#5b6b7a"


def read_vcd(text, wanted=lambda name: True):
    """Names in file order, {name: [(ps, value)]}, the last time; values are 0, 1, z, x, a number (vector) or a text (phase).

    wanted: says by the name which signals are read. Most changes of a dump are of data, so that it takes less time without."""
    number, unit = re.search(r"\$timescale\s+(\d+)\s*(\w+)\s+\$end", text).groups()
    scale = int(number) * UNITS[unit]
    head, body = text.split("$enddefinitions $end", 1)
    names = {code: name for code, name in re.findall(r"\$var \w+ \d+ (\S+) (\w+)", head) if wanted(name)}
    changes = {name: [] for name in names.values()}
    codes = "|".join(map(re.escape, names))
    for change in re.finditer(rf"^(?:b(\w+) |(\w))({codes})$", body, re.MULTILINE) if names else ():
        bits, value, code = change.groups()
        name = names[code]
        if bits is not None:
            if name == "phase":
                value = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits) - 7, 8)).decode()
            else:
                value = bits if bits in ("z", "x") else f"{int(bits, 2):02X}"
        now = time_before(body, change.start()) * scale
        series = changes[name]
        if series and series[-1][0] == now:
            series.pop()
        series.append((now, value))
    return list(names.values()), changes, time_before(body, len(body)) * scale


def time_before(body, place):
    """The time to which the changes before this place belong."""
    mark = body.rfind("\n#", 0, place)
    return 0 if mark < 0 else int(body[mark + 2:body.index("\n", mark + 1)])


class Drawing:
    """An SVG as it grows; text() is the file."""

    def __init__(self, width, height, title):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
                      f'viewBox="0 0 {width:.0f} {height}" font-family="DejaVu Sans, Arial, sans-serif" font-size="11">',
                      '<rect width="100%" height="100%" fill="white"/>',
                      f'<text x="10" y="20" font-size="14" fill="{INK}">{html.escape(title)}</text>']

    def line(self, points, colour=INK, width=1.3, extra=""):
        self.parts.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}" fill="none" '
                          f'stroke="{colour}" stroke-width="{width}" {extra}/>')

    def box(self, left, top, width, height, fill, extra=""):
        self.parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
                          f'fill="{fill}"{extra}/>')

    def write(self, x, y, words, colour=INK, anchor="start", size=None):
        attributes = (f' text-anchor="{anchor}"' if anchor != "start" else "") + (f' font-size="{size}"' if size else "")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}"{attributes} fill="{colour}">{html.escape(words)}</text>')

    def add(self, element):
        self.parts.append(element)

    def text(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"
