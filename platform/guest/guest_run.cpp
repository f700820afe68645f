// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_run.h"

#include "models/base/config_error.h"
#include "models/tlm/agenda.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/blocks.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/drive_health.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/power_cycle.h"
#include "platform/assembly/ssd_module.h"
#include "platform/guest/command_meter.h"
#include "platform/guest/guest_machine.h"
#include "platform/guest/private_directory.h"

#include <fmt/format.h>

#include <optional>

namespace strobe::platform::guest {

namespace {

// The drive in the guest's slot, and what is measured of it.
struct GuestDrive {
    GuestDrive(const Scenario& scenario, host::HostMemory& memory)
        : lasting(scenario),
          ssd("ssd", scenario, lasting.dies, lasting.powerOn, findFirmwareImage(scenario.firmware),
              [this](Time at, std::string_view line) { lasting.log.push_back(toText(at) + ": " + std::string(line)); }),
          port("nvme", scenario.host.nvme.pcie, controllerConfig(scenario),
               {scenario.host.nvme.submit, scenario.host.nvme.interrupt}, memory),
          measurement(ssd, port, lasting.sums)
    {
        ssd.hostInterface.connect(meter);
        meter.connect(ssd.hostInterface, port);
        port.connect(meter);
    }

    void beginPhase(const std::string& name, bool isMeasured, Time at)
    {
        measurement.end();
        meter.beginPhase(name, isMeasured, at);
        if (isMeasured)
            measurement.begin();
    }

    host::nvme::ControllerOptions controllerConfig(const Scenario& scenario) const
    {
        host::nvme::ControllerOptions config;
        config.hasVolatileCache = scenario.firmware.writeCache == WriteCache::Volatile;
        config.health = [this, &scenario] { return healthOf(diesOf(lasting.dies), scenario.firmware.spareBlocks); };
        return config;
    }

    LastingState lasting;
    std::shared_ptr<Agenda> agenda = Agenda::ofContext(); // before the modules that it wakes
    SsdModule ssd;
    CommandMeter meter;
    GuestPortModule port;
    Measurement measurement;
};

// An option of the kernel. Its command line has white space between options, except in quotes.
std::string option(const std::string& name, const std::string& value)
{
    return value.find_first_of(" \t\n") == std::string::npos ? name + "=" + value : name + "=\"" + value + "\"";
}

// The same in every run of a script, since the kernel's random numbers depend on them: paths are those of the working
// directory.
std::vector<std::string> kernelArguments(const GuestOptions& options)
{
    std::vector<std::string> arguments{fmt::format("mem={}M", options.memoryMiB),
                                       "root=/dev/root",
                                       "rootfstype=hostfs",
                                       option("rootflags", options.root),
                                       "ro",
                                       "umid=guest",
                                       "uml_dir=./",
                                       "con=null",
                                       "ssl=null",
                                       "con0=null,fd:1",
                                       "panic=-1"};
    if (!options.showsKernel)
        arguments.emplace_back("loglevel=1"); // messages stay in the kernel's log
    for (std::string& argument : GuestMachine::arguments())
        arguments.push_back(std::move(argument));
    arguments.insert(
        arguments.end(),
        {"init=/bin/sh", "--", "-c",
         "\"mount -t tmpfs tmpfs /tmp && mkdir /tmp/strobe && mount -t hostfs -o /proc/self/cwd/files none "
         "/tmp/strobe && exec /bin/sh /tmp/strobe/init\""});
    return arguments;
}

// What the guest's software says about the run, by marks.
class Story {
public:
    explicit Story(GuestDrive& drive) : drive_(drive) {}

    void mark(Time at, std::string_view word, std::string_view argument)
    {
        if (word == "begin" || word == "step") {
            if (isUnnamed_)
                drive_.meter.dropEmptyPhase();
            isUnnamed_ = word == "begin";
            isScript_ = true;
            drive_.beginPhase(isUnnamed_ ? "script" : std::string(argument), true, at);
        } else if (word == "end") {
            isScript_ = false;
            status_ = std::atoi(std::string(argument).c_str());
            drive_.beginPhase("power off", false, at);
        }
    }
    bool isScript() const { return isScript_; }
    std::optional<int> status() const { return status_; }

private:
    GuestDrive& drive_;
    bool isScript_ = false;
    bool isUnnamed_ = false; // the script's part before its first step
    std::optional<int> status_;
};

} // namespace

GuestResult runGuest(const Scenario& scenario, const GuestOptions& options)
{
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    const PrivateDirectory shared("strobe-linux-");
    shared.makeDirectory("files");
    shared.copy(options.init, "files/init");
    shared.write("files/script", options.script);

    VhostUser transport;
    GuestDrive drive(scenario, transport.memory());
    VirtPci bus(transport, drive.port, [&drive] { drive.agenda->pause(); });
    Story story(drive);
    GuestConsole console(
        [&](Time at, std::string_view line) { options.line(at, line, story.isScript()); },
        [&story](Time at, std::string_view word, std::string_view argument) { story.mark(at, word, argument); });
    GuestMachine machine(shared.path(), transport, bus, console, *drive.agenda);
    drive.meter.beginPhase("boot", false, Time{});

    GuestResult result;
    {
        GuestProcess process(options.kernel, kernelArguments(options), shared.path());
        result.problem = machine.run(process, options.stopRequested, [&drive] { drive.ssd.rethrowFault(); });
    }
    drive.measurement.end();
    drive.meter.end(now());
    drive.ssd.uart.flush();
    drive.lasting.failures.add(drive.ssd);
    result.status = story.status().value_or(-1);
    if (result.problem.empty() && result.status < 0)
        result.problem = "the guest has ended before its script";
    result.report = collect({scenario, drive.lasting, now()});
    addHostFindings(result.report, {drive.meter.phases(), drive.meter.readyAt(), drive.meter.capacitySectors()});
    result.report.integrity.enabled = false;
    result.report.integrity.isGuests = true;
    result.report.platform = blocksOf(drive.ssd, drive.port, "nvme");
    if (!result.problem.empty()) {
        result.report.interrupted = true;
        result.report.interruption = result.problem;
    }
    return result;
}

} // namespace strobe::platform::guest
