// SPDX-License-Identifier: Apache-2.0
//
// The options of `strobe linux`.
#include "platform/app/command_context.h"
#include "platform/app/linux.h"

#include <memory>

namespace strobe::platform {

namespace {

constexpr const char* linuxHelp =
    R"(Boots a Linux kernel (User-Mode Linux) whose NVMe or SATA drive is the one of a scenario, runs a
shell script on it, and reports what the drive did. The kernel's clock is the simulation's:
programs measure simulated time, and the run ends at the same nanosecond each time.

The guest's root file system is a directory of this machine, read-only, so it has the programs that
are installed here. The script finds the drive in $DRIVE, and in $MOUNT an empty directory;
`step NAME` begins a part of the report. Scripts that come with Strobe: admin, files, fio, flush,
fstrim, fsync, packages, read-response, sqlite, tour, transactions.

--powercut N cuts the power of drive and guest N times, each time in a separate run, at a random
instant after the script's first transaction. The drive recovers, the guest boots again, and the
script checks the file system (e2fsck) and every transaction that was reported committed before:
those of a database (transactions), packages that were installed (packages), or files of fio
(fsync). Exit code 1 if anything is missing; each failing cut is printed with the command that
repeats it.

--record writes the commands that the drive gets as fio's iolog, which a scenario can replay as its
trace.

The first time, scripts/strobe builds the kernel from Debian's package linux-source-6.1 (about four
minutes of processor time) into ~/.cache/strobe/linux.

The cost of the guest's software is set by host.nvme.submit and host.nvme.interrupt.

--kernel-option gives a parameter to the guest's kernel: nvme.*, nvme_core.* with an NVMe drive,
ahci.*, libahci.*, libata.*, scsi_mod.* with a SATA drive, sysctl.vm.*. Its nvme driver has one I/O
queue; nvme.write_queues=1 makes it two, for writes and for reads, each with its MSI-X vector.

Examples:
  strobe linux devices/nvme-mlc-8x4 --script files
  strobe linux devices/sata-mlc-8x4 --script fstrim
  strobe linux devices/nvme-mlc-8x4 --script my-script.sh --console
  strobe linux devices/nvme-mlc-8x4 --script packages --record packages.log
  strobe linux devices/nvme-mlc-8x4 --script fio --set host.nvme.submit=0s
  strobe linux devices/nvme-mlc-8x4 --script fio --kernel-option nvme.write_queues=1
  strobe linux devices/nvme-mlc-8x4 --powercut 100 --seed 7)";

} // namespace

void addLinuxCommand(CommandContext& c)
{
    auto command = std::make_shared<LinuxCommand>();
    CLI::App* guest =
        c.app.add_subcommand("linux", "Run a Linux kernel and its software on the drive, in simulated time");
    guest->footer(linuxHelp);
    guest->add_option("scenario", command->scenario, "Scenario file or name, with host.interface nvme, sata or ahci")
        ->type_name("SCENARIO")
        ->required();
    c.addSets(guest);
    CLI::Option* const script =
        guest
            ->add_option("--script", command->script,
                         "Shell script for the guest: a file, or the name of one that comes with Strobe")
            ->type_name("FILE");
    CLI::Option* const powercut =
        guest
            ->add_option("--powercut", command->powerCuts,
                         "Cut power N times, and check what was committed; the script is transactions unless given")
            ->type_name("N")
            ->check(CLI::Range(1U, 1'000'000U));
    guest->add_option("--seed", command->seed, "Seed of the instants of --powercut")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}))
        ->needs(powercut)
        ->capture_default_str();
    guest->add_option("--jobs", command->jobs, "Runs of --powercut at a time; 0, the default: one per processor")
        ->type_name("N")
        ->check(CLI::Range(0, 256))
        ->needs(powercut);
    guest->add_option("--root", command->root, "Directory for the guest's root file system, read-only")
        ->type_name("DIR")
        ->capture_default_str();
    guest->add_flag("--console", command->console,
                    "Print everything that the guest prints, with simulated time; to standard error with --json -");
    guest->add_option("--memory", command->memoryMiB, "Memory of the guest in MiB")
        ->type_name("N")
        ->check(CLI::Range(64U, 4096U))
        ->capture_default_str();
    guest->add_option("--kernel", command->kernel, "A User-Mode Linux kernel to use instead of the one in the cache")
        ->type_name("FILE");
    guest
        ->add_option("--kernel-option", command->kernelOptions,
                     "A parameter for the guest's kernel, like nvme.write_queues=1; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    guest
        ->add_option("--record", command->record,
                     "Write the commands that the drive gets to a file, as fio's iolog version 3")
        ->type_name("FILE")
        ->check(namesFile(false));
    guest->add_option("--json", command->json, "Write the report as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    c.choose(guest, [&c, command, script, powercut] {
        if (script->count() == 0) {
            if (powercut->count() == 0)
                throw CLI::RequiredError("--script");
            command->script = "transactions";
        }
        command->load = c.load;
        return linuxCommand(*command);
    });
}

} // namespace strobe::platform
