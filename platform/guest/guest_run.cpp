// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_run.h"

#include "models/base/config_error.h"
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
    arguments.insert(arguments.end(), options.kernelOptions.begin(), options.kernelOptions.end());
    for (std::string& argument : GuestMachine::arguments())
        arguments.push_back(std::move(argument));
    arguments.insert(
        arguments.end(),
        {"init=/bin/sh", "-c", // without "--", which an option with a wrong value would end
         "\"mount -t tmpfs tmpfs /tmp && mkdir /tmp/strobe && mount -t hostfs -o /proc/self/cwd/files none "
         "/tmp/strobe && exec /bin/sh /tmp/strobe/init\""});
    return arguments;
}

std::string lines(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += text + "\n";
    return all;
}

std::string lateText()
{
    return fmt::format("the guest's kernel has not begun the script after {} of simulated time; --console shows its "
                       "messages",
                       toText(bootLimit));
}

// What the guest's software says about the run, by marks.
class Story {
public:
    // The drive of the next power cycle.
    void follow(GuestDrive& drive)
    {
        drive_ = &drive;
        isScript_ = isUnnamed_ = hasBegun_ = false;
        status_.reset();
        drive.meter().beginPhase("boot", false, now());
    }
    void mark(Time at, std::string_view word, std::string_view argument)
    {
        if (word == "begin" || word == "step") {
            if (isUnnamed_)
                drive_->meter().dropEmptyPhase();
            isUnnamed_ = word == "begin";
            isScript_ = hasBegun_ = true;
            drive_->beginPhase(isUnnamed_ ? "script" : std::string(argument), true, at);
        } else if (word == "refused" && !hasBegun_) { // by the first program, not by one of the script
            throw ConfigError("--kernel-option: the kernel has not taken " + std::string(argument));
        } else if (word == "end") {
            isScript_ = false;
            hasBegun_ = true;
            end_ = at;
            status_ = std::atoi(std::string(argument).c_str());
            drive_->beginPhase("power off", false, at);
        } else {
            transactions_.mark(at, word, argument);
        }
    }
    void powerLost(Time at) { transactions_.powerLost(at); }

    bool isScript() const { return isScript_; }
    bool hasBegun() const { return hasBegun_; } // the script, in this power cycle
    std::optional<int> status() const { return status_; }
    Time end() const { return end_; } // of the script
    const Transactions& transactions() const { return transactions_; }

private:
    GuestDrive* drive_ = nullptr;
    bool isScript_ = false;
    bool isUnnamed_ = false; // the script's part before its first step
    bool hasBegun_ = false;
    std::optional<int> status_;
    Time end_{};
    Transactions transactions_;
};

// Why the script has not begun though power was not lost; empty: it has, or the run has ended for another reason.
std::string bootProblem(const GuestMachine::End& end, const Story& story)
{
    if (end.problem == lateText())
        return end.problem;
    if (story.hasBegun() || end.isPowerLost || !end.problem.empty())
        return "";
    return "the guest's kernel has ended before the script began; --console shows its messages";
}

// Of a driver that has made several.
void addQueueCounters(Report& report, const std::vector<host::QueueUse>& queues)
{
    for (const host::QueueUse& use : queues)
        report.counters.emplace_back(CounterPlace{fmt::format("queues.{}", use.queue), "", ""}, use);
}

// The host's end of one power cycle, in a directory of its own, and its drive.
class GuestCycle {
public:
    GuestCycle(const Scenario& scenario, LastingState& lasting, const GuestOptions& options, Story& story, Time powerOn)
        : options_(options), story_(story), powerOn_(powerOn), shared_("strobe-linux-", options.directory),
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
        if (!options.kernelOptions.empty())
            shared_.write("files/kernel-options", lines(options.kernelOptions));
        drive_.meter().onCommand(options.command);
        story.follow(drive_);
    }

    GuestMachine::End run(Time powerLoss)
    {
        GuestProcess process(options_.kernel, kernelArguments(options_), shared_.path());
        return machine_.run(process, powerLoss, options_.stopRequested, [this] { return problem(); });
    }
    GuestDrive& drive() { return drive_; }

private:
    std::string problem() // of the run so far
    {
        drive_.ssd().rethrowFault();
        return !story_.hasBegun() && now() - powerOn_ > bootLimit ? lateText() : "";
    }

    const GuestOptions& options_;
    const Story& story_;
    Time powerOn_;
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
    std::vector<host::QueueUse> queues;    // of all power cycles
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
        host::addQueues(queues, drive.port().queues());
        if (!ready)
            ready = drive.meter().readyAt();
        powerOn = now() + scenario.power.offTime;
    } while (end.isPowerLost && !lasting.hasFirmwareEnded);

    const std::string notBegun = bootProblem(end, story);
    if (!notBegun.empty() && lasting.power.cuts == 0) // after a power loss, the drive may be the reason
        throw ConfigError("strobe linux: " + notBegun);
    GuestResult result;
    result.problem = notBegun.empty() ? end.problem : notBegun;
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
    if (queues.size() > 1)
        addQueueCounters(result.report, queues);
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
