// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/run.h"

#include "models/base/config_error.h"
#include "models/base/strobe_registers.h"
#include "models/host/ahci/ahci_port_module.h"
#include "models/host/direct_port_module.h"
#include "models/host/host_driver_module.h"
#include "models/host/nvme/nvme_port_module.h"
#include "models/host/pata_port_module.h"
#include "models/host/sata_port_module.h"
#include "models/tlm/agenda.h"
#include "models/tlm/sanitizer_stack.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/collect.h"
#include "platform/assembly/firmware_image.h"
#include "platform/assembly/measurement.h"
#include "platform/assembly/ssd_module.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <sys/resource.h>

namespace strobe::platform {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::unique_ptr<host::PortModule> makePort(const Scenario& scenario)
{
    const HostConfig& c = scenario.host;
    switch (c.interface) {
    case HostInterface::Sata: return std::make_unique<host::SataPortModule>("sata", c.sata, scenario.dataMode);
    case HostInterface::Direct: return std::make_unique<host::DirectPortModule>("direct", c.direct, scenario.dataMode);
    case HostInterface::Nvme: return std::make_unique<host::NvmePortModule>("nvme", c.nvme, scenario.dataMode);
    case HostInterface::Ahci:
        return std::make_unique<host::AhciPortModule>("ahci", host::AhciPortConfig{c.sata, c.ahci}, scenario.dataMode);
    case HostInterface::Pata: return std::make_unique<host::PataPortModule>("pata", c.pata, scenario.dataMode);
    }
    checkFailed("unknown host interface", __FILE__, __LINE__);
}

// The drive, the host and the link between them.
struct Simulation {
    // A point of the wear's history.
    void sampleWear()
    {
        std::uint64_t sectors = 0;
        for (const host::PhaseResult& phase : host.driver().results())
            sectors += phase.kinds[static_cast<std::size_t>(host::RequestKind::Write)].sectors;
        wearHistory.push_back(wearSample(diesOf(ssd), now(), sectors * sectorBytes));
    }

    Simulation(const Scenario& scenario, RunObserver& observer, const Recording* recording)
        : ssd(
              "ssd", scenario, findFirmwareImage(scenario.firmware),
              [this, &observer](Time at, std::string_view line) {
                  log.push_back(toText(at) + ": " + std::string(line));
                  observer.firmwareSays(log.back());
              },
              recording == nullptr ? nullptr : &recording->request),
          port(makePort(scenario)), host("host", {scenario.dataMode, scenario.nand.part.geometry.sectorsPerPage()},
                                         host::HostDriver::phasesOf(scenario.workload, scenario.seed)),
          measurement(ssd, *port)
    {
        ssd.hostInterface.connect(*port);
        port->connect(ssd.hostInterface, host);
        host.connect(*port);
        host.driver().onPhase([this, &observer](const host::PhaseResult& phase, bool begins) {
            if (!phase.measured)
                return;
            begins ? measurement.begin() : measurement.end();
            if (begins && inspector)
                inspector->measuring();
            observer.measuring(begins);
        });
        host.driver().onFinished([this](Time) { agenda->pause(); });
    }

    std::shared_ptr<Agenda> agenda = Agenda::ofContext(); // before the modules that it wakes
    std::vector<std::string> log;                         // of the firmware; before the CPU that writes it
    SsdModule ssd;
    std::unique_ptr<host::PortModule> port;
    host::HostDriverModule host;
    Measurement measurement;
    std::vector<WearSample> wearHistory;
    std::unique_ptr<FirmwareInspector> inspector; // null: nobody looks at the firmware
    bool hasFirmwareEnded = false;                // by itself, as it should: nothing more will come
};

Progress progressOf(const Scenario& scenario, const Simulation& simulation)
{
    const host::HostProgress at = simulation.host.driver().progress();
    const auto& phases = scenario.workload.phases;
    const std::string_view name =
        at.phase < phases.size() ? std::string_view(phases[at.phase].name) : std::string_view();
    return {name, at.phase, at.phases, at.done, at.total, now()};
}

// Simulates in slices of about a twentieth of a second of host time, so that progress and a wish to stop are served
// promptly whatever the scenario's speed is.
void simulate(const Scenario& scenario, Simulation& simulation, RunObserver& observer)
{
    host::HostDriver& driver = simulation.host.driver();
    constexpr Time shortest = std::chrono::microseconds(10);
    constexpr Time longest = std::chrono::seconds(10);
    Time slice = std::chrono::milliseconds(1);
    bool stopping = false;
    const Time wearEvery = scenario.report.wearEvery;
    Time nextSample = wearEvery > Time{} ? wearEvery : never;
    while (!driver.isFinished()) {
        if (simulation.inspector)
            simulation.inspector->betweenSlices();
        const bool isKilled = simulation.inspector && simulation.inspector->isKilled();
        if (!stopping && (isKilled || observer.stopRequested())) {
            stopping = true;
            driver.stop(now());
            continue;
        }
        const auto start = Clock::now();
        const Time length = std::min(slice, nextSample - now());
        simulation.agenda->runAheadUntil(now() + length);
        sc_core::sc_start(toSc(length));
        restoreSanitizerStack();
        try {
            simulation.ssd.cpu->rethrowFault();
        } catch (const cpu::FirmwareEnded&) {
            simulation.hasFirmwareEnded = true;
            return;
        }
        simulation.host.rethrowError();
        if (!driver.isFinished() && !sc_core::sc_pending_activity())
            throw InternalError(
                "nothing is left to happen, but requests are outstanding: firmware or a model lost one");
        if (now() >= nextSample) {
            simulation.sampleWear();
            nextSample += wearEvery;
        }
        const double seconds = secondsSince(start);
        if (seconds < 0.025)
            slice = std::min(slice * 2, longest);
        else if (seconds > 0.1)
            slice = std::max(slice / 2, shortest);
        observer.progress(progressOf(scenario, simulation));
    }
}

HostTime hostTime(double setUp, double run, const Report& report)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    HostTime time;
    time.setUpSeconds = setUp;
    time.runSeconds = run;
    time.peakMemoryBytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    for (const PhaseReport& phase : report.phases) {
        for (const KindTotals& kind : phase.kinds)
            time.requests += kind.requests;
    }
    return time;
}

} // namespace

Report runScenario(const Scenario& scenario, RunObserver& observer, Recording* recording,
                   FirmwareInspection* inspection)
{
    check(sc_core::sc_get_time_resolution() == sc_core::sc_time(1, sc_core::SC_PS),
          "the kernel does not count picoseconds");
    // A stop is told by the report and by errors, not by the kernel on standard output.
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    const auto start = Clock::now();
    Simulation simulation(scenario, observer, recording);
    const double setUp = secondsSince(start);
    if (inspection != nullptr) {
        simulation.inspector =
            std::make_unique<FirmwareInspector>(simulation.ssd, *inspection, [&] { return observer.stopRequested(); });
        simulation.inspector->waitForDebugger();
    }

    const auto begin = Clock::now();
    try {
        simulate(scenario, simulation, observer);
    } catch (const host::WorkloadError& error) { // it did not show before the capacity was known
        const std::string path = "/workload" + error.path();
        throw ConfigError((scenario.origin ? scenario.origin(path) + ": " : "") + path + ": " + error.what());
    }
    const double run = secondsSince(begin);
    simulation.ssd.uart.flush();
    simulation.measurement.end();
    if (scenario.report.wearEvery > Time{})
        simulation.sampleWear();
    if (recording != nullptr)
        recording->operations = simulation.ssd.recorder->operations();

    Report report = collect({scenario, simulation.ssd, simulation.host.driver(), simulation.measurement, simulation.log,
                             simulation.wearHistory, now(), simulation.hasFirmwareEnded});
    report.host = hostTime(setUp, run, report);
    if (simulation.inspector)
        simulation.inspector->finish(report.foundErrors() ? 1 : 0);
    return report;
}

} // namespace strobe::platform
