// SPDX-License-Identifier: Apache-2.0
#include "platform/app/flame_graph.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <sstream>
#include <string_view>

namespace strobe::platform {

namespace {

struct Box {
    std::uint64_t own = 0;
    std::map<std::string, Box> callees;
};

// [name, own cycles, [callees]]
nlohmann::json jsonOf(const std::string& name, const Box& box)
{
    nlohmann::json callees = nlohmann::json::array();
    for (const auto& [callee, inner] : box.callees)
        callees.push_back(jsonOf(callee, inner));
    return {name, box.own, callees};
}

std::string escaped(const std::string& text)
{
    std::string out;
    for (const char c : text)
        out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

constexpr std::string_view place = "@TITLE@";
constexpr const char* head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>@TITLE@</title>
<style>
body{font:14px/1.4 system-ui,sans-serif;margin:1rem;color:#1b1f24;background:#fff}
h1{font-size:1.1rem;margin:0 0 .5rem}
#graph{position:relative;border-top:1px solid #ccc}
#graph button{position:absolute;height:19px;border:0;border-left:1px solid #fff;padding:0 3px;overflow:hidden;font:12px/19px system-ui,sans-serif;
text-align:left;white-space:nowrap;text-overflow:ellipsis;color:#1b1f24;cursor:pointer}
#graph button.found{outline:2px solid #7a00c2;outline-offset:-2px}
#graph button:focus-visible{outline:2px solid #0047c2;outline-offset:-2px}
#line{min-height:1.4em;margin:.5rem 0}
@media (prefers-color-scheme:dark){body{background:#15181c;color:#e6e6e6}}
</style></head><body>
<h1>@TITLE@</h1>
<label>Mark functions that contain <input id="text" type="search"></label> <button id="whole" type="button">Whole run</button>
<p id="line" aria-live="polite"></p><div id="graph"></div>
<script>
"use strict";
const root = )";

constexpr const char* tail = R"(;
const graph = document.getElementById("graph"), line = document.getElementById("line"), text = document.getElementById("text");
const total = new Map();
(function sum(box) {
  let cycles = box[1];
  for (const callee of box[2]) cycles += sum(callee);
  total.set(box, cycles);
  return cycles;
})(root);
const all = total.get(root);
function says(box) {
  return `${box[0]}: ${total.get(box).toLocaleString("en")} cycles (${(100 * total.get(box) / Math.max(all, 1)).toFixed(2)} %), ` +
    `${box[1].toLocaleString("en")} of its own`;
}
function colour(name) {
  let hash = 0;
  for (const c of name) hash = (hash * 31 + c.codePointAt(0)) % 3600;
  return `hsl(${20 + hash % 40} 85% ${66 + hash % 14}%)`;
}
function show(from, above) {
  graph.replaceChildren();
  let deepest = 0;
  const place = (box, depth, left, width, zoom) => {
    if (width < 0.0005) return;
    deepest = Math.max(deepest, depth);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = box[0];
    button.title = says(box);
    Object.assign(button.style, {left: `${100 * left}%`, width: `${100 * width}%`, top: `${20 * depth}px`, background: colour(box[0])});
    button.onclick = zoom;
    button.onmouseenter = button.onfocus = () => { line.textContent = says(box); };
    button.dataset.name = box[0].toLowerCase();
    graph.append(button);
  };
  const draw = (box, depth, left, width, chain) => {
    place(box, depth, left, width, () => show(box, chain));
    let at = left;
    for (const callee of box[2]) {
      const part = width * total.get(callee) / Math.max(total.get(box), 1);
      draw(callee, depth + 1, at, part, [...chain, box]);
      at += part;
    }
  };
  above.forEach((box, depth) => place(box, depth, 0, 1, () => show(box, above.slice(0, depth))));
  draw(from, above.length, 0, 1, above);
  graph.style.height = `${20 * (deepest + 1)}px`;
  line.textContent = says(from);
  mark();
}
function mark() {
  const wanted = text.value.toLowerCase();
  for (const button of graph.children) button.classList.toggle("found", wanted !== "" && button.dataset.name.includes(wanted));
}
text.oninput = mark;
document.getElementById("whole").onclick = () => show(root, []);
show(root, []);
</script></body></html>
)";

} // namespace

std::string flameGraphPage(const std::string& folded, const std::string& title)
{
    Box root;
    std::istringstream lines(folded);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.rfind(' ');
        Box* box = &root;
        std::istringstream chain(line.substr(0, space));
        for (std::string name; std::getline(chain, name, ';');)
            box = &box->callees[name];
        box->own += std::stoull(line.substr(space + 1));
    }
    const std::string text = escaped(title);
    std::string page = head;
    for (std::size_t at = page.find(place); at != std::string::npos; at = page.find(place, at + text.size()))
        page.replace(at, place.size(), text);
    std::string data = jsonOf("all", root).dump();
    for (std::size_t at = data.find('<'); at != std::string::npos; at = data.find('<', at + 1))
        data.replace(at, 1, "\\u003c"); // no end of the script
    return page + data + tail;
}

} // namespace strobe::platform
