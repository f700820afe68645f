// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/modes.h"

#include "models/base/time.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <cmath>

namespace strobe::platform {

using nlohmann::json;

namespace {

struct Case {
    const char* name;
    const char* scenario; // in the scenarios directory
    std::vector<Override> sets;
};

std::vector<Case> cases()
{
    std::vector<Case> all;
    const auto paper = [&all](const char* name, const char* scenario, std::vector<Override> sets) {
        sets.emplace_back("nand.part=k9f1g08u0a");
        all.push_back({name, scenario, std::move(sets)});
    };
    paper("ddr-nand SLC read, CONV, 1 way", "papers/ddr-nand/read", {"channel.interface=CONV", "nand.ways=1"});
    paper("ddr-nand SLC read, PROPOSED, 4 ways", "papers/ddr-nand/read", {"channel.interface=PROPOSED", "nand.ways=4"});
    paper("ddr-nand SLC write, CONV, 4 ways", "papers/ddr-nand/write", {"channel.interface=CONV", "nand.ways=4"});
    paper("ddr-nand SLC write, PROPOSED, 16 ways", "papers/ddr-nand/write",
          {"channel.interface=PROPOSED", "nand.ways=16"});
    all.push_back({"quickstart", "quickstart", {}});
    all.push_back({"4 KiB random reads, MLC 4 x 4", "workloads/random-read", {}});
    const Override slow("cpu.clock=20MHz");
    const Override software("controller.backgroundUnits=software");
    all.insert(all.end(),
               {{"hydra xp-startup", "papers/hydra/xp-startup", {}},
                {"hydra general-usage", "papers/hydra/general-usage", {}},
                {"hydra file-write", "papers/hydra/file-write", {}},
                {"hydra reads:writes 5:5", "papers/hydra/iometer-like", {}},
                {"hydra file-write, 20 MHz", "papers/hydra/file-write", {slow}},
                {"hydra general-usage, 20 MHz, software units", "papers/hydra/general-usage", {slow, software}},
                {"hydra file-write, 20 MHz, software units", "papers/hydra/file-write", {slow, software}},
                {"the same on two cores", "papers/hydra/file-write", {slow, software, Override("firmware.cores=2")}}});
    all.push_back({"sequential writes, SLC 4 x 4", "workloads/sequential-write", {}});
    all.push_back(
        {"ZN540-like, 4 KiB random reads, depth 128",
         "papers/real-drives/zn540-1tb-read",
         {Override("workload.phases.0.precondition=true"), Override("workload.phases.2.pacing.queueDepth=128")}});
    return all;
}

ModeFigures figuresOf(const json& report)
{
    const json& all = report.at("totals").at("all");
    ModeFigures figures;
    figures.megabytesPerSecond = all.at("megabytes_per_second").get<double>();
    figures.meanLatency = all.at("latency").at("mean_ps").get<double>();
    figures.p99Latency = all.at("latency").at("p99_ps").get<double>();
    for (const json& resource : report.at("resources")) {
        if (resource.at("name") == "cpu") // the first, if there are two
            figures.cpuBusy = resource.at("utilisation").get<double>();
    }
    return figures;
}

std::string latency(double ps)
{
    return shortTime(picoseconds(std::llround(ps)));
}

std::string difference(double rv32, double native)
{
    return native == 0 ? std::string() : fmt::format("{:+.1f} %", (rv32 / native - 1) * 100);
}

} // namespace

std::vector<ModeRow> compareModes(const std::string& scenariosDirectory, const VariantOptions& options)
{
    const std::vector<Case> all = cases();
    std::vector<Variant> variants;
    for (const Case& one : all) {
        for (const char* mode : {"native", "rv32"}) {
            Variant variant{scenariosDirectory + "/" + one.scenario + ".json", one.sets};
            variant.sets.emplace_back(std::string("firmware.mode=") + mode);
            variants.push_back(std::move(variant));
        }
    }
    const std::vector<json> reports = runVariants(variants, options);
    std::vector<ModeRow> rows;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const json& native = reports[2 * i];
        const json& rv32 = reports[2 * i + 1];
        rows.push_back({all[i].name, rv32.at("totals").at("all").at("requests"), rv32.at("firmware").at("instructions"),
                        figuresOf(native), figuresOf(rv32)});
    }
    return rows;
}

std::string modesText(const std::vector<ModeRow>& rows)
{
    TextTable bandwidth({"bandwidth, CPU", "native", "rv32", "", "CPU busy", "on rv32", "instructions/request"});
    TextTable latencies({"latency", "mean", "rv32", "", "p99", "rv32", ""});
    for (const ModeRow& row : rows) {
        const auto perRequest = static_cast<double>(row.instructions) / static_cast<double>(row.requests);
        bandwidth.row({row.name, fmt::format("{:.2f} MB/s", row.native.megabytesPerSecond),
                       fmt::format("{:.2f} MB/s", row.rv32.megabytesPerSecond),
                       difference(row.rv32.megabytesPerSecond, row.native.megabytesPerSecond),
                       shortPercent(row.native.cpuBusy), shortPercent(row.rv32.cpuBusy), shortNumber(perRequest)});
        latencies.row({row.name, latency(row.native.meanLatency), latency(row.rv32.meanLatency),
                       difference(row.rv32.meanLatency, row.native.meanLatency), latency(row.native.p99Latency),
                       latency(row.rv32.p99Latency), difference(row.rv32.p99Latency, row.native.p99Latency)});
    }
    return "The same firmware, compiled for the host with cost points (native) and on the RV32 core (rv32)\n\n" +
           bandwidth.text() + "\n" + latencies.text();
}

} // namespace strobe::platform
