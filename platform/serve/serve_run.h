#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Serves the drive of a scenario to clients of the network block device protocol (NBD). nbdkit, a server program of the
// distribution, runs beside the simulation and speaks the protocol; its plugin passes the requests on
// (plugin_protocol.h). The simulation has no threads: it takes requests between slices of simulated time.
//
// Time. Free-running: while requests are outstanding the drive is simulated as fast as possible. When the last one has
// ended, it is simulated for `think` more, which background work of the firmware can use, and then pauses until
// the next request; if clients pause for a second of real time, the drive finishes its background work. A
// client with one request at a time gets the same times in each run. Paced: simulated time follows real time (pace.h).
//
// nbdkit 1.32 aborts if a client goes while several of its requests are outstanding. The drive and the listening socket
// are here, so nbdkit is started again; other clients have to connect again.
//
// One run per process. Errors: ConfigError for what the user can mend; those of ServedDrive.

#include "models/base/time.h"
#include "platform/config/scenario.h"
#include "platform/report/report.h"
#include "platform/serve/listening_address.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace strobe::platform::serve {

struct ServeOptions {
    std::string nbdkit;         // program
    std::string plugin;         // file
    std::optional<double> pace; // seconds of the clock per simulated second; nothing: free-running
    Time think{};
    std::uint32_t blockBytes = 512;                    // block size that clients see; 1: any byte
    std::string command;                               // for the shell, instead of serving until stopped; empty: none
    bool printsToError = false;                        // the command
    std::function<void(std::string_view text)> record; // sink of a RequestRecord; empty: none
    std::function<void(const std::string& uri, std::uint64_t bytes)> ready; // clients can connect
    std::function<void(const std::string& what)> problem;                   // which ended a connection
    std::function<bool()> stopRequested;                                    // polled; true: the run ends
};

struct ServeResult {
    Report report;
    std::string problem;   // why it ended early; empty: it did not
    int commandStatus = 0; // of the command
};

ServeResult serveNbd(const Scenario& scenario, const ClientSocket& clients, const ServeOptions& options);

} // namespace strobe::platform::serve
