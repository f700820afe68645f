// SPDX-License-Identifier: Apache-2.0
//
// The options of `strobe serve`.
#include "platform/app/command_context.h"
#include "platform/app/serve.h"

#include <memory>

namespace strobe::platform {

namespace {

constexpr const char* nbdHelp =
    R"(Serves the drive of a scenario as a network block device (NBD), for any program that can use one:
qemu, nbdcopy, nbdfuse, fio. Each byte is written to the modelled flash and read from it, through
host interface, firmware and channels. Ctrl-C ends the server, which prints the report of the run.

Clients find it on this machine only: --listen takes the path of a Unix socket, or a port of
localhost. --run starts a shell command instead of waiting for Ctrl-C, with $uri in its environment;
its socket is private unless --listen names one.

Time: the drive is simulated as fast as possible, and its time stops while no request is
outstanding. With --pace 50, a simulated second takes 50 seconds: a client that measures 5 ms has
seen a latency of 100 us. Use 50 or more, because passing a request to the drive takes 0.2 ms.

--record writes all requests as fio's iolog, which a scenario can replay as its trace.

Examples:
  strobe serve nbd devices/nvme-mlc-8x4 --listen localhost:10809
  strobe serve nbd devices/nvme-mlc-8x4 --run 'nbdcopy disk.img "$uri"' --record copy.log
  strobe serve nbd quickstart --pace 50 --run 'fio --name=a --ioengine=nbd --uri="$uri" --bs=4k
      --rw=randread --size=1m')";

constexpr const char* pciHelp =
    R"(Offers the registers of the drive, as a PCI function, to a program that plays its host:
configuration space, BARs and 64 MiB of memory for its queues and data. The program sends lines of
QEMU's qtest protocol to standard input and reads the answers from standard output, so that it can
operate QEMU's own models of the same devices, too:
  readl|writel... ADDRESS [VALUE]    b, w, l, q: 1, 2, 4, 8 bytes of memory or of a BAR
  inl|outl... PORT [VALUE]           configuration space behind CF8h and CFCh: bus 0, device 4
  read ADDRESS BYTES                 memory
  write ADDRESS BYTES 0xHEX, memset ADDRESS BYTES VALUE
  clock_step NANOSECONDS             simulates; otherwise only a read of a BAR takes time
The end of the input ends it. A line that is none of these, or has no end, ends it with a message
and exit code 2; so does an answer that cannot be written. Simulated time ends after 100 days.

Example:
  strobe serve pci devices/nvme-mlc-8x4 < accesses.qtest)";

void addPci(CommandContext& c, CLI::App* group)
{
    auto command = std::make_shared<ServePciCommand>();
    CLI::App* pci = group->add_subcommand("pci", "Serve the registers of the drive, by QEMU's qtest protocol");
    pci->footer(pciHelp);
    pci->add_option("scenario", command->scenario, "Scenario file or name")->type_name("SCENARIO")->required();
    c.addSets(pci);
    c.choose(pci, [&c, command] {
        command->load = c.load;
        return servePciCommand(*command);
    });
}

} // namespace

void addServeCommand(CommandContext& c)
{
    auto command = std::make_shared<ServeCommand>();
    CLI::App* group = c.app.add_subcommand("serve", "Offer the drive to other programs");
    group->footer("Examples:\n  strobe serve nbd devices/nvme-mlc-8x4 --listen localhost:10809\n"
                  "  strobe serve pci devices/nvme-mlc-8x4 < accesses.qtest\n  strobe serve nbd --help");
    CLI::App* nbd = group->add_subcommand("nbd", "Serve the drive as a network block device");
    nbd->footer(nbdHelp);
    nbd->add_option("scenario", command->scenario, "Scenario file or name")->type_name("SCENARIO")->required();
    c.addSets(nbd);
    nbd->add_option(
           "--listen", command->listen,
           "Path of a Unix socket (with a slash), or localhost, 127.0.0.1 or [::1] with a port [localhost:10809]")
        ->type_name("ADDRESS");
    nbd->add_option("--pace", command->pace,
                    "Seconds of real time for each simulated second; without it, as fast as possible")
        ->type_name("N");
    nbd->add_option("--think", command->think,
                    "Simulated time between the end of the last request and the next one, without --pace")
        ->type_name("TIME")
        ->capture_default_str();
    nbd->add_option("--block-size", command->blockBytes,
                    "Block size in bytes that clients see; parts of blocks are read, changed and written. 1: clients "
                    "may write any byte, as nbdfuse does; blocks are of 512 bytes")
        ->type_name("N")
        ->check(CLI::IsMember({1U, 512U, 1024U, 2048U, 4096U, 8192U, 16384U, 32768U, 65536U}))
        ->capture_default_str();
    nbd->add_option("--run", command->command, "Serve until this shell command has ended; $uri names the drive")
        ->type_name("COMMAND");
    nbd->add_option("--record", command->record, "Write the requests to a file, as fio's iolog version 3")
        ->type_name("FILE")
        ->check(namesFile(false));
    nbd->add_option("--json", command->json, "Write the report as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    c.choose(nbd, [&c, command] {
        command->load = c.load;
        return serveNbdCommand(*command);
    });
    addPci(c, group);
    needsCommand(group);
}

} // namespace strobe::platform
