#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inspection of firmware on the RV32 core: a session of the real GDB, profile, coverage, memory check.

Needs STROBE in the environment: the program under test; gdb-multiarch for the debugger's session.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

STROBE = os.environ["STROBE"]
IMAGE = pathlib.Path(STROBE).resolve().parent / "firmware" / "strobe_firmware_page_map.elf"
ROOT = pathlib.Path(__file__).resolve().parents[3]
# 100 pages are written, then one is read.
SMALL = ["workloads/one-page", "--set", "firmware.mode=rv32", "--set", "workload.phases.0.region.size=200KiB",
         "--set", "workload.phases.0.requests=100"]
RUN = ["run", "--set", "firmware.mode=rv32", "--set", "workload.phases.0.requests=20"]


class Debugger(unittest.TestCase):
    def start(self, *arguments):
        """The program, waiting for its debugger, and the port."""
        run = subprocess.Popen([STROBE, *RUN, *arguments, "--gdb", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill) # first: without a debugger the program waits for ever
        line = run.stderr.readline()
        port = re.search(r"target remote 127\.0\.0\.1:(\d+)", line)
        self.assertTrue(port, line)
        return run, port.group(1)

    def gdb(self, port, *commands):
        words = [word for command in (f"target remote 127.0.0.1:{port}", *commands) for word in ("-ex", command)]
        done = subprocess.run(["gdb-multiarch", "-q", "-batch", *words, str(IMAGE)], capture_output=True, text=True,
                              check=False, timeout=120)
        return done.stdout + done.stderr

    def test_the_registers_of_every_block_are_shown_and_can_be_read_as_memory(self):
        run, port = self.start("--json", "-")
        said = self.gdb(port, "break command_arrived", "continue", *(f"monitor registers {block}" for block in ("intc", "timer", "uart", "host", "flash")),
                        "print/x *(unsigned*)0x02000004", "x/3xw 0x02000000", "delete", "detach")
        self.assertNotIn("cannot be read", said)
        self.assertRegex(said, r"INTC.ENABLE +0x0000000[0-9a-f]\n")
        ns = re.search(r"TIMER.TIME_LO +0x([0-9a-f]{8})", said)
        self.assertGreater(int(ns[1], 16), 100_000, said)
        self.assertRegex(said, r"UART.STATUS +0x00000040\n") # places
        self.assertRegex(said, r"FLASH.RING_ENTRIES +0x0000[0-9a-f]{4}\n")
        self.assertRegex(said, r"FLASH.UNIT_STATUS\[15\] +0x00000000\n")
        self.assertNotIn("Cannot access memory", said)
        alone = subprocess.run([STROBE, *RUN, "--json", "-"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(run.stdout.read(), alone)

    def test_break_step_finish_watch_registers_memory_and_monitor(self):
        run, port = self.start()
        said = self.gdb(port, "info threads", "break command_arrived", "continue", "bt", "info args", "print/x $mtvec",
                        "monitor time", "monitor nand", "monitor nand 0 1", "monitor mapping 0", "monitor units",
                        "monitor nothing", "continue", "monitor interrupts", "delete", "finish", "stepi", "next",
                        "watch *(unsigned*)$sp", "continue", "monitor time", "set $kept = $a0", "set $a0 = 42", "print $a0", "set $a0 = $kept",
                        "x/1xw 0x100000", "set *(unsigned*)0x100000 = 0x12345678", "x/1xw 0x100000", "kill")
        for part in ('Thread 1 "ssd.cpu"',                                  # the hart by its name
                     "Breakpoint 1, command_arrived (slot=0",               # stops, with arguments
                     "#0  command_arrived", " firmware_main () at ",     # and the path to it
                     "slot = 0",
                     "simulated time ", " instructions executed",
                     "die  channel  way",
                     "die 0, block 1: erased 0 times",
                     "sector 0 is sector 0 of logical page 0",
                     "lists waiting",
                     "host      asserted",                              # at the second command, as the first came without a wait
                     'there is no command "nothing"; monitor help lists them',
                     "Watchpoint 2: *(unsigned*)$sp", "Old value = ",
                     "= 42",
                     "0x100000:\t0x42525453", "0x100000:\t0x12345678",      # the boot block, before and after
                     "killed]"):
            self.assertIn(part, said)
        run.wait(timeout=60)
        self.assertIn("interrupted", run.stdout.read().lower())

    def test_time_stops_while_firmware_is_stopped_and_the_run_ends_as_without_a_debugger(self):
        run, port = self.start()
        said = self.gdb(port, "break command_arrived", "continue", "monitor time", "shell sleep 0.5", "monitor time",
                        "delete", "continue")
        times = re.findall(r"simulated time (.*?);", said)
        self.assertEqual(len(times), 2, said)
        self.assertEqual(times[0], times[1])
        self.assertIn("exited normally", said)
        alone = subprocess.run([STROBE, *RUN], capture_output=True, text=True, check=False, timeout=120)

        def simulated(text):
            return re.sub(r"time \d+\.\d+ s", "", text) # that of this machine

        self.assertEqual(simulated(run.stdout.read()), simulated(alone.stdout))

    def test_whatever_a_debugger_does_without_changes_the_report_is_the_one_without_a_debugger(self):
        with tempfile.TemporaryDirectory() as folder:
            def report(name, *arguments):
                return ["--json", f"{folder}/{name}", *arguments]

            def figures(name):
                return (pathlib.Path(folder) / name).read_bytes()

            steps = ("break command_arrived", "ignore 1 2", "continue", "stepi 30", "next", "finish", "watch *(unsigned*)$sp",
                     "continue", "continue", "delete", "monitor units", "x/8i $pc", "echo =stopped=\\n")
            back = ("break command_arrived", "ignore 1 2", "continue", "reverse-stepi 40", "stepi 7", "reverse-stepi", "continue",
                    "continue", "reverse-continue", "continue", "delete", "watch *(unsigned*)$sp", "reverse-continue", "continue",
                    "delete", "echo =stopped=\\n")
            sessions = {"1": [("continue",), steps, back, ("break command_arrived", "continue", "stepi", "detach")],
                        "2": [("continue",), steps]}
            for cores, commands in sessions.items():
                cut = ["--set", f"firmware.cores={cores}"]
                alone = subprocess.run([STROBE, *RUN, *cut, *report("alone")], capture_output=True, text=True, check=False, timeout=120)
                self.assertEqual(alone.returncode, 0, alone.stderr)
                for i, session in enumerate(commands):
                    run, port = self.start(*cut, *report(f"debugged{i}"))
                    ends = session[-1] in ("continue", "detach")
                    said = self.gdb(port, *session, *(() if ends else ("continue",)))
                    self.assertEqual("=stopped=" in said, not ends, said)
                    self.assertIn("detached" if session[-1] == "detach" else "exited normally", said)
                    self.assertEqual(run.wait(timeout=60), 0)
                    self.assertEqual(figures("alone"), figures(f"debugged{i}"), session)

    def test_memory_can_be_read_and_breakpoints_work_before_the_first_instruction(self):
        run, port = self.start()
        said = self.gdb(port, "x/1xw 0x100000", "tbreak *_start", "info registers pc", "stepi", "info registers pc", "break *_start",
                        "monitor reset", "maintenance flush register-cache", "info registers pc", "monitor time", "delete",
                        "tbreak firmware_main", "continue", "kill")
        self.assertIn("0x100000:\t0x42525453", said)
        first, second, reset = re.findall(r"^pc +(0x[0-9a-f]+)", said, re.MULTILINE)
        self.assertIn(f"breakpoint 1 at {first}", said)
        self.assertNotEqual(first, second)
        self.assertEqual(first, reset)
        self.assertIn("simulated time 0 ps; 0 instructions", said)
        self.assertRegex(said, r"breakpoint 3, (0x[0-9a-f]+ in )?firmware_main \(")
        self.assertNotIn("Cannot access memory", said)
        run.wait(timeout=60)


class Tools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def run_with(self, *options):
        return subprocess.run([STROBE, *RUN, *options], capture_output=True, text=True, check=False, timeout=120)

    def test_a_profile_names_functions_and_its_stacks_add_up(self):
        done = self.run_with("--profile", self.dir / "p.folded")
        self.assertEqual(done.returncode, 0, done.stderr)
        total = int(re.search(r"Firmware: ([\d,]+) cycles", done.stdout).group(1).replace(",", ""))
        lines = (self.dir / "p.folded").read_text().splitlines()
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in lines), total)
        self.assertTrue(any(line.startswith("_start;firmware_main;") for line in lines))
        self.assertIn("firmware_main", done.stdout)

    def test_the_projects_firmware_reads_no_unwritten_memory(self):
        done = self.run_with("--check-memory")
        self.assertIn("No read of memory that was never written.", done.stdout)
        self.assertRegex(done.stdout, r"\n  core 0 +[\d,]+  8,192\n")

    def test_tools_for_the_core_are_refused_for_firmware_of_the_host(self):
        for option in (["--gdb", "0"], ["--profile", "x"], ["--flame-graph", "x"], ["--trace-firmware", "x"], ["--check-memory"],
                       ["--coverage", "x"]):
            done = subprocess.run([STROBE, "run", *option], capture_output=True, text=True, check=False, timeout=60,
                                  cwd=self.dir)
            self.assertEqual(done.returncode, 2)
            self.assertIn("needs firmware on the RV32 core; add --set firmware.mode=rv32", done.stderr)
            self.assertEqual(list(self.dir.iterdir()), [])


def tool(name, *options):
    """The output of a tool of the cross compiler for the image."""
    return subprocess.run([f"riscv64-unknown-elf-{name}", *options, IMAGE], capture_output=True, text=True, check=True).stdout


class Response(unittest.TestCase):
    def firmware(self, *arguments):
        done = subprocess.run([STROBE, "run", *SMALL, "--json", "-", *arguments], capture_output=True, text=True, check=True, timeout=120)
        report = json.loads(done.stdout)
        return report, report["firmware"]

    def test_the_longest_wait_of_a_command_ends_with_the_register_write_that_takes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "host.txt"
            report, firmware = self.firmware("--trace-firmware", str(trace), "--trace-kinds", "registers")
            lines = trace.read_text().splitlines()
        commands = firmware["commands"]
        self.assertEqual(commands["times"], report["totals"]["all"]["requests"])
        self.assertRegex(commands["longest_of"], r"^(read|write) of 4 sectors at \d+, slot \d+$")
        end = (commands["longest_from_ps"] + commands["longest_ps"]) / 1000
        place, writes = "", []
        for line in lines:
            if line.endswith(":"):
                place = line[:-1].split("+")[0]
            elif "HOST.RING_CONSUMER" in line:
                writes.append((float(line.split()[0]), place))
        # The write arrives after the latency of the fabric.
        self.assertIn(commands["longest_place"].split("+")[0], [place for at, place in writes if 0 <= end - at <= 20])
        (core,) = firmware["cores"]
        self.assertGreater(core["interrupts"]["times"], 100)
        self.assertLess(core["interrupts"]["longest_ps"], core["rounds"]["longest_ps"])
        # The instruction after a wait, wherever the compiler has inlined it.
        symbol, offset = re.match(r"(\S+)\+(0x[0-9a-f]+) ", core["rounds"]["longest_place"]).groups()
        starts = {words[2]: int(words[0], 16) for words in map(str.split, tool("nm").splitlines()) if len(words) == 3}
        waits = [int(at, 16) for at in re.findall(r"(?m)^\s*([0-9a-f]+):\s+10500073\s+wfi", tool("objdump", "-d"))]
        self.assertIn(starts[symbol] + int(offset, 16) - 4, waits)

    def test_native_firmware_has_them_too_without_a_place(self):
        report, firmware = self.firmware("--set", "firmware.mode=native")
        self.assertEqual(firmware["commands"]["times"], report["totals"]["all"]["requests"])
        self.assertNotIn("longest_place", firmware["commands"])
        (core,) = firmware["cores"]
        self.assertGreater(core["rounds"]["times"], 100)
        self.assertLess(core["rounds"]["longest_ps"], 100_000_000)
        self.assertGreater(core["rounds"]["longest_from_ps"], report["ready_ps"])


class Scopes(unittest.TestCase):
    """What a profile covers, its flame graph, and mistakes in the options."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def run_with(self, *options):
        return subprocess.run([STROBE, "run", *SMALL, *options], capture_output=True, text=True, check=False, timeout=120)

    def test_a_profile_covers_the_phases_that_are_named(self):
        def cycles(*options):
            done = self.run_with("--profile", self.dir / "p", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            scope, = re.findall(r"Firmware: ([\d,]+) cycles of instructions in (.*?), by function", done.stdout)
            total = int(scope[0].replace(",", ""))
            stacks = (self.dir / "p").read_text().splitlines()
            self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in stacks), total)
            return total, scope[1], done.stdout

        measured, scope, said = cycles()
        self.assertEqual(scope, "measured phases")
        write, scope, _ = cycles("--profile-phases", "write")
        self.assertEqual(scope, '"write"')
        read, scope, _ = cycles("--profile-phases", "read")
        both, scope, _ = cycles("--profile-phases", "write,read")
        self.assertEqual(scope, '"write", "read"')
        self.assertEqual((both, both), (measured, write + read))
        self.assertGreater(write, 10 * read)
        whole, scope, _ = cycles("--profile-phases", "all")
        self.assertEqual(scope, "the whole run")
        self.assertGreater(whole, both) # start-up
        # Cycles and instructions are the same without a cycle table.
        executed = int(re.search(r"([\d,]+) instructions, ", said).group(1).replace(",", ""))
        self.assertAlmostEqual(measured / executed, 1, delta=0.01)

    def test_a_flame_graph_is_a_page_of_its_own(self):
        done = self.run_with("--quiet", "--flame-graph", self.dir / "f.html", "--set", "name=a @TITLE@ <b>")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.dir / "f.html").read_text()
        self.assertIn("<title>Cycles of firmware: a @TITLE@ &lt;b></title>", page)
        self.assertIn('"firmware_main"', page)
        self.assertNotRegex(page, r"(src|href)=|https?:") # nothing from elsewhere

    def test_mistakes_about_profile_and_coverage_end_with_one_message(self):
        blink = IMAGE.parent / "example_blink.elf"
        plain, far = self.dir / "plain.elf", self.dir / "far.elf"
        subprocess.run(["riscv64-unknown-elf-objcopy", "--strip-debug", blink, plain], check=True)
        source = self.dir / "far.S"
        source.write_text(".globl _start, vector_table\n.balign 256\nvector_table:\n_start: j _start\n")
        subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-g", "-nostdlib", "-Wl,-Ttext=0x2000", source,
                        "-o", far], check=True)
        source.unlink()
        (self.dir / "old.info").write_text("SF:a.c\nDA:x,1\nend_of_record\n")
        for options, message in (
                (["--profile", "p", "--profile-phases", "fill"],
                 '--profile-phases: "fill" must be one of "all", "write", "read"'),
                (["--profile", "p", "--profile-phases", "all,write"], '"all" must be the only one of '),
                (["--profile-phases", "all"], "it needs --profile FILE or --flame-graph FILE"),
                (["--coverage", "c", "--firmware", str(plain)], "plain.elf has no line information; it must be compiled with -g"),
                (["--coverage", "c", "--firmware", str(far)],
                 f"no source of {far} is found (such as {source}); must be started in the directory of the sources (and those be compiled with -g"),
                (["--coverage", "nowhere/c"], "nowhere/c: "),
                (["--coverage", "old.info", "--coverage-add"], 'old.info:2: "x" must be a number'),
                (["--coverage-add"], "--coverage-add requires --coverage")):
            done = subprocess.run([STROBE, "run", *SMALL, *options], capture_output=True, text=True, check=False, timeout=60,
                                  cwd=self.dir)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)
            lines = [line for line in done.stderr.splitlines() if line != "strobe run --help explains the command."]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["far.elf", "old.info", "plain.elf"])

    def test_profile_and_memory_check_go_on_after_a_power_loss(self):
        done = self.run_with("--profile", self.dir / "p", "--profile-phases", "all", "--check-memory", "--set", 'power.cuts=["5ms"]')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No read of memory that was never written.", done.stdout)
        self.assertRegex((self.dir / "p").read_text(), r"(?m)^_start;firmware_main;.*recover")


def sums(tracefile):
    """Executed and all lines, functions and branches, as lcov counts them."""
    done = subprocess.run(["lcov", "--rc", "lcov_branch_coverage=1", "--summary", str(tracefile)], capture_output=True, text=True,
                          check=True)
    return [tuple(map(int, pair)) for pair in re.findall(r"\((\d+) of (\d+) ", done.stdout + done.stderr)]


class Coverage(unittest.TestCase):
    """Coverage of the project's firmware; lcov reads it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)
        self.file = self.dir / "c.info"

    def run_with(self, *options):
        done = subprocess.run([STROBE, *options], capture_output=True, text=True, check=False, timeout=120, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_lines_and_branches_are_those_that_were_executed_and_runs_add_up(self):
        said = self.run_with("run", *SMALL, "--coverage", self.file)
        lines, functions, branches = sums(self.file)
        for name, (hit, found) in zip(("lines", "functions", "branches"), (lines, functions, branches)):
            self.assertIn(f"{name} {hit:,} of {found:,} (", said)
            self.assertLess(hit, found)
            self.assertGreater(hit, 0)
        text = self.file.read_text()
        files = re.findall(r"^SF:(.*)$", text, re.MULTILINE)
        self.assertEqual([name for name in files if not name.startswith(f"{ROOT}/firmware/")], [])
        self.assertEqual(len(files), len(set(files)))
        trim = text[text.index("/firmware/ftl/page_map/request_write.c\n"):]
        trim = trim[:trim.index("end_of_record")]
        self.assertRegex(trim, r"\nDA:\d+,[1-9]")
        collector = text[text.index("/firmware/ftl/page_map/collector.c\n"):] # a drive that is not full collects nothing
        self.assertRegex(collector[:collector.index("end_of_record")], r"\nDA:\d+,0\n")
        first = self.file.read_bytes()
        self.run_with("run", *SMALL, "--coverage", self.file, "--coverage-add")
        twice = [int(n) for n in re.findall(r"^DA:\d+,(\d+)", self.file.read_text(), re.MULTILINE)]
        once = [int(n) for n in re.findall(r"^DA:\d+,(\d+)", first.decode(), re.MULTILINE)]
        self.assertEqual(twice, [2 * n for n in once])
        subprocess.run(["genhtml", "--branch-coverage", "--quiet", "--output-directory", self.dir / "html", self.file], check=True,
                       capture_output=True)
        self.assertTrue((self.dir / "html" / "index.html").is_file())

    def test_power_losses_and_all_runs_of_powercut_are_in_one_file(self):
        whole = self.dir / "whole.info"
        self.run_with("run", *SMALL, "--quiet", "--coverage", whole)
        said = self.run_with("run", *SMALL, "--coverage", self.file, "--set", 'power.cuts=["5ms"]')
        self.assertIn("power", said)
        self.assertGreater(sums(self.file)[0][0], sums(whole)[0][0]) # recovery
        cuts = self.dir / "cuts.info"
        said = self.run_with("powercut", *SMALL, "--cuts", "2", "--coverage", cuts)
        self.assertIn(f"lines {sums(cuts)[0][0]:,} of ", said)
        self.assertGreater(sums(cuts)[0][0], sums(whole)[0][0])

    def test_powercut_refuses_native_firmware(self):
        done = subprocess.run([STROBE, "powercut", "workloads/one-page", "--coverage", self.file], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--coverage: needs firmware on the RV32 core; add --set firmware.mode=rv32", done.stderr)
        self.assertFalse(self.file.exists())


if __name__ == "__main__":
    unittest.main()
