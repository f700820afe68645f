# SPDX-License-Identifier: Apache-2.0
"""The register map as data: compiles firmware/regs/strobe.rdl. Used by scripts/generate-registers.

A block is a window of registers on the bus; a structure is a layout in memory (ram_structure). Both are `Block`s. The
boot block's registers carry bounds, and fields with `encode` name an enumeration.
"""
import os
import pathlib

from systemrdl import RDLCompiler
from systemrdl.node import RegfileNode, RegNode

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = "firmware/regs/strobe.rdl"
WORD_MAX = 0xFFFFFFFF


class Entry:
    """One value of an enumeration."""

    def __init__(self, member, prefix):
        self.value, self.c_name = member.value, member.name.upper()
        self.name = member.rdl_name  # as scenarios and reports write it
        self.text = member.rdl_desc or ""
        self.short = member.name[len(prefix):]
        self.cpp_name = "".join(part.capitalize() for part in self.short.split("_"))


class Enumeration:
    def __init__(self, encode):
        self.name = encode.type_name
        members = list(encode)
        prefix = os.path.commonprefix([m.name for m in members])
        prefix = self.name + "_" if prefix.startswith(self.name + "_") else prefix[:prefix.rfind("_") + 1]
        self.entries = [Entry(m, prefix) for m in members]
        self.cpp_name = "".join(part.capitalize() for part in self.name.split("_"))

    def values(self):
        """0 (greedy) or 1 (cost-benefit)"""
        return choices([f"{e.value} ({e.name})" for e in self.entries])


def choices(items):
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " or " + items[-1]


class Field:
    def __init__(self, node):
        self.name, self.low, self.high, self.width = node.inst_name, node.low, node.high, node.width
        self.text = node.get_property("desc", default="") or ""
        self.reset = node.get_property("reset", default=0) or 0
        self.is_writable = node.is_sw_writable
        self.mask = ((1 << self.width) - 1) << self.low
        encode = node.get_property("encode", default=None)
        self.encode = Enumeration(encode) if encode is not None else None
        self.minimum = node.get_property("minimum", default=None) or 0
        self.maximum = node.get_property("maximum", default=None)
        self.multiple = node.get_property("multiple", default=None) or 1
        if self.encode and self.width == 32:
            self.maximum = max(e.value for e in self.encode.entries)
        if self.maximum is None:
            self.maximum = WORD_MAX >> (32 - self.width)

    @property
    def is_bounded(self):
        return self.minimum != 0 or self.maximum != WORD_MAX >> (32 - self.width) or self.multiple != 1

    def rule(self):
        """What is allowed, as the end of a sentence: "must be 1 to 64"."""
        if self.encode:
            return "must be " + self.encode.values()
        if (self.minimum, self.maximum) == (0, WORD_MAX):
            return f"must be a multiple of {self.multiple}"
        if self.maximum == self.minimum + 1:
            return f"must be {self.minimum} or {self.maximum}"
        text = f"must be {self.minimum} to {self.maximum}"
        return text if self.multiple == 1 else text + f", a multiple of {self.multiple}"


class Register:
    """One register of a block; arrays (of registers or of register files) are folded into count and step."""

    def __init__(self, node, offset, count, step, prefix):
        self.name = prefix + node.inst_name
        self.offset, self.count, self.step = offset, count, step
        self.text = node.get_property("desc", default="")
        self.fields = [Field(f) for f in node.fields()]
        self.reset = sum(f.reset << f.low for f in self.fields)
        self.writable = sum(f.mask for f in self.fields if f.is_writable)
        self.access = "rw" if self.writable else "ro"

    @property
    def is_plain(self):
        """The whole register is one field."""
        return len(self.fields) == 1 and self.fields[0].width == 32

    @property
    def encode(self):
        return self.fields[0].encode if self.is_plain else None


class Block:
    def __init__(self, node):
        self.name, self.address, self.bytes = node.inst_name, node.absolute_address, node.size
        self.title, self.text = node.get_property("name"), node.get_property("desc")
        self.is_structure = node.get_property("ram_structure", default=False)
        self.registers = list(registers(node))
        self.size = 4096  # of a block's window on the bus
        while self.size < self.bytes:
            self.size *= 2


def registers(block):
    for child in block.children(unroll=False):
        offset = child.raw_address_offset
        if isinstance(child, RegfileNode):
            for reg in child.children(unroll=False):
                yield Register(reg, offset + reg.raw_address_offset, child.array_dimensions[0], child.array_stride,
                               child.inst_name + "_")
        elif isinstance(child, RegNode):
            count, step = (child.array_dimensions[0], child.array_stride) if child.is_array else (1, 4)
            yield Register(child, offset, count, step, "")


class RegisterMap:
    def __init__(self, note):
        compiler = RDLCompiler()
        compiler.compile_file(str(ROOT / SOURCE))
        self.top = compiler.elaborate("strobe")
        self.note = note
        every = [Block(child) for child in self.top.top.children(unroll=False)]
        self.blocks = [b for b in every if not b.is_structure]
        self.structures = [b for b in every if b.is_structure]

    def structure(self, name):
        return next(b for b in self.structures if b.name == name)

    def enumerations(self, blocks):
        """Each once, in the order of their first use."""
        found = {}
        for block in blocks:
            for reg in block.registers:
                for field in reg.fields:
                    if field.encode:
                        found.setdefault(field.encode.name, field.encode)
        return list(found.values())
