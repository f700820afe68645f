# SPDX-License-Identifier: Apache-2.0
"""C and C++ from the register map (register_map.py)."""
import textwrap


# --- C ----------------------------------------------------------------------------------------------------------------


def c_header(regs):
    out = ["/* SPDX-License-Identifier: Apache-2.0 */", f"/* {regs.note} */", "#ifndef STROBE_REGS_H",
           "#define STROBE_REGS_H", "", "#include <stdint.h>", "",
           "#ifdef __cplusplus", "#define STROBE_REGS_ASSERT static_assert", "#else",
           "#define STROBE_REGS_ASSERT _Static_assert", "#endif", ""]
    out += c_enumerations(regs)
    for block in regs.blocks:
        up = block.name.upper()
        out += [f"/* {block.title}: {block.text} */",
                f"#define {up}_BASE 0x{block.address:08X}u", f"#define {up}_SIZE 0x{block.size:X}u"]
        for reg in block.registers:
            out.append(f"#define {up}_{reg.name} 0x{block.address + reg.offset:08X}u /* {reg.access} */")
            if reg.count > 1:
                out += [f"#define {up}_{reg.name}_COUNT {reg.count}u", f"#define {up}_{reg.name}_STEP {reg.step}u"]
            out += field_macros(up, reg)
        out.append("")
    for block in regs.structures:
        out += c_structure(block) + [""]
    out += ["#undef STROBE_REGS_ASSERT", "#endif"]
    return "\n".join(out) + "\n"


def c_enumerations(regs):
    out = []
    for enumeration in regs.enumerations(regs.blocks + regs.structures):
        out.append(f"enum {enumeration.name} {{")
        out += [f"    {e.c_name} = {e.value}, /* {e.name}: {e.text} */" for e in enumeration.entries]
        out += ["};", ""]
    return out


def c_structure(block):
    up = block.name.upper()
    out = [f"/* {block.title}: {block.text} */"]
    if block.name == "boot_block":
        out.append(f"#define {up}_BASE 0x{block.address:08X}u")
    out.append(f"struct {block.name} {{")
    for reg in block.registers:
        array = f"[{reg.count}]" if reg.count > 1 else ""
        out.append(f"    uint32_t {reg.name.lower()}{array};")
    out.append("};")
    for reg in block.registers:
        out += field_macros(up, reg)
    out.append(f'STROBE_REGS_ASSERT(sizeof(struct {block.name}) == {block.bytes}u, "layout of {block.name}");')
    if block.name == "boot_block":
        out += c_boot_words(block)
    return out


def c_boot_words(block):
    out = []
    for reg in block.registers:
        if reg.is_plain and reg.fields[0].is_bounded:
            field, up = reg.fields[0], f"BOOT_BLOCK_{reg.name}"
            if field.minimum:
                out.append(f"#define {up}_MIN {field.minimum}u")
            if field.maximum != 0xFFFFFFFF:
                out.append(f"#define {up}_MAX {field.maximum}u")
    out += ["", "/* Every word in order, with the value that it has unless the platform sets it: X(member, initial). */",
            "#define BOOT_BLOCK_WORDS(X) \\"]
    rows = [f"    X({reg.name.lower()}, 0x{reg.reset:X}u)" for reg in block.registers]
    out += [row + " \\" for row in rows[:-1]] + [rows[-1]]
    out += ["", "/* Words with bounds: X(member, minimum, maximum, a divisor of the value, what is allowed). */",
            "#define BOOT_BLOCK_BOUNDS(X) \\"]
    rows = []
    for reg in block.registers:
        field = reg.fields[0]
        if reg.is_plain and field.is_bounded:
            rows.append(f"    X({reg.name.lower()}, {field.minimum}u, 0x{field.maximum:X}u, {field.multiple}u, "
                        f'"boot block: {reg.name} {field.rule()}")')
    out += [row + " \\" for row in rows[:-1]] + [rows[-1]]
    return out


def field_macros(up, reg):
    out = []
    if reg.is_plain:
        return out
    for field in reg.fields:
        name = f"{up}_{reg.name}_{field.name.upper()}"
        out += [f"#define {name}_MASK 0x{field.mask:08X}u", f"#define {name}_SHIFT {field.low}u"]
    return out


# --- C++ --------------------------------------------------------------------------------------------------------------


def camel(name):
    head, *tail = name.lower().split("_")
    return head + "".join(word.capitalize() for word in tail)


def cpp_start(regs, *text):
    return ["#pragma once", "// SPDX-License-Identifier: Apache-2.0", f"// {regs.note}", *comment("", *text), ""]


def comment(indent, *paragraphs):
    return [line for text in paragraphs
            for line in ["//"] + textwrap.wrap(text, 118 - len(indent), initial_indent=indent + "// ",
                                                subsequent_indent=indent + "// ")]


def cpp_registers(regs):
    out = ["#pragma once", "// SPDX-License-Identifier: Apache-2.0", f"// {regs.note}", "",
           '#include "models/base/register_bank.h"', "", "#include <cstdint>", "", "namespace strobe::regs {", ""]
    for block in regs.blocks + regs.structures:
        out.append(f"// {block.title}: {block.text}")
        out.append(f"namespace {camel(block.name)} {{")
        if not block.is_structure or block.name == "boot_block":
            out.append(f"inline constexpr std::uint32_t base = 0x{block.address:08X};")
        size = block.bytes if block.is_structure else block.size
        out.append(f"inline constexpr std::uint32_t size = 0x{size:X};")
        for reg in block.registers:
            out.append(f"inline constexpr std::uint32_t {reg.name} = 0x{reg.offset:X};")
            if reg.count > 1:
                out.append(f"inline constexpr std::uint32_t {reg.name}_count = {reg.count};")
                out.append(f"inline constexpr std::uint32_t {reg.name}_step = {reg.step};")
            if not reg.is_plain:
                for field in reg.fields:
                    out.append(f"inline constexpr std::uint32_t {reg.name}_{field.name}_mask = 0x{field.mask:08X};")
                    out.append(f"inline constexpr std::uint32_t {reg.name}_{field.name}_shift = {field.low};")
        if not block.is_structure:
            out.append("inline constexpr RegisterInfo table[] = {")
            for reg in block.registers:
                text = reg.text.replace('"', '\\"')
                out.append(f'    {{"{reg.name}", 0x{reg.offset:X}, {reg.count}, {reg.step}, 0x{reg.reset:08X}, '
                           f'0x{reg.writable:08X}, 0, "{text}"}},')
            out.append("};")
        out += [f"}} // namespace {camel(block.name)}", ""]
    out.append("} // namespace strobe::regs")
    return "\n".join(out) + "\n"


def cpp_boot_enums(regs):
    """Policies of the boot block as enums with their names, and the bounds of its words."""
    out = cpp_start(regs, "Policies that the boot block passes to firmware: values, and names and help for scenarios, reports and "
                    "the reference (enum_table.h). In namespace bounds: the least and the largest value of a boot word.")
    out += ['#include "models/base/enum_table.h"', "", "#include <array>", "#include <cstdint>", "",
            "namespace strobe::regs {", ""]
    boot = regs.structure("boot_block")
    for enumeration in regs.enumerations([boot]):
        name, table = enumeration.cpp_name, camel(enumeration.name) + "Table"
        values = ", ".join(f"{e.cpp_name} = {e.value}" for e in enumeration.entries)
        out.append(f"enum class {name} : std::uint8_t {{ {values} }};")
        out.append(f"inline constexpr std::array<EnumRow<{name}>, {len(enumeration.entries)}> {table}{{{{")
        out += [f'    {{{name}::{e.cpp_name}, "{e.name}", "{e.text}"}},' for e in enumeration.entries]
        out += ["}};", f"constexpr const auto& enumTable({name})", "{", f"    return {table};", "}", ""]
    out += ["namespace bounds {", "struct Bounds {", "    std::int64_t minimum;", "    std::int64_t maximum;", "};"]
    for reg in boot.registers:
        if reg.is_plain and reg.fields[0].is_bounded and not reg.encode:
            out.append(f"inline constexpr Bounds {camel(reg.name)}{{{reg.fields[0].minimum}, {reg.fields[0].maximum}}};")
    out += ["} // namespace bounds", "", "} // namespace strobe::regs"]
    return "\n".join(out) + "\n"


def cpp_boot_block(regs):
    boot = regs.structure("boot_block")
    out = cpp_start(regs, "The boot block as the platform fills it in: one member per word, in order, so that on a "
                    "little-endian host the struct is the image in memory (fill()). bootWords names every member.")
    out += ["#include <cstddef>", "#include <cstdint>", "", "namespace strobe::cpu {", "", "struct BootBlock {"]
    for reg in boot.registers:
        out += comment("    ", reg.text)[1:]
        initial = f"0x{reg.reset:X}" if reg.reset > 9 else str(reg.reset)
        out.append(f"    std::uint32_t {camel(reg.name)} = {initial};")
    out += ["", f"    void fill(std::byte* destination) const; // {boot.bytes} bytes", "};", "",
            "struct BootWord {", "    const char* name; // as in the register description", "    std::uint32_t offset;",
            "    std::uint32_t BootBlock::*member;", "};", "inline constexpr BootWord bootWords[] = {"]
    out += [f'    {{"{reg.name}", 0x{reg.offset:X}, &BootBlock::{camel(reg.name)}}},' for reg in boot.registers]
    out += ["};", "", "} // namespace strobe::cpu"]
    return "\n".join(out) + "\n"
