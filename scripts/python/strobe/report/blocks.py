# SPDX-License-Identifier: Apache-2.0
"""The block diagram of a drive as elaborated, as SVG for an HTML page. The stronger the colour of a block, the busier it was.

Blocks and links come from the report (`platform`); a link is drawn where its blocks are beside or above each other. The colours
are those of the page's style sheet.
"""
from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from strobe.report import units

WIDTH = 1180
FABRIC = (190, 176, 560, 30)  # x, y, width, height
ROW = 262                      # y of the blocks of the data path
HIGH = 96                      # their height
CHANNELS = (826, 38)           # where the rows of the channels begin
WHITE_FROM = 0.55              # utilisation from which text is light


@dataclass
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


class Drawing:
    def __init__(self, report: Mapping[str, Any]) -> None:
        self.platform = report["platform"]
        self.usage = {row["name"]: row for row in report["resources"]}
        self.blocks = {block["name"]: block for block in self.platform["blocks"]}
        self.boxes: dict[str, Box] = {}
        self.lines: list[str] = []
        self.shapes: list[str] = []

    # --- utilisation ---

    def shares(self, block: Mapping[str, Any]) -> list[float]:
        return [self.usage[name]["utilisation"] for name in block["resources"] if name in self.usage]

    def share(self, block: Mapping[str, Any]) -> float | None:
        """Of the block: the mean of its members; of a memory the path that its ports share; of the ECC the busier direction."""
        shares = self.shares(block)
        if not shares:
            return None
        if block["kind"] == "sdram":
            return shares[0]
        if block["kind"] == "ecc":
            return max(shares)
        return sum(shares) / len(shares)

    # --- shapes ---

    def text(self, x: float, y: float, words: str, style: str, is_light: bool = False) -> None:
        self.shapes.append(f'<text x="{x:g}" y="{y:g}" class="{style}{" light" if is_light else ""}">{escape(words)}</text>')

    def fill(self, box: Box, share: float | None, tip: str, radius: float = 5) -> None:
        place = f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="{radius:g}"'
        use = "" if share is None else f'<rect {place} class="use" fill-opacity="{min(share, 1):.3f}"/>'
        self.shapes.append(f'<g><title>{escape(tip)}</title><rect {place} class="block"/>{use}<rect {place} class="edge"/></g>')

    def tip(self, block: Mapping[str, Any]) -> str:
        rows = [self.usage[name] for name in block["resources"] if name in self.usage]
        lines = [f"{row['name']}: {units.percent(row['utilisation'])} busy, mean wait {units.time(row['mean_wait_ps'])}"
                 for row in rows[:12]]
        more = [f"… and {len(rows) - 12} more"] if len(rows) > 12 else []
        return "\n".join([block["name"], *lines, *more])

    def block(self, name: str, box: Box, title: str = "", style: str = "name") -> None:
        block = self.blocks[name]
        share = self.share(block)
        self.boxes[name] = box
        self.fill(box, share, self.tip(block))
        x, y = box.middle
        is_light = share is not None and share > WHITE_FROM
        lines = [title or name]
        if box.height > 40:
            lines += textwrap.wrap(block["detail"], int(box.width / 6.5))
            lines += [] if share is None else [f"{units.percent(share)} busy"]
        elif share is not None:
            lines[0] += f"  {units.percent(share)}"
        top = y + 5 - 8 * (len(lines) - 1)
        for number, line in enumerate(lines):
            self.text(x, top + 16 * number, line, style if number == 0 else "detail", is_light)

    def connect(self, first: str, second: str, is_data: bool) -> None:
        if first not in self.boxes or second not in self.boxes:
            return
        a, b = self.boxes[first], self.boxes[second]
        left, right = max(a.x, b.x), min(a.x + a.width, b.x + b.width)
        top, bottom = max(a.y, b.y), min(a.y + a.height, b.y + b.height)
        style = "data" if is_data else "control"
        if left < right and top > bottom:
            x = (left + right) / 2
            self.lines.append(f'<path d="M{x:g},{bottom:g} V{top:g}" class="{style}"/>')
        elif top < bottom and left > right:
            y = (top + bottom) / 2
            self.lines.append(f'<path d="M{right:g},{y:g} H{left:g}" class="{style}"/>')

    # --- parts ---

    def of_kind(self, *kinds: str) -> list[str]:
        return [block["name"] for block in self.platform["blocks"] if block["kind"] in kinds]

    def host_side(self) -> None:
        for name in self.of_kind("host"):
            self.block(name, Box(10, 176, 130, 44))
        for name in self.of_kind("link"):
            self.block(name, Box(10, ROW, 130, HIGH))
        for name in self.of_kind("host interface"):
            self.block(name, Box(190, ROW, 140, HIGH))

    def control_side(self) -> None:
        x, y, width, height = FABRIC
        for name in self.of_kind("fabric"):
            self.block(name, Box(x, y, width, height))
        cores = self.of_kind("cpu")
        tall = (FABRIC[1] - 24 - 28) / max(len(cores), 1) - 8
        for number, name in enumerate(cores):
            self.block(name, Box(190, 28 + number * (tall + 8), 140, tall), name.upper())
        small = self.of_kind("memory", "peripheral")
        columns = 2
        rows = -(-len(small) // columns)
        for number, name in enumerate(small):
            column, row = divmod(number, max(rows, 1))
            box = Box(380 + column * 190, 28 + row * (116 / max(rows, 1)), 180, 116 / max(rows, 1) - 6)
            self.block(name, box, style="detail")
        if small:  # one line for all of them
            self.lines.append(f'<path d="M565,140 V{FABRIC[1]}" class="control"/>')

    def data_side(self) -> None:
        for name in self.of_kind("sdram"):
            self.block(name, Box(380, ROW, 160, HIGH), "SDRAM")
        for name in self.of_kind("write buffer"):
            self.block(name, Box(380, ROW + HIGH + 16, 160, 62), style="detail")
        for name in self.of_kind("flash controller"):
            self.block(name, Box(590, ROW, 160, HIGH))

    def channels(self) -> float:
        names = self.of_kind("channel")
        left, top = CHANNELS[0], float(CHANNELS[1])
        height = min(44.0, max(9.0, 420 / max(len(names), 1)))
        top = max(top, ROW + HIGH / 2 - len(names) * height / 2)
        gap = 3 if height > 14 else 1
        for x, width, words in ((left, 54, "ECC"), (left + 58, 66, "bus"), (left + 128, WIDTH - left - 138, "dies")):
            self.text(x + width / 2, top - 10, words, "detail")
        for number, name in enumerate(names):
            y = top + number * height
            index = name.rsplit(" ", 1)[1]
            cells = [(f"ecc {index}", Box(left, y, 54, height - gap)), (name, Box(left + 58, y, 66, height - gap))]
            for block_name, box in cells:
                self.cell(self.blocks.get(block_name), box, index if block_name == name else "")
            dies = self.blocks.get(f"dies of channel {index}")
            if dies is not None:
                self.dies(dies, Box(left + 128, y, WIDTH - left - 138, height - gap))
        bottom = top + len(names) * height
        if names:
            trunk, controller = left - 22, ROW + HIGH / 2
            first, last = top + (height - gap) / 2, top + (len(names) - 1) * height + (height - gap) / 2
            self.lines.append(f'<path d="M750,{controller:g} H{trunk} M{trunk},{min(first, controller):g} '
                              f'V{max(last, controller):g}" class="data"/>')
            self.lines += [f'<path d="M{trunk},{top + n * height + (height - gap) / 2:g} H{left}" class="data"/>' for n in range(len(names))]
        return bottom

    def cell(self, block: Mapping[str, Any] | None, box: Box, label: str) -> None:
        if block is None:
            return
        share = self.share(block)
        self.fill(box, share, self.tip(block), 3)
        if box.height < 14:
            return
        words = units.percent(share) if share is not None else ""
        x, y = box.middle
        self.text(x, y + 4, f"{label}: {words}" if label else words, "cell", share is not None and share > WHITE_FROM)

    def dies(self, block: Mapping[str, Any], box: Box) -> None:
        names: Sequence[str] = block["resources"]
        width = box.width / max(len(names), 1)
        for number, name in enumerate(names):
            row = self.usage.get(name)
            share = row["utilisation"] if row else None
            cell = Box(box.x + number * width, box.y, width - (2 if width > 8 else 0.5), box.height)
            self.fill(cell, share, f"{name}: {units.percent(share)} busy" + (f", mean wait {units.time(row['mean_wait_ps'])}" if row else ""), 2)
            if width >= 34 and box.height >= 14:
                self.text(cell.x + cell.width / 2, cell.y + cell.height / 2 + 4, units.percent(share), "cell",
                          share is not None and share > WHITE_FROM)

    def svg(self) -> str:
        self.host_side()
        self.control_side()
        self.data_side()
        bottom = self.channels()
        small = self.of_kind("memory", "peripheral")
        for link in self.platform["links"]:
            if link["from"] in self.of_kind("fabric") and link["to"] in small:
                continue
            self.connect(link["from"], link["to"], link["kind"] == "data")
        self.connect("sdram", "write buffer", True)
        height = max(bottom + 14, ROW + HIGH + 92)
        label = quoteattr("Block diagram of the drive with the utilisation of each block")
        return (f'<svg class="blocks" viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label={label} '
                f'xmlns="http://www.w3.org/2000/svg">' + "".join(self.lines) + "".join(self.shapes) + "</svg>")


def diagram(report: Mapping[str, Any]) -> str | None:
    return Drawing(report).svg() if report.get("platform") else None
