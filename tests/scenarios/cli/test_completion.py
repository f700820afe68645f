#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion of command lines: what bash offers after the script of `strobe completion bash` was read."""
import os
import re
import subprocess
import unittest

from cli_support import Directory, SCENARIOS, strobe

# The last word is the one to be completed. Bash gives a function words that it has split at = and : (COMP_WORDBREAKS).
ASK = r"""
source "$SCRIPT"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_strobe
printf '%s\n' "${COMPREPLY[@]}"
"""
SPLIT = re.compile(r"([=:]+)")


class Completion(Directory):
    def setUp(self):
        super().setUp()
        done = strobe("completion", "bash")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.script = self.write("completion.bash", done.stdout)

    def offered(self, *words):
        split = [part for word in words[:-1] for part in SPLIT.split(word) if part]
        split += [part for part in SPLIT.split(words[-1]) if part] or [""]
        if split[-1] in ("=", ":"):
            split[-1:] = [split[-1]]  # bash completes the sign itself, which stands for an empty word
        done = subprocess.run(["bash", "--norc", "-c", ASK, "bash", "strobe", *split], capture_output=True, text=True, check=False,
                              timeout=60, cwd=self.dir, env={"PATH": "/usr/bin:/bin", "SCRIPT": str(self.script)})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split("\n")[:-1] if done.stdout != "\n" else []

    def commands(self, *path):
        """The commands below one, as its help lists them."""
        text = strobe(*path, "--help").stdout
        section = re.search(r"^Subcommands:\n((?: .*\n)+)", text, re.M)
        return re.findall(r"^  (\S+)", section[1], re.M) if section else []

    def test_commands_are_offered(self):
        self.assertEqual(self.offered(""), self.commands())
        self.assertIn("completion", self.offered(""))
        self.assertEqual(self.offered("re"), ["reproduce", "report"])
        self.assertEqual(self.offered("inspect", "mem"), ["memory-map"])
        self.assertEqual(self.offered("inspect", ""), self.commands("inspect"))

    def test_every_option_of_every_help_is_offered(self):
        paths = [()] + [(name,) for name in self.commands()]
        paths += [(*path, name) for path in paths[1:] for name in self.commands(*path)]
        self.assertGreater(len(paths), 25)
        counted = 0
        for path in paths:
            with self.subTest(path):
                done = strobe(*path, "--help", env={**os.environ, "COLUMNS": "200"})
                section = re.search(r"^[Oo]ptions:\n((?:  .*\n)+)", done.stdout, re.M)[1]
                heads = re.findall(r"^  (-\S+(?:[ ,]+(?:[A-Z]+ )?-\S+)*)", section, re.M)
                options = {name for head in heads for name in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", head)}
                self.assertEqual(options - set(self.offered(*path, "-")), set())
                counted += len(options)
        self.assertGreater(counted, 150)

    def test_scenarios_are_offered_with_files(self):
        self.assertEqual(self.offered("run", "workloads/soak"), ["workloads/soak-10m", "workloads/soak-1m"])
        self.assertEqual(self.offered("run", "sm"), ["small.json"])
        offered = self.offered("validate", "small.json", "")
        self.assertEqual(set(offered) & {"quickstart", "small.json"}, {"quickstart", "small.json"})
        for name in (name for name in offered if "." not in name):
            self.assertTrue((SCENARIOS / f"{name}.json").is_file(), name)
        self.assertFalse([name for name in offered if name.startswith("parts/") or name.endswith("/paper")])

    def test_keys_are_offered_section_by_section(self):
        sections = self.offered("run", "--set", "")
        self.assertIn("nand.", sections)
        self.assertIn("seed=", sections)
        self.assertEqual(len(sections), len(set(sections)))
        self.assertEqual(self.offered("run", "--set", "nand.wa"), ["nand.ways="])
        self.assertEqual(self.offered("run", "--set=nand.cha"), ["nand.channels="])
        self.assertEqual(self.offered("run", "quickstart", "--quiet", "--set", "workload.phases.12.requ"), ["workload.phases.12.requests="])
        self.assertEqual(self.offered("run", "--set", "nand.part.wear.points.0.programM"),
                         [f"nand.part.wear.points.0.programM{end}=" for end in ("ax", "ean", "in")])

    def test_every_key_can_be_reached(self):
        keys = [key.replace("[]", ".0") for key in re.findall(r"^(\S+)  +(?:\S)", strobe("inspect", "parameters").stdout, re.M)]
        listed = set(re.search(r"^ +keys\) words='(.*)' ;;$", self.script.read_text(), re.M)[1].split())
        self.assertGreater(len(listed), 300)
        sections = {".".join(key.split(".")[:depth]) for key in listed for depth in range(1, 9)}
        self.assertEqual([key for key in keys if key not in listed | sections and f"{key}.0" not in listed], [])

    def test_values_of_a_key_are_offered(self):
        self.assertEqual(self.offered("run", "--set", "nand.corner="), ["slow", "typical", "fast"])
        self.assertEqual(self.offered("run", "--set", "host.interface=nv"), ["nvme"])
        self.assertEqual(self.offered("run", "--set", "nand.part=k9f"), ["k9f1g08u0a"])
        self.assertEqual(self.offered("run", "--set", "report.stages=t"), ["true"])
        self.assertEqual(self.offered("run", "--set", "workload.phases.3.kind=uni"), ["uniform"])
        self.assertEqual(self.offered("run", "--set", "nand.channels="), [])

    def test_values_of_options_are_offered(self):
        (self.dir / "some reports").mkdir()
        self.assertEqual(self.offered("run", "--json", "some"), ["some reports"])
        self.assertEqual(self.offered("run", "--json=sm"), ["small.json"])
        self.assertEqual(self.offered("run", "--data", ""), ["tags", "bytes", "none"])
        self.assertEqual(self.offered("explore", "study.json", "--output", ""), ["some reports"])
        self.assertEqual(self.offered("explore", "--farm", "s"), ["slurm", "sge"])
        self.assertEqual(self.offered("explore", "--method", "nsga"), ["nsga2", "nsga3"])
        self.assertEqual(self.offered("explore", "--objective", "read_p9"), ["read_p90", "read_p99", "read_p999"])
        self.assertEqual(self.offered("inspect", "waveform", "multi-plane-p"), ["multi-plane-program"])
        self.assertEqual(self.offered("inspect", "part", "k9f"), ["k9f1g08u0a"])
        self.assertEqual(self.offered("run", "--seed", ""), [])
        self.assertEqual(self.offered("completion", ""), ["bash", "zsh"])

    def test_without_python_the_rest_is_complete(self):
        done = strobe("completion", "bash", env={**os.environ, "STROBE_PYTHON": "no"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.script.write_text(done.stdout)
        self.assertEqual(self.offered("run", "--js"), ["--json"])
        self.assertEqual(self.offered("report", "sm"), ["small.json"])

    def test_it_starts_no_program(self):
        code = re.sub(r"^#.*", "", self.script.read_text(), flags=re.M)
        self.assertEqual(set(re.findall(r"[$<]\(\s*(\w+)", code)), {"compgen"}) # of the shell itself

    def test_another_shell_is_refused(self):
        done = strobe("completion", "tcsh")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("must be bash or zsh", done.stderr)
        self.assertEqual(strobe("completion").returncode, 2)


if __name__ == "__main__":
    unittest.main()
