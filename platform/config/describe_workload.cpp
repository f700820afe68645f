// SPDX-License-Identifier: Apache-2.0
//
// Every parameter of the workload, once. Keys of a phase are flat, because they are changed most often.
#include "platform/config/describe_tools.h"
#include "platform/config/scenario_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

namespace strobe::platform {

using nlohmann::json;

namespace {

// As the function of describe_tools.h.
void sizeOrShare(Fields& f, std::string_view name, host::SizeOrShare& value, std::string_view word, bool zeroIsNothing,
                 std::string_view text)
{
    sizeOrShare(f, name, {value.bytes, value.share, word, zeroIsNothing}, text);
}

// 0..1 in the model; "70%" or 0.7 in a scenario.
void share(Fields& f, std::string_view name, double& value, std::string_view text)
{
    f.custom({std::string(name), "percentage", "0% to 100%, or 0 to 1", std::string(text)},
             {[&value](const json& j) -> std::string {
                  double read = -1;
                  if (j.is_number()) {
                      read = j.get<double>();
                  } else if (j.is_string()) {
                      const Parsed parsed = parseQuantity(Quantity::Percent, j.get<std::string>());
                      read = parsed.value ? static_cast<double>(*parsed.value) / 1000 : -1;
                  }
                  if (read < 0 || read > 1)
                      return "must be a percentage in quotes from \"0%\" to \"100%\" or a number from 0 to 1, not " +
                             j.dump();
                  value = read;
                  return {};
              },
              [&value] {
                  const auto permille = std::llround(value * 1000);
                  const bool exact = value == static_cast<double>(permille) / 1000;
                  return exact ? json(quantityText(Quantity::Percent, permille)) : json(value);
              },
              [] {
                  return json{{"anyOf", json::array({json{{"$ref", "#/definitions/percentage"}},
                                                     json{{"type", "number"}, {"minimum", 0}, {"maximum", 1}}})}};
              }});
}

// A mean interval in the model, "20000/s" in a scenario; zero is "none".
void arrivalRate(Fields& f, std::string_view name, Time& interval, std::string_view text)
{
    f.custom({std::string(name), "requests per second", "", std::string(text)},
             {[&interval](const json& j) -> std::string {
                  const auto written = j.is_string() ? j.get<std::string>() : std::string();
                  char* end = nullptr;
                  const double rate = std::strtod(written.c_str(), &end);
                  const bool none = written == "none";
                  if (!none && (std::string_view(end) != "/s" || !(rate >= 1e-3 && rate <= 1e9)))
                      return "must be requests per second in quotes, like \"20000/s\", or \"none\", not " + j.dump();
                  interval = none ? Time{} : picoseconds(std::llround(picosecondsPerSecond / rate));
                  return {};
              },
              [&interval] {
                  return json(interval == Time{} ? "none"
                                                 : fmt::format("{:.15g}/s", picosecondsPerSecond /
                                                                                static_cast<double>(interval.count())));
              },
              [] {
                  return json{{"type", "string"}, {"pattern", "^([0-9.]+/s|none)$"}};
              }});
}

// Time::max() in the model, "unlimited" in a scenario.
void timeLimit(Fields& f, std::string_view name, Time& value, std::string_view text)
{
    f.custom(
        {std::string(name), "time or \"unlimited\"", "", std::string(text)},
        {[&value](const json& j) -> std::string {
             const auto written = j.is_string() ? j.get<std::string>() : std::string();
             const Parsed parsed = parseQuantity(Quantity::Time, written);
             if (written != "unlimited" && !parsed.value)
                 return "must be a time in quotes like \"10ms\" or \"unlimited\", not " + j.dump();
             value = parsed.value ? picoseconds(*parsed.value) : never;
             return {};
         },
         [&value] { return json(value == never ? "unlimited" : quantityText(Quantity::Time, value.count())); },
         [] {
             return json{{"anyOf", json::array({json{{"$ref", "#/definitions/time"}}, json{{"const", "unlimited"}}})}};
         }});
}

void queueChoice(Fields& f, host::QueueChoice& choice)
{
    f.custom(
        {"queues", "\"any\", a class, or numbers", "any, urgent, high, medium, low, or numbers from 1 to 64",
         "Submission queues of the commands, with interface nvme: all of a class, or those with these numbers, "
         "like 1 or 2-4,6; a command goes to the one with the fewest commands."},
        {[&choice](const json& j) -> std::string {
             const std::string text = j.is_number_unsigned() ? j.dump() : j.is_string() ? j.get<std::string>() : "";
             const auto read = host::QueueChoice::of(text);
             if (!read)
                 return "must be \"any\", \"urgent\", \"high\", \"medium\", \"low\", or numbers of queues from 1 "
                        "to 64 like \"1\" or \"2-4,6\", not " +
                        j.dump();
             choice = *read;
             return {};
         },
         [&choice] { return json(choice.text()); },
         [] {
             return json{{"anyOf", json::array({json{{"type", "string"},
                                                     {"pattern", "^(any|urgent|high|medium|low|[0-9]+(-[0-9]+)?(,[0-9]+"
                                                                 "(-[0-9]+)?)*)$"}},
                                                json{{"type", "integer"}, {"minimum", 1}, {"maximum", 64}}})}};
         },
         [&choice] { return choice.isAny(); }});
}

Codec namespaceChoice(std::uint32_t& number)
{
    return {[&number](const json& j) -> std::string {
                if (!j.is_number_unsigned() || j.get<std::uint64_t>() < 1 || j.get<std::uint64_t>() > mostNamespaces)
                    return fmt::format("must be a whole number from 1 to {}, not {}", mostNamespaces, j.dump());
                number = j.get<std::uint32_t>();
                return {};
            },
            [&number] { return json(number); },
            [] {
                return json{{"type", "integer"}, {"minimum", 1}, {"maximum", mostNamespaces}};
            },
            [&number] { return number == 1; }};
}

void describeHabit(Fields& f, host::HabitConfig& c)
{
    f.listOf("sizes", c.sizes, "Sizes of requests.", [](Fields& g, host::SizeWeight& s) {
        g.required().quantity("size", Quantity::Size, s.bytes, {512, 32 * 1024 * 1024}, "Size of a request.");
        g.real("weight", s.weight, 1e-9, 1e9, "Relative frequency of this size.");
    });
    share(f, "sequential", c.sequential,
          "Share of requests that start where the previous one of this direction ended.");
    share(f, "near", c.near, "Share of requests that start within nearDistance of that point.");
    sizeOrShare(f, "span", c.span, "region", true, "First part of the region in which the other requests start.");
}

// `mayBeTrace`: false for jobs beside the phase's own one.
void describeSource(Fields& f, host::SourceConfig& c, bool mayBeTrace, bool hasZones)
{
    f.choice("kind", c.kind, "Source of requests.");
    const auto only = [&](bool holds, const char* where) -> Fields& {
        return f.onlyIf(holds, where, fmt::format("kind is {}", enumName(c.kind)), {"kind"});
    };
    const bool generates = c.kind != host::SourceKind::Trace;
    const auto generator = [&]() -> Fields& { return only(generates, "generators"); };
    f.object("region", "The part of the drive that requests go to; traces are folded into it.", [&](Fields& g) {
        sizeOrShare(g, "offset", c.region.offset, "start", false,
                    "Start of the region; a percentage is of the capacity.");
        sizeOrShare(g, "size", c.region.size, "rest", true, "Size of the region; rest: to the end of the drive.");
    });
    const std::string_view ends = mayBeTrace ? "the phase ends" : "the job issues no more";
    f.number("requests", c.requests, {0}, fmt::format("Number of requests after which {}; 0: no limit.", ends));
    sizeOrShare(f, "volume", c.volume, "unlimited", true,
                fmt::format("Amount of data after which {}; a percentage is of the region, 100% is one pass.", ends));
    const bool isDesktop = c.kind == host::SourceKind::Desktop;
    only(generates && !isDesktop, "generators of one size")
        .quantity("blockSize", Quantity::Size, c.blockSize, {512, 32 * 1024 * 1024}, "Size of a request.");
    generator().quantity("alignment", Quantity::Size, c.alignment, {0, 1'073'741'824},
                         "Requests start at multiples of this; 0B: of the block size.");
    share(generator(), "readRatio", c.mix.readRatio, "Share of reads among reads and writes.");
    share(generator(), "trimRatio", c.mix.trimRatio, "Share of trims among reads, writes and trims.");
    generator().number("flushEvery", c.mix.flushEvery, {0}, "Number of writes between flushes; 0: no flushes.");
    f.custom({"namespace", "whole number", "1 to 64",
              "Namespace of the drive that the requests go to (host.nvme.namespaces); regions and percentages are of "
              "it."},
             namespaceChoice(c.space.number));
    queueChoice(f, c.queues);
    f.numberOr("placement", c.placement, "none", {0, bounds::placementHandles.maximum - 1},
               "Placement handle of the writes, on a drive with data placement "
               "(firmware.pageMap.placement); none: writes without one, which go to handle 0.");
    const auto spread = [&](Fields& g) {
        g.flag("spread", c.spread, "Spread popular blocks over the region instead of placing them at its start.");
    };
    f.ifChosen(c.kind == host::SourceKind::Zipf, "kind zipf").object("zipf", "Popularity of blocks.", [&](Fields& g) {
        g.real("theta", c.theta, 0, 10, "Exponent of the Zipf distribution.");
        spread(g);
    });
    f.ifChosen(c.kind == host::SourceKind::HotCold, "kind hot-cold")
        .object("hotCold", "Hot blocks and their share of the accesses.", [&](Fields& g) {
            share(g, "space", c.hot.space, "Share of the blocks that is hot.");
            share(g, "accesses", c.hot.accesses, "Share of the accesses that goes to hot blocks.");
            spread(g);
        });
    f.ifChosen(isDesktop, "kind desktop").object("desktop", "Traffic of a desktop computer.", [&](Fields& g) {
        g.object("reads", "Sizes and places of reads.", [&](Fields& h) { describeHabit(h, c.reads); });
        g.object("writes", "Sizes and places of writes and trims.", [&](Fields& h) { describeHabit(h, c.writes); });
        g.quantity("nearDistance", Quantity::Size, c.nearDistance, {0, 1'073'741'824}, "Distance for near.");
    });
    f.ifChosen(hasZones && generates, "firmware.ftl zoned and generators")
        .object("zones", "What requests do on a drive with zones.", [&](Fields& g) {
            const auto ofZones = [&]() -> Fields& {
                return g.onlyIf(hasZones, "drives with zones", "firmware.ftl is not zoned", {});
            };
            ofZones().choice("writes", c.zones.writes, "How data is written.");
            ofZones().choice("command", c.zones.command,
                             "Command for zones that each request is, instead of moving data.");
        });
    if (!mayBeTrace)
        return;
    f.ifChosen(!generates, "kind trace").object("trace", "The trace to replay.", [&](Fields& g) {
        g.text("file", c.trace.file, "File, plain or gz, bz2, xz or zst; relative to the scenario file.");
        g.choice("format", c.trace.format, "Format of the file.");
        g.onlyIf(c.trace.format == host::TraceFormat::Auto || c.trace.format == host::TraceFormat::FioIologV2,
                 "format fio-iolog-v2", fmt::format("format is {}", enumName(c.trace.format)), {"format"});
        g.choice("waitMeaning", c.trace.waitMeaning, "Meaning of a wait line.");
        g.choice("disorder", c.trace.disorder, "Treatment of a record that is earlier than its predecessor.");
        g.choice("layout", c.trace.layout, "Placement of several files or disks of one trace on the drive.");
        g.number("maxSectors", c.trace.maxSectors, {1, 65'536}, "Longer requests are split.");
    });
}

void describePacing(Fields& f, host::PacingConfig& c, bool generates)
{
    f.choice("mode", c.mode, "When requests are issued.");
    const bool isClosed = c.mode == host::PacingMode::Closed;
    const bool isOpen = c.mode == host::PacingMode::Open;
    const std::string mode = fmt::format("mode is {}", enumName(c.mode));
    const auto only = [&](bool holds, const char* where) -> Fields& { return f.onlyIf(holds, where, mode, {"mode"}); };
    const auto arrives = [&]() -> Fields& { // arrival times are generated here
        return f.onlyIf(isOpen && generates, "generators in mode open", isOpen ? "kind is trace" : mode,
                        {"mode", "../kind"});
    };
    only(isClosed, "mode closed").number("queueDepth", c.queueDepth, {1, 65'535}, "Requests kept outstanding.");
    only(isClosed, "mode closed")
        .quantity("thinkTime", Quantity::Time, c.thinkTime, {0, 1'000 * second},
                  "Time from a completion to the request that replaces it.");
    arrivalRate(f.onlyIf(generates, "generators", "kind is trace", {"../kind"}), "rate", c.interval,
                "Mean arrival rate (open), highest mean rate (closed); a trace has its own times.");
    arrives().choice("arrivals", c.arrivals, "Distribution of arrivals.");
    only(!isClosed, "modes open and dependent")
        .real("timeScale", c.timeScale, 1e-6, 1e6, "Arrival times are multiplied by this; 0.5 is twice as fast.");
    only(c.mode == host::PacingMode::Dependent, "mode dependent")
        .quantity("traceResponse", Quantity::Time, c.traceResponse, {0, 1'000 * second},
                  "Response time of a request on the recorded system, if the trace does not contain it.");
}

void describePacingOf(Fields& f, const host::SourceConfig& source, host::PacingConfig& pacing)
{
    f.object("pacing", "Closed loop at a queue depth, or open loop by arrival times.",
             [&](Fields& g) { describePacing(g, pacing, source.kind != host::SourceKind::Trace); });
}

void precondition(Fields& f, host::PhaseConfig& c)
{
    f.custom({"precondition", "true, false or \"functional\"", "",
              "Exclude the phase from the results; \"functional\": and serve it without simulated time."},
             {[&c](const json& j) -> std::string {
                  if (!j.is_boolean() && j != "functional")
                      return "must be true, false or \"functional\", not " + j.dump();
                  c.isFunctional = !j.is_boolean();
                  c.measured = !c.isFunctional && !j.get<bool>();
                  return {};
              },
              [&c] { return c.isFunctional ? json("functional") : json(!c.measured); },
              [] {
                  return json{{"enum", json::array({true, false, "functional"})}};
              }});
}

} // namespace

void describeWorkload(Fields& f, host::WorkloadConfig& workload, bool hasZones)
{
    f.required().listOf(
        "phases", workload.phases, "Phases of the workload, in order.", [hasZones](Fields& g, host::PhaseConfig& c) {
            g.required().text("name", c.name, "Name of the phase in the progress line and the report.");
            describeSource(g, c.source, true, hasZones);
            describePacingOf(g, c.source, c.pacing);
            g.seldom().listOf(
                "concurrentJobs", c.concurrentJobs,
                "Jobs that run at the same time as the phase's own job, until that has issued all its requests.",
                [hasZones](Fields& h, host::JobConfig& job) {
                    h.required().text("name", job.name, "Name of the job in the report.");
                    describeSource(h, job.source, false, hasZones);
                    describePacingOf(h, job.source, job.pacing);
                });
            timeLimit(g, "maxTime", c.maxTime, "Ends the phase: no request is issued at or after this time.");
            precondition(g, c);
            g.flag("drain", c.drain, "Wait for all completions before the next phase begins.");
            g.onlyIf(!c.measured, "precondition phases", "the phase is measured", {"precondition"});
            g.flag("flush", c.flush,
                   "End the phase with a flush, so that its buffered writes do not count in the next phase.");
        });
}

} // namespace strobe::platform
