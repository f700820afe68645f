# SPDX-License-Identifier: Apache-2.0
"""Output of the program that pages of the documentation quote, and how a quotation is compared with what a run prints."""
import re

BLOCK = re.compile(r"(<!-- (recorded )?(output|table) of: ([^\n]*?) -->\n)(.*?)(<!-- end of (?:output|table) -->)", re.DOTALL)
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")


def parts_of(text):
    """Blank lines separate the parts of a report."""
    return text.strip("`\n").split("\n\n")


def is_same(now, then):
    """Numbers may differ a little; a sign belongs to its number, so that +0.0 and -0.0 are the same."""
    if NUMBER.sub("#", now).split() != NUMBER.sub("#", then).split():
        return False
    return all(is_near(a, b) for a, b in zip(*(NUMBER.findall(text) for text in (now, then))))


def is_near(now, then):
    """Within one per cent, or one in the last place that is printed. Whole numbers below 100 are counts: they must be equal."""
    place = 10.0 ** -max(len(number.partition(".")[2]) for number in (now, then))
    now, then = (float(number.replace(",", "")) for number in (now, then))
    if place == 1 and abs(then) < 100:
        return now == then
    return abs(now - then) <= max(place * (1 + 1e-9), abs(then) / 100)


def quoted(page, command):
    """The parts of the output of a command as the page has them."""
    for _, _, _, text, then, _ in BLOCK.findall(page.read_text()):
        if text.partition(";")[0] == command:
            return parts_of(then)
    raise ValueError(f"{page} quotes no output of {command}")
