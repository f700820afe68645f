# SPDX-License-Identifier: Apache-2.0
"""The reference of the register map (register_map.py): Markdown for docs/, one HTML page for the firmware kit."""
import html


def meaning(field_or_register, encode=None):
    text = field_or_register.text
    field = field_or_register.fields[0] if hasattr(field_or_register, "fields") else field_or_register
    encode = encode or field.encode
    whole = not hasattr(field_or_register, "fields") or field_or_register.is_plain
    if not whole:
        return text
    notes = []
    if encode:
        notes.append("; ".join(f"{e.value} `{e.name}`: {e.text}" for e in encode.entries))
    elif field.is_bounded:
        notes.append(field.rule().removeprefix("must be ").capitalize())
    return " ".join([part for part in [text] + [n + "." for n in notes] if part])


def anchor(block):
    return block.title.lower().replace(" ", "-")


def rows_of(block):
    """(offset, name, access, reset, meaning), then the fields as (None, name, bits, None, meaning)."""
    for reg in block.registers:
        name, offset = reg.name, f"0x{reg.offset:03X}"
        if reg.count > 1:
            name, offset = f"{name}[0..{reg.count - 1}]", f"{offset} + {reg.step}·i"
        yield offset, name, reg.access, f"0x{reg.reset:X}", meaning(reg)
        if not reg.is_plain:
            for field in reversed(reg.fields):
                bits = f"{field.high}:{field.low}" if field.width > 1 else f"{field.low}"
                yield None, field.name, bits, None, meaning(field)


def markdown(regs):
    out = ["# Registers and shared structures", "", f"<!-- {regs.note} -->", "",
           "All registers are 32 bits wide and little-endian. Only aligned 32-bit accesses are legal; any other access gets a",
           "bus error.", "", "| block | base | window |", "|---|---|---|"]
    out += [f"| [{b.title}](#{anchor(b)}) | `0x{b.address:08X}` | {b.size // 1024} KiB |" for b in regs.blocks]
    out += ["", "| structure in memory | bytes |", "|---|---|"]
    out += [f"| [{b.title}](#{anchor(b)}) | {b.bytes} |" for b in regs.structures]
    for block in regs.blocks + regs.structures:
        out += ["", f"## {block.title}", "", block.text, "",
                "| offset | name | access | reset | meaning |", "|---|---|---|---|---|"]
        for offset, name, access, reset, text in rows_of(block):
            if offset is None:
                out.append(f"| | `{name}` | {access} | | {text} |")
            else:
                out.append(f"| `{offset}` | `{name}` | {access} | `{reset}` | {text} |")
    return "\n".join(out) + "\n"


STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em}
table{border-collapse:collapse;width:100%;margin:.5em 0 2em}th,td{border:1px solid #ccc;padding:.25em .5em;text-align:left;vertical-align:top}
th{background:#eee}code{font-family:ui-monospace,monospace}tr.field td{background:#fafafa}nav{columns:3}"""


def html_page(regs):
    text = lambda t: "".join(f"<code>{html.escape(part)}</code>" if i % 2 else html.escape(part)
                             for i, part in enumerate(t.split("`")))
    out = ["<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
           "<title>Strobe: registers and shared structures</title>", f"<style>{STYLE}</style>", "</head>", "<body>",
           f"<!-- {regs.note} -->", "<h1>Strobe: registers and shared structures</h1>",
           "<p>All registers are 32 bits wide and little-endian. Only aligned 32-bit accesses are legal; any other access "
           "gets a bus error.</p>", "<nav>"]
    out += [f'<a href="#{b.name}">{html.escape(b.title)}</a><br>' for b in regs.blocks + regs.structures]
    out.append("</nav>")
    for block in regs.blocks + regs.structures:
        place = f"{block.bytes} bytes in memory" if block.is_structure else f"0x{block.address:08X}, {block.size // 1024} KiB"
        out += [f'<h2 id="{block.name}">{html.escape(block.title)}</h2>', f"<p>{place}. {text(block.text)}</p>", "<table>",
                "<tr><th>offset</th><th>name</th><th>access or bits</th><th>reset</th><th>meaning</th></tr>"]
        for offset, name, access, reset, means in rows_of(block):
            row = "".join(f"<td>{cell}</td>" for cell in (
                f"<code>{offset}</code>" if offset else "", f"<code>{html.escape(name)}</code>", access,
                f"<code>{reset}</code>" if reset else "", text(means)))
            out.append(f'<tr{"" if offset else " class=field"}>{row}</tr>')
        out.append("</table>")
    out += ["</body>", "</html>"]
    return "\n".join(out) + "\n"
