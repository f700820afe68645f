// SPDX-License-Identifier: Apache-2.0
#include "platform/reproduce/aging.h"

#include "models/channel/pipeline_equations.h"
#include "platform/reproduce/json_keys.h"
#include "platform/reproduce/paper.h"
#include "platform/reproduce/plan.h"
#include "platform/reproduce/units.h"
#include "platform/reproduce/variants.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

using nlohmann::json;

namespace {

constexpr double kilo = 1e3;
constexpr double mega = 1e6;
constexpr double iopBytes = 4096; // section IV counts 4 KiB

// A row of Table I.
struct Technology {
    std::string name;
    double bytesPerSecond; // R
    nand::Part part;

    double accessBytes() const { return part.accessBytes == 0 ? part.geometry.pageBytes : part.accessBytes; }
    channel::Pipeline pipeline(double arraySeconds) const { return {accessBytes(), bytesPerSecond, arraySeconds}; }
};

std::vector<Technology> technologiesOf(const Paper& paper, const LoadOptions& load)
{
    std::vector<Technology> all;
    const json& list = paper.data().at("technologies");
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string place = fmt::format("{}: /technologies/{}", paper.file().name, i);
        const JsonKeys keys(list[i], place);
        keys.allowOnly({"name", "part", "bytesPerSecond"});
        if (!keys.at("bytesPerSecond").is_number())
            throw ConfigError(place + "/bytesPerSecond: must be a number");
        all.push_back({keys.text("name"), keys.at("bytesPerSecond").get<double>(), loadPart(keys.text("part"), load)});
    }
    return all;
}

// A run on a channel without a controller, beside equation 1. A page may be several accesses: the paper's rates count
// these.
class ChannelRun {
public:
    ChannelRun(const MeasuredRun& run, const json& report, const char* kind,
               const std::vector<Technology>& technologies, const LoadOptions& load)
        : technology_(find(technologies, run.workload)), scenario_(scenarioOf(run.variant, load)),
          isWrite_(std::string(kind) == "write"),
          bytes_(report[isWrite_ ? "program_megabytes_per_second" : "read_megabytes_per_second"].get<double>() * mega)
    {
    }
    double rate() const { return bytes_ / technology_.accessBytes() / kilo; }
    double iops() const { return bytes_ / iopBytes / kilo; }
    double throughput() const { return bytes_ / mega; }
    double busUsed() const { return bytes_ / scenario_.nand.array.channels / technology_.bytesPerSecond * percent; }
    double equationOne() const
    {
        const channel::Pipeline pipeline = technology_.pipeline(arraySeconds());
        return pipeline.pagesPerSecond(scenario_.nand.array.ways) * technology_.accessBytes() *
               scenario_.nand.array.channels / mega;
    }

private:
    static const Technology& find(const std::vector<Technology>& technologies, const std::string& name)
    {
        const auto found =
            std::find_if(technologies.begin(), technologies.end(), [&](const Technology& t) { return t.name == name; });
        if (found == technologies.end())
            throw ConfigError(fmt::format("the workload \"{}\" is none of /technologies", name));
        return *found;
    }
    // For a program the mean, if the chips are worn.
    double arraySeconds() const
    {
        const nand::Part& part = scenario_.nand.part;
        if (!isWrite_)
            return toSeconds(part.times.tR);
        const double growth = part.wear.empty() ? 1 : part.wear.at(scenario_.nand.preAged).programMean;
        return toSeconds(part.times.tPROG) * growth;
    }

    const Technology& technology_;
    Scenario scenario_;
    bool isWrite_;
    double bytes_;
};

// From the first command cycle to the end of the program, of a run of programs.
std::vector<ReportQuantity> programTimes()
{
    const auto time = [](const char* name, double (*of)(const json& programs)) {
        return ReportQuantity{name, "us",
                              [of](const MeasuredRun& /*run*/, const json& report) -> std::optional<double> {
                                  return of(report["operations"]["program"]) / mega;
                              }};
    };
    return {time("shortest program", [](const json& p) { return p["latency_min_ps"].get<double>(); }),
            time("mean program",
                 [](const json& p) { return p["latency_sum_ps"].get<double>() / p["count"].get<double>(); }),
            time("longest program", [](const json& p) { return p["latency_max_ps"].get<double>(); })};
}

std::vector<ReportQuantity> channelQuantities(const std::vector<Technology>& technologies, const LoadOptions& load)
{
    std::vector<ReportQuantity> all;
    for (const char* kind : {"write", "read"}) {
        const auto add = [&](const char* what, const char* unit, double (ChannelRun::*value)() const) {
            all.push_back({fmt::format("{} {}", kind, what), unit,
                           [&, kind, value](const MeasuredRun& run, const json& report) -> std::optional<double> {
                               return (ChannelRun(run, report, kind, technologies, load).*value)();
                           }});
        };
        add("rate", "kIOPS", &ChannelRun::rate);
        add("IOPS of 4 KiB", "kIOPS", &ChannelRun::iops);
        add("throughput", "MB/s", &ChannelRun::throughput);
        add("bus used", "%", &ChannelRun::busUsed);
        add("eq. 1", "MB/s", &ChannelRun::equationOne);
    }
    const std::vector<ReportQuantity> times = programTimes();
    all.insert(all.end(), times.begin(), times.end());
    return all;
}

// Figure 1 of the study, which needs no runs.
std::vector<StudyCell> tableOne(const std::vector<Technology>& technologies)
{
    std::vector<StudyCell> cells;
    for (const Technology& t : technologies) {
        if (t.name == "section IV")
            continue;
        const channel::Pipeline write = t.pipeline(toSeconds(t.part.times.tPROG));
        const auto add = [&](const char* quantity, double value, const char* unit) {
            cells.push_back({{"1", t.name, "", quantity}, value, unit});
        };
        add("transfer", write.transferSeconds() * mega, "us");
        add("tR", toMicroseconds(t.part.times.tR), "us");
        add("tPROG", toMicroseconds(t.part.times.tPROG), "us");
        add("maxP", write.maxDepth(), "chips");
    }
    return cells;
}

} // namespace

Study runAging(const std::string& scenariosDirectory, const VariantOptions& options)
{
    const Paper paper(scenariosDirectory, "aging", {"technologies"});
    const std::vector<Technology> technologies = technologiesOf(paper, options.load);
    const Plan plan(paper.data(), paper.file(), channelQuantities(technologies, options.load));
    return paper.run(plan, options, tableOne(technologies));
}

} // namespace strobe::platform
