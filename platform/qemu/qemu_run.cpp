// SPDX-License-Identifier: Apache-2.0
#include "platform/qemu/qemu_run.h"

#include "models/base/config_error.h"
#include "models/cpu/firmware_fault.h"
#include "models/host/ahci/ahci_format.h"
#include "models/host/ahci/ahci_pci_function.h"
#include "models/host/nvme/nvme_format.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/blocks.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/simulation_step.h"
#include "platform/guest/guest_drive.h"
#include "platform/qemu/image_writer.h"
#include "platform/qemu/qemu_machine.h"
#include "platform/serve/child_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>

namespace strobe::platform::qemu {

namespace {

using namespace std::chrono_literals;

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

// The drive before the machine has it.
class DriveStart {
public:
    DriveStart(guest::GuestDrive& drive, const std::function<bool()>& stop) : drive_(drive), stop_(stop) {}

    // False: the user has stopped it.
    bool waitUntilReady()
    {
        return simulateWhile([this] { return drive_.meter().readyAt() == never; });
    }
    // Empty: the image is on the drive.
    std::string write(const std::string& path)
    {
        guest::CommandMeter& meter = drive_.meter();
        ImageWriter writer(path, meter);
        if (writer.sectors() > meter.capacitySectors())
            throw ConfigError(fmt::format("--image: {}: has {} sectors; the drive has {}", path, writer.sectors(),
                                          meter.capacitySectors()));
        drive_.beginPhase("image", false, now());
        meter.connect(drive_.ssd().hostInterface, writer);
        writer.begin();
        const bool hasEnded = simulateWhile([&writer] { return !writer.isDone() && writer.problem().empty(); });
        meter.connect(drive_.ssd().hostInterface, drive_.port());
        return hasEnded ? writer.problem() : "stopped before the image was written";
    }

private:
    template <class Condition>
    bool simulateWhile(Condition condition)
    {
        while (condition()) {
            if (stop_())
                return false;
            if (simulateStep(drive_.ssd(), drive_.agenda(), 1ms) == StepEnd::FirmwareEnded)
                throw cpu::FirmwareFault(
                    fmt::format("firmware has ended at {}; the drive does not respond", toText(now())));
        }
        return true;
    }

    guest::GuestDrive& drive_;
    const std::function<bool()>& stop_;
};

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
    serve::ChildProgram program(child);
    proxy.other = guest::FileDescriptor(); // so that the end of QEMU is the end of the connections
    qtest.other = guest::FileDescriptor();
    result.problem = machine.run(options.stopRequested);
    result.interrupts = machine.interrupts().sent();
    constexpr int looks = 300;
    constexpr useconds_t pause = 10'000;
    for (int i = 0; i < looks && result.problem.empty() && !program.hasEnded(); ++i)
        ::usleep(pause);
    if (program.hasEnded())
        result.status = program.status();
    else if (result.problem.empty())
        result.problem = "QEMU has closed the drive's connection, and goes on";
}

} // namespace

QemuResult runQemu(const Scenario& scenario, const QemuRunOptions& options)
{
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    LastingState lasting(scenario);
    guest::GuestMemory memory;
    guest::GuestDrive drive(scenario, lasting, memory, Time{});
    QemuResult result;
    DriveStart start(drive, options.stopRequested);
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
