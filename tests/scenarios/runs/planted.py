# SPDX-License-Identifier: Apache-2.0
"""Mistakes of firmware engineers: firmware/examples/tiny_ftl with some of its text replaced, compiled for the RV32 core."""
import os
import pathlib
import subprocess

STROBE = pathlib.Path(os.environ["STROBE"]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[3]
MACHINE = ["-march=rv32imac", "-mabi=ilp32", "-misa-spec=2.2", "-mcmodel=medlow", "--specs=picolibc.specs", "-O1", "-fno-inline", "-g"]


def planted(folder, *changes):
    """The image, in a file of the folder; each change is a pair of texts, of which the first is replaced once by the second."""
    text = (ROOT / "firmware/examples/tiny_ftl/tiny_ftl.c").read_text()
    for old, new in changes:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    source, image = folder / "tiny_ftl.c", folder / "tiny_ftl.elf"
    source.write_text(text)
    subprocess.run(["riscv64-unknown-elf-gcc", *MACHINE, f"-I{ROOT}", "-nostartfiles", "-Wl,--gc-sections", "-Wl,-z,max-page-size=16", "-T",
                    ROOT / "firmware/hal/rv32/link.ld", ROOT / "firmware/examples/start.S", source, "-o", image], check=True)
    return image


def memory_image(folder, *defines):
    """The image of memory_image.c with these macros, in a file of the folder."""
    return hal_image(folder, ROOT / "tests/scenarios/runs/memory_image.c", *defines)


def hal_image(folder, source, *defines):
    """The image of a C source that uses the HAL, in a file of the folder."""
    hal, image = ROOT / "firmware/hal", folder / "image.elf"
    subprocess.run(["riscv64-unknown-elf-gcc", *MACHINE, "-fno-builtin", f"-I{ROOT}", "-nostartfiles", "-ffunction-sections", "-Wl,--gc-sections",
                    "-Wl,-z,max-page-size=16", "-T", hal / "rv32/link.ld", hal / "rv32/start.S", hal / "rv32/hal_rv32.c",
                    hal / "rv32/memory.c", hal / "text.c", source, *(f"-D{name}" for name in defines),
                    "-o", image], check=True)
    return image
