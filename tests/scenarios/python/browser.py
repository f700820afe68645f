# SPDX-License-Identifier: Apache-2.0
"""A page in headless Chromium: what it draws, what it reports, what it would load. Without further packages."""
import html
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

FOUND = "data-found"

# Goes first in the page: errors while it is drawn are seen.
WATCH = """<script>
window.foundErrors = [];
addEventListener("error", (event) => foundErrors.push(String(event.message)), true);
addEventListener("unhandledrejection", (event) => foundErrors.push(String(event.reason)));
</script>"""

# Goes last. The frame has the width of the screen that is looked at; headless windows have a lower limit.
LOOK = """<script>
setTimeout(() => {
    const charts = {};
    for (const place of document.querySelectorAll("[data-chart]"))
        charts[place.dataset.chart] = place.querySelectorAll(".scatterlayer path, .barlayer path, .heatmaplayer image").length;
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number);
    parent.postMessage(JSON.stringify({
        charts, errors: foundErrors, width: innerWidth, brightness: (red + green + blue) / 3,
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        scrolled: [...document.querySelectorAll(".scroll")].filter((box) => box.scrollWidth > box.clientWidth).length,
        links: [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")),
        requests: performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => !name.startsWith("data:")),
    }), "*");
}, 1500);
</script>"""

FRAME = """<!DOCTYPE html><html><body style="margin: 0"><script>
addEventListener("message", (event) => document.documentElement.setAttribute("data-found", event.data));
</script><iframe src="page.html" style="border: 0; width: {width}px; height: 900px"></iframe></body></html>"""


class Browser:
    @staticmethod
    def find():
        return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

    @classmethod
    def is_there(cls):
        return cls.find() is not None

    def __init__(self):
        self.program = self.find()

    def run(self, directory, *arguments):
        # No network: every host name is unknown.
        return subprocess.run([self.program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                               "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={directory}/profile",
                               "--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=20000", *arguments],
                              capture_output=True, text=True, check=True, timeout=200)

    def look(self, page, width, is_dark=False, beside=()):
        """What a page of this width shows: marks of each chart, errors, console, what it has loaded, links, how far it is too wide,
        how many of its boxes scroll sideways.
        beside: files that the page needs beside it."""
        with tempfile.TemporaryDirectory() as directory:
            for file in beside:
                shutil.copy(file, directory)
            text = pathlib.Path(page).read_text(encoding="utf-8").replace("<head>", "<head>" + WATCH, 1)
            head, _, tail = text.rpartition("</body>")
            pathlib.Path(directory, "page.html").write_text(head + LOOK + "</body>" + tail, encoding="utf-8")
            pathlib.Path(directory, "frame.html").write_text(FRAME.format(width=width), encoding="utf-8")
            theme = ["--blink-settings=preferredColorScheme=0"] if is_dark else []
            done = self.run(directory, *theme, f"--window-size={max(width, 600)},1000", "--dump-dom", f"file://{directory}/frame.html")
        found = re.search(rf'{FOUND}="([^"]*)"', done.stdout)
        if found is None:
            raise AssertionError(f"{page} was not drawn:\n{done.stderr[-3000:]}")
        console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        return {**json.loads(html.unescape(found[1])), "console": console}

    def print(self, page, file):
        """The page as PDF."""
        with tempfile.TemporaryDirectory() as directory:
            self.run(directory, "--no-pdf-header-footer", f"--print-to-pdf={file}", f"file://{pathlib.Path(page).resolve()}")
        return pathlib.Path(file).read_bytes()
