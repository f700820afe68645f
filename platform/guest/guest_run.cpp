// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_run.h"

#include "models/tlm/time_bridge.h"
#include "platform/assembly/blocks.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/power_cuts.h"
#include "platform/guest/guest_drive.h"
#include "platform/guest/guest_machine.h"
#include "platform/guest/private_directory.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>

namespace strobe::platform::guest {

namespace {

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
    // The drive of the next power cycle.
    void follow(GuestDrive& drive)
    {
        drive_ = &drive;
        isScript_ = isUnnamed_ = false;
        status_.reset();
        drive.meter().beginPhase("boot", false, now());
    }
    void mark(Time at, std::string_view word, std::string_view argument)
    {
        if (word == "begin" || word == "step") {
            if (isUnnamed_)
                drive_->meter().dropEmptyPhase();
            isUnnamed_ = word == "begin";
            isScript_ = true;
            drive_->beginPhase(isUnnamed_ ? "script" : std::string(argument), true, at);
        } else if (word == "end") {
            isScript_ = false;
            end_ = at;
            status_ = std::atoi(std::string(argument).c_str());
            drive_->beginPhase("power off", false, at);
        } else {
            transactions_.mark(at, word, argument);
        }
    }
    void powerLost(Time at) { transactions_.powerLost(at); }

    bool isScript() const { return isScript_; }
    std::optional<int> status() const { return status_; }
    Time end() const { return end_; } // of the script
    const Transactions& transactions() const { return transactions_; }

private:
    GuestDrive* drive_ = nullptr;
    bool isScript_ = false;
    bool isUnnamed_ = false; // the script's part before its first step
    std::optional<int> status_;
    Time end_{};
    Transactions transactions_;
};

// The host's end of one power cycle, in a directory of its own, and its drive.
class GuestCycle {
public:
    GuestCycle(const Scenario& scenario, LastingState& lasting, const GuestOptions& options, Story& story, Time powerOn)
        : options_(options), shared_("strobe-linux-", options.directory),
          drive_(scenario, lasting, transport_.memory(), powerOn),
          bus_(transport_, drive_.port(), [this] { drive_.agenda().pause(); }),
          console_(
              [&options, &story](Time at, std::string_view line) { options.line(at, line, story.isScript()); },
              [&story](Time at, std::string_view word, std::string_view argument) { story.mark(at, word, argument); }),
          machine_(shared_.path(), transport_, bus_, console_, drive_.agenda(), powerOn)
    {
        shared_.makeDirectory("files");
        shared_.copy(options.init, "files/init");
        shared_.write("files/script", options.script);
        shared_.write("files/power-losses", std::to_string(lasting.power.cuts) + "\n");
        drive_.meter().onCommand(options.command);
        story.follow(drive_);
    }

    GuestMachine::End run(Time powerLoss)
    {
        GuestProcess process(options_.kernel, kernelArguments(options_), shared_.path());
        return machine_.run(process, powerLoss, options_.stopRequested, [this] { drive_.ssd().rethrowFault(); });
    }
    GuestDrive& drive() { return drive_; }

private:
    const GuestOptions& options_;
    PrivateDirectory shared_;
    VhostUser transport_;
    GuestDrive drive_;
    VirtPci bus_;
    GuestConsole console_;
    GuestMachine machine_;
};

} // namespace

GuestResult runGuest(const Scenario& scenario, const GuestOptions& options)
{
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    LastingState lasting(scenario);
    PowerCuts cuts(scenario.power, scenario.seed);
    Story story;
    std::vector<host::PhaseResult> phases; // of all power cycles
    std::unique_ptr<GuestCycle> cycle;
    std::optional<Time> ready;
    GuestMachine::End end;
    Time powerOn{};
    do {
        cycle.reset(); // the one before, with its kernel
        cycle = std::make_unique<GuestCycle>(scenario, lasting, options, story, powerOn);
        GuestDrive& drive = cycle->drive();
        end = cycle->run(cuts.next(powerOn));
        if (end.isPowerLost) {
            story.powerLost(now());
            drive.cutPower();
        }
        drive.takeFindings();
        const auto& ofCycle = drive.meter().phases();
        phases.insert(phases.end(), ofCycle.begin(), ofCycle.end());
        if (!ready)
            ready = drive.meter().readyAt();
        powerOn = now() + scenario.power.offTime;
    } while (end.isPowerLost && !lasting.hasFirmwareEnded);

    GuestResult result;
    result.problem = end.problem;
    result.status = story.status().value_or(-1);
    if (result.problem.empty())
        result.problem = story.transactions().mistake();
    if (result.problem.empty() && result.status < 0)
        result.problem = "the guest has ended before its script";
    result.commitsBegin = story.transactions().begin();
    result.end = story.end();
    result.losses = story.transactions().losses();
    result.report = collect({scenario, lasting, now()});
    addHostFindings(result.report, {phases, *ready, cycle->drive().meter().capacitySectors()});
    result.report.power.commandsLost = lasting.power.commandsLost;
    result.report.integrity.enabled = false;
    result.report.integrity.isGuests = true;
    result.report.platform = blocksOf(cycle->drive().ssd(), cycle->drive().port(),
                                      scenario.host.interface == HostProtocol::Nvme ? "nvme" : "sata");
    if (!result.problem.empty()) {
        result.report.interrupted = true;
        result.report.interruption = result.problem;
    }
    return result;
}

} // namespace strobe::platform::guest
