// SPDX-License-Identifier: Apache-2.0
//
// The options of `strobe qemu`.
#include "platform/app/command_context.h"
#include "platform/app/qemu.h"

#include <memory>

namespace strobe::platform {

namespace {

constexpr const char* qemuHelp =
    R"(Starts QEMU with the drive of a scenario in a PCI slot of its machine, and reports what the drive
did. Firmware and operating systems of the machine use the drive with their own NVMe or AHCI
drivers: SeaBIOS boots from it, OVMF (UEFI) lists it, Linux runs on several processors. The
machine's serial port is the terminal. Words after -- are passed to QEMU.

The machine runs in real time, and the drive is simulated as fast as possible: times that software
of the machine measures mean nothing, and two runs differ. What counts is that it works, and the
latencies of commands in the report, which are the drive's own. With --pace 50, simulated time
follows real time, 50 seconds for a simulated second. For exact times: strobe linux.

Needs qemu-system-x86_64 7.2, whose device x-pci-proxy-dev is an experimental interface: Debian 12's
package qemu-system-x86, with seabios, and ovmf for --firmware ovmf. Other versions are refused.
Neither root nor hardware virtualisation is needed.

Examples:
  strobe qemu devices/nvme-mlc-8x4 --image disk.img
  strobe qemu devices/nvme-mlc-8x4 --firmware ovmf
  strobe qemu devices/nvme-mlc-8x4 --cpus 2 -- -kernel vmlinuz -initrd initrd -append console=ttyS0)";

} // namespace

void addQemuCommand(CommandContext& c)
{
    auto command = std::make_shared<QemuCommand>();
    CLI::App* qemu = c.app.add_subcommand("qemu", "Run QEMU's machine, its firmware and systems, on the drive");
    qemu->footer(qemuHelp);
    qemu->add_option("scenario", command->scenario, "Scenario file or name, with host.interface nvme, sata or ahci")
        ->type_name("SCENARIO")
        ->required();
    qemu->add_option("words", command->words, "Further options of QEMU, after --")->type_name("OPTION");
    c.addSets(qemu);
    qemu->add_option("--firmware", command->firmware, "Firmware of the machine: seabios, ovmf or a file")
        ->type_name("NAME")
        ->capture_default_str();
    qemu->add_option("--image", command->image, "Write this file to the drive before the machine starts")
        ->type_name("FILE");
    qemu->add_option("--cpus", command->processors, "Processors of the machine")
        ->type_name("N")
        ->check(CLI::Range(1U, 16U))
        ->capture_default_str();
    qemu->add_option("--memory", command->memoryMiB, "Memory of the machine in MiB")
        ->type_name("N")
        ->check(CLI::Range(64U, 2048U))
        ->capture_default_str();
    qemu->add_option("--pace", command->pace,
                     "Seconds of real time for each simulated second; without it, as fast as possible")
        ->type_name("N");
    qemu->add_option("--record", command->record,
                     "Write the commands that the drive gets to a file, as fio's iolog version 3")
        ->type_name("FILE")
        ->check(namesFile(false));
    qemu->add_option("--json", command->json, "Write the report as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    c.choose(qemu, [&c, command] {
        command->load = c.load;
        return qemuCommand(*command);
    });
}

} // namespace strobe::platform
