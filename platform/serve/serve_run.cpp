// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/serve_run.h"

#include "models/base/config_error.h"
#include "models/base/content.h"
#include "models/tlm/time_bridge.h"
#include "platform/guest/private_directory.h"
#include "platform/serve/block_server.h"
#include "platform/serve/child_program.h"
#include "platform/serve/pace.h"
#include "platform/serve/served_drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <poll.h>
#include <utility>

namespace strobe::platform::serve {

namespace {

using Wall = Pace::Wall;
using namespace std::chrono_literals;

constexpr Time slice = 100us;       // simulated between looks at the clients
constexpr Wall look = 20ms;         // longest wait for input, between looks at the user and the programs
constexpr Wall turn = 20ms;         // longest simulation between checks, of a drive that lags
constexpr Wall pauseOfClients = 1s; // after which a free-running drive finishes its background work
constexpr Time longestBackground = 10s;
constexpr Wall patienceWithDrive = 300ms; // when the run ends: for what is outstanding
constexpr Wall patienceWithNbdkit = 400ms;

Wall wallNow()
{
    return std::chrono::steady_clock::now().time_since_epoch();
}

// Waits for input; false if there is none.
void waitFor(std::vector<pollfd>& sources, Wall longest)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
    const timespec limit{static_cast<time_t>(seconds.count()), static_cast<long>((longest - seconds).count())};
    if (::ppoll(sources.data(), sources.size(), &limit, nullptr) < 0) {
        for (pollfd& source : sources)
            source.revents = 0;
    }
}

ChildOptions nbdkitOptions(const ServeOptions& options, const std::string& socket, std::uint64_t bytes, int listening)
{
    ChildOptions child;
    child.words = {options.nbdkit,
                   "--foreground",
                   "--threads=64",
                   options.plugin,
                   "socket=" + socket,
                   fmt::format("size={}", bytes),
                   fmt::format("block={}", options.blockBytes)};
    child.listening = listening;
    child.isApart = true;
    return child;
}

// The variables are those of nbdkit's --run.
ChildOptions commandOptions(const ServeOptions& options, const ClientSocket& clients)
{
    ChildOptions child;
    child.words = {"/bin/sh", "-c", options.command};
    child.environment = {{"uri", clients.uri()}, {"unixsocket", clients.path()}};
    if (clients.path().empty())
        child.environment.emplace_back("port", std::to_string(clients.port()));
    child.isApart = true;
    child.printsToError = options.printsToError;
    return child;
}

// Starts nbdkit, and again after a signal has ended it: after an abort that a client has caused.
class NbdkitProgram {
public:
    NbdkitProgram(ChildOptions options, const std::function<void(const std::string&)>& problem)
        : options_(std::move(options)), problem_(problem)
    {
        program_.emplace(options_);
    }

    // Returns why there is none any more; empty: it runs. `clients` that have connected so far.
    std::string look(std::uint64_t clients)
    {
        if (!program_->hasEnded())
            return {};
        std::string what = fmt::format("nbdkit has ended with status {}", program_->status());
        failures_ = clients == clients_ ? failures_ + 1 : 1;
        clients_ = clients;
        if (program_->status() <= 128 || failures_ > mostFailures)
            return what;
        problem_(what + "; it is started again");
        program_.emplace(options_);
        return {};
    }

    ChildProgram& running() { return *program_; }

private:
    static constexpr int mostFailures = 5; // without a new client

    ChildOptions options_;
    const std::function<void(const std::string&)>& problem_;
    std::optional<ChildProgram> program_;
    std::uint64_t clients_ = 0; // when it ended last
    int failures_ = 0;
};

// Serves until a signal or the client ends it.
class Session {
public:
    Session(ServedDrive& drive, BlockServer& server, const ServeOptions& options)
        : drive_(drive), host_(drive.host()), server_(server), options_(options), lastInput_(wallNow())
    {
        if (options.pace)
            pace_ = std::make_unique<Pace>(*options.pace, now(), wallNow());
    }

    // Returns why it ended early.
    std::string run(NbdkitProgram& nbdkit, ChildProgram* command)
    {
        while (!options_.stopRequested()) {
            if (command != nullptr && command->hasEnded())
                return {};
            if (std::string problem = nbdkit.look(server_.counters().clients); !problem.empty())
                return problem;
            std::vector<pollfd> sources = server_.sources();
            waitFor(sources, timeToWait());
            if (pace_)
                keepPace();
            if (server_.serve(sources, now()))
                lastInput_ = wallNow();
            if (!pace_)
                runFree();
        }
        return command == nullptr ? "" : "stopped by the user";
    }

    void close(NbdkitProgram& program)
    {
        ChildProgram& nbdkit = program.running();
        server_.refuse();
        host_.dropWaiting();
        for (const Wall end = wallNow() + patienceWithDrive; !host_.isIdle() && wallNow() < end;) {
            drive_.simulateUntil(now() + slice);
            server_.answer();
            options_.stopRequested();
        }
        server_.answer();
        nbdkit.signal(SIGTERM);
        for (const Wall end = wallNow() + patienceWithNbdkit; !nbdkit.hasEnded() && wallNow() < end;) {
            std::vector<pollfd> sources = server_.sources();
            waitFor(sources, 5ms);
            server_.serve(sources, now());
            options_.stopRequested();
        }
    }

    const Pace* pace() const { return pace_.get(); }

private:
    Wall timeToWait() const
    {
        if (pace_)
            return drive_.isQuiet() ? look : std::min(look, pace_->until(drive_.nextTime(), wallNow()));
        return host_.isIdle() && !isInBackground() ? look : Wall{};
    }

    void simulate(Time end)
    {
        drive_.simulateUntil(end);
        server_.answer();
    }

    void keepPace()
    {
        const Wall begin = wallNow();
        for (Time target = pace_->target(begin); now() < target && wallNow() < begin + turn;)
            simulate(std::min(target, now() + slice));
        pace_->came(now(), wallNow());
    }

    void runFree()
    {
        if (host_.isIdle()) {
            if (isInBackground())
                simulate(now() + slice);
            return;
        }
        simulate(now() + slice);
        idleSince_ = now();
        if (!host_.isIdle())
            return;
        const Time end = now() + options_.think;
        while (now() < end && !options_.stopRequested())
            simulate(std::min(end, now() + slice));
    }

    // A free-running drive finishes its background work while clients pause.
    bool isInBackground() const
    {
        return !drive_.isQuiet() && now() - idleSince_ < longestBackground && wallNow() - lastInput_ >= pauseOfClients;
    }

    ServedDrive& drive_;
    BlockHost& host_;
    BlockServer& server_;
    const ServeOptions& options_;
    std::unique_ptr<Pace> pace_; // null: free-running
    Wall lastInput_;
    Time idleSince_ = now();
};

ServedReport servedReport(const BlockCounters& counters, const Pace* pace)
{
    ServedReport report;
    report.clients = counters.clients;
    report.extents = counters.extents;
    for (const auto& row : blockKindTable) {
        const BlockCounters::Kind& kind = counters.kinds[static_cast<std::size_t>(row.value)];
        report.kinds.push_back(
            {std::string(row.name), kind.requests, kind.sectors * sectorBytes, kind.forced, kind.failed});
    }
    if (pace != nullptr)
        report.pace = ServedReport::Pace{pace->factor(), pace->mostBehind(), pace->lost()};
    return report;
}

void requireWholeBlocks(std::uint64_t bytes, std::uint32_t blockBytes)
{
    if (bytes % blockBytes != 0)
        throw ConfigError(
            fmt::format("--block-size: the drive has {} bytes, which is no multiple of {}; must be one of "
                        "512, 1024, … up to {}",
                        bytes, blockBytes, bytes & (~bytes + 1)));
}

// Clients see one device, whose requests may cross the border of two namespaces.
void requireOneNamespace(const Scenario& scenario)
{
    if (scenario.host.nvme.namespaces.size() > 1)
        throw ConfigError("/host/nvme/namespaces: strobe serve offers the drive as one block device: must be empty");
}

} // namespace

ServeResult serveNbd(const Scenario& scenario, const ClientSocket& clients, const ServeOptions& options)
{
    requireOneNamespace(scenario);
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    ServedDrive drive(scenario);
    ServeResult result;
    while (!drive.host().isReady() && !options.stopRequested())
        drive.simulateUntil(now() + 1ms);
    if (!drive.host().isReady()) {
        result.problem = "stopped before the drive was ready";
        result.report = drive.finish();
        return result;
    }
    const std::uint64_t bytes = drive.host().capacitySectors() * sectorBytes;
    requireWholeBlocks(bytes, options.blockBytes);
    const guest::PrivateDirectory directory("strobe-serve-");
    const guest::ListeningSocket socket(directory.path() + "/plugin");
    std::optional<RequestRecord> record;
    if (options.record)
        record.emplace(options.record, now());
    BlockServer server(socket, drive.host(), {drive.unitSectors(), drive.isUsed(), drive.trimsToZeros()},
                       record ? &*record : nullptr, options.problem);
    drive.beginMeasurement();
    Session session(drive, server, options);
    {
        NbdkitProgram nbdkit(nbdkitOptions(options, socket.path(), bytes, clients.descriptor()), options.problem);
        options.ready(clients.uri(), bytes);
        std::optional<ChildProgram> command;
        if (!options.command.empty())
            command.emplace(commandOptions(options, clients));
        result.problem = session.run(nbdkit, command ? &*command : nullptr);
        session.close(nbdkit);
        if (command && command->hasEnded())
            result.commandStatus = command->status();
    }
    if (record)
        record->end(now());
    result.report = drive.finish();
    result.report.served = servedReport(server.counters(), session.pace());
    if (!result.problem.empty()) {
        result.report.interrupted = true;
        result.report.interruption = result.problem;
    }
    return result;
}

} // namespace strobe::platform::serve
