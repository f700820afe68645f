#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The exports of the register map for other tools are consistent with each other and with the C header."""
import pathlib
import re
import unittest
from xml.etree import ElementTree

REGS = pathlib.Path(__file__).resolve().parents[3] / "firmware" / "regs"
IPXACT = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"


def number(text):
    return int(text.replace("'h", "0x"), 0)


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.macros = {name: int(value, 16) for name, value in
                      re.findall(r"^#define (\w+) (0x[0-9A-Fa-f]+)u", (REGS / "strobe_regs.h").read_text(), re.MULTILINE)}
        cls.svd = ElementTree.parse(REGS / "strobe.svd").getroot()
        cls.ipxact = ElementTree.parse(REGS / "strobe.ipxact.xml").getroot()

    def registers(self, peripheral):
        """(name, address, is array) of registers and of registers in clusters."""
        base = number(peripheral.findtext("baseAddress"))
        for register in peripheral.find("registers"):
            offset = number(register.findtext("addressOffset"))
            name = register.findtext("name").replace("[%s]", "").replace("%s", "").rstrip("_")
            if register.tag == "cluster":
                for inner in register.findall("register"):
                    yield f"{name}_{inner.findtext('name')}", base + offset + number(inner.findtext("addressOffset")), True
            else:
                yield name, base + offset, register.find("dim") is not None

    def test_svd_registers_have_the_addresses_of_the_header_and_are_in_their_windows(self):
        count = 0
        for peripheral in self.svd.iter("peripheral"):
            block = peripheral.findtext("name")
            base = number(peripheral.findtext("baseAddress"))
            size = number(peripheral.findtext("addressBlock/size"))
            names = [name for name, _, _ in self.registers(peripheral)]
            self.assertEqual(len(names), len(set(names)), block)
            for name, address, _ in self.registers(peripheral):
                self.assertTrue(base <= address < base + size, (block, name))
                if block != "BOOT_BLOCK":  # its words are offsets in the header
                    self.assertEqual(self.macros.get(f"{block}_{name}"), address, (block, name))
                    count += 1
        self.assertGreater(count, 30)

    def test_svd_fields_do_not_overlap(self):
        for register in self.svd.iter("register"):
            used = set()
            for field in register.iter("field"):
                high, low = map(int, re.fullmatch(r"\[(\d+):(\d+)\]", field.findtext("bitRange")).groups())
                self.assertTrue(0 <= low <= high < 32)
                bits = set(range(low, high + 1))
                self.assertFalse(used & bits, (register.findtext("name"), field.findtext("name")))
                used |= bits

    def test_ip_xact_has_the_blocks_of_the_header(self):
        blocks = {block.findtext(f"{IPXACT}name"): number(block.findtext(f"{IPXACT}baseAddress"))
                  for block in self.ipxact.iter(f"{IPXACT}addressBlock")}
        for name in ("INTC", "TIMER", "UART", "HOST", "FLASH"):
            self.assertEqual(blocks[name.lower()], self.macros[f"{name}_BASE"])

    def test_the_html_page_names_every_register_of_the_blocks(self):
        page = (REGS / "strobe_regs.html").read_text()
        for peripheral in self.svd.iter("peripheral"):
            for register in peripheral.iter("register"):
                self.assertIn(register.findtext("name").replace("[%s]", "").replace("%s", ""), page)


if __name__ == "__main__":
    unittest.main()
