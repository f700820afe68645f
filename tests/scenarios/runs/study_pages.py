# SPDX-License-Identifier: Apache-2.0
"""Pages of studies quote the whole output of a study. Tests compare it with what they run of the study."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
from quotations import is_same, parts_of, quoted


class StudyPage:
    """The page of a study quotes all of its output, with as many seeds as it has; cells are those of the first seed."""
    JUDGED = "What the paper says"

    def assert_quoted(self, name, said, changed=(), fewer_seeds=True, figures=None):
        """Fails unless `said` has the page's parts, with fewer seeds those up to the statements. Parts that begin with one of
        `changed` may have more lines. With `figures`, only parts that begin with one of them are compared."""
        compared = set()
        page, parts = ROOT / "docs" / "reproduce" / name, iter(parts_of(said))
        for part in quoted(page, f"strobe reproduce {page.stem}"):
            if fewer_seeds and part.startswith(self.JUDGED):
                break
            if figures and not part.startswith(figures):
                continue
            now = next(parts, "")
            while figures and now and not now.startswith(figures):
                now = next(parts, "")
            if part.startswith(changed):
                lines = now.splitlines()
                now = "\n".join(line for line in lines if any(is_same(line, then) for then in part.splitlines()))
            compared.add(part.split(".")[0] if figures else part.split("\n", 1)[0])
            self.assertTrue(is_same(now, part), f"{part}\nis quoted; the program prints\n{now}\nscripts/refresh-docs --recorded writes it anew")
        else:
            self.assertFalse(fewer_seeds, f"the page has no part {self.JUDGED}")
            self.assertEqual(list(parts), [], "the page lacks these parts")
        self.assertGreaterEqual(len(compared), len(figures) if figures else 3, f"compared: {compared}")
