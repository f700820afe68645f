// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/qemu_run.h"

#include "models/base/config_error.h"
#include "models/host/ahci/ahci_format.h"
#include "models/host/ahci/ahci_pci_function.h"
#include "models/host/nvme/nvme_format.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/blocks.h"
#include "platform/assembly/collect.h"
#include "platform/guest/guest_drive.h"
#include "platform/qemu/drive_start.h"
#include "platform/qemu/qemu_machine.h"
#include "platform/qemu/terminal_guard.h"
#include "platform/serve/child_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>

namespace strobe::platform::qemu {

namespace {

using namespace std::chrono_literals;

constexpr const char* stoppedByUser = "stopped by the user"; // as QemuMachine says it
constexpr int killed = 128;                                  // a status from here on is of a signal

struct SocketPair {
    guest::FileDescriptor own;
    guest::FileDescriptor other;

    SocketPair()
    {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw ConfigError(std::string("strobe qemu: no pair of sockets: ") + std::strerror(errno));
        own = guest::FileDescriptor(ends[0]);
        other = guest::FileDescriptor(ends[1]);
    }
};

bool isNvme(const Scenario& scenario)
{
    return scenario.host.interface == HostProtocol::Nvme;
}

ResetWrite resetOf(const Scenario& scenario)
{
    if (isNvme(scenario))
        return {0, host::nvme::reg::CC, 0};
    return {host::ahci::AhciPciFunction::bar, host::ahci::reg::GHC, host::ahci::ghcReset};
}

using Clock = std::chrono::steady_clock;

constexpr useconds_t pause = 10'000; // between looks whether QEMU has ended

// QEMU, which the run no longer needs. What is still there after that is killed.
void endQemu(QemuMachine& machine, serve::ChildProgram& program, const QemuRunOptions& options)
{
    constexpr auto patience = 500ms;
    program.signal(SIGTERM);
    const auto limit = Clock::now() + patience;
    const auto isOver = [&program, &options, limit] {
        options.stopRequested(); // asked, so that the user's signal does not count as unanswered
        return program.hasEnded() || Clock::now() >= limit;
    };
    machine.serveEmptySlot(isOver);
    while (!isOver())
        ::usleep(pause);
}

// Its connection has ended. Why the run has not ended well; empty: it has.
std::string waitForEnd(serve::ChildProgram& program, const QemuRunOptions& options)
{
    constexpr auto patience = 3s;
    for (const auto limit = Clock::now() + patience; !program.hasEnded();) {
        if (options.stopRequested())
            break;
        if (Clock::now() >= limit)
            return "QEMU has closed the drive's connection, and goes on";
        ::usleep(pause);
    }
    return options.stopRequested() ? stoppedByUser : "";
}

void runMachine(guest::GuestDrive& drive, guest::GuestMemory& memory, const Scenario& scenario,
                const QemuRunOptions& options, QemuResult& result)
{
    SocketPair proxy;
    SocketPair qtest;
    serve::ChildOptions child;
    child.words = qemuWords(options.program, proxy.other.get(), qtest.other.get());
    child.inherited = {proxy.other.get(), qtest.other.get()};
    child.printsToError = options.printsToError;
    QemuMachine machine(std::move(proxy.own), std::move(qtest.own), drive, memory, resetOf(scenario), options.pace);
    const TerminalGuard terminal({STDIN_FILENO, STDOUT_FILENO});
    serve::ChildProgram program(child);
    proxy.other = guest::FileDescriptor(); // so that the end of QEMU is the end of the connections
    qtest.other = guest::FileDescriptor();
    try {
        result.problem = machine.run(options.stopRequested);
    } catch (...) {
        endQemu(machine, program, options);
        throw;
    }
    result.interrupts = machine.interrupts().sent();
    if (result.problem.empty())
        result.problem = waitForEnd(program, options);
    if (!result.problem.empty())
        endQemu(machine, program, options);
    if (!program.hasEnded())
        return;
    result.status = program.status();
    if (result.problem.empty() && !machine.hasBegun() && result.status != 0 && result.status < killed)
        throw ConfigError(fmt::format("strobe qemu: QEMU has refused its options; status {}", result.status));
}

} // namespace

QemuResult runQemu(const Scenario& scenario, const QemuRunOptions& options)
{
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    LastingState lasting(scenario);
    const bool isNew = lasting.powerOn == PowerOn::First; // before the drive has power
    guest::GuestMemory memory;
    guest::GuestDrive drive(scenario, lasting, memory, Time{});
    QemuResult result;
    DriveStart start(drive, scenario, isNew, options.stopRequested);
    if (!start.waitUntilReady())
        result.problem = "stopped before the drive was ready";
    else if (!options.image.empty())
        result.problem = start.write(options.image);
    if (result.problem.empty()) {
        drive.meter().onCommand(options.command);
        drive.beginPhase("machine", true, now());
        runMachine(drive, memory, scenario, options, result);
    }
    drive.takeFindings();
    result.report = collect({scenario, lasting, now()});
    const Time ready = std::min(drive.meter().readyAt(), now()); // or stopped before
    addHostFindings(result.report, {drive.meter().phases(), ready, drive.meter().capacitySectors()});
    result.report.integrity.enabled = false;
    result.report.integrity.isGuests = true;
    result.report.platform = blocksOf(drive.ssd(), drive.port(), isNvme(scenario) ? "nvme" : "sata");
    if (!result.problem.empty()) {
        result.report.interrupted = true;
        result.report.interruption = result.problem;
    }
    return result;
}

} // namespace strobe::platform::qemu
