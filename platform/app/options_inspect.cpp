// SPDX-License-Identifier: Apache-2.0
//
// The options of `strobe inspect`.
#include "models/host/workload/workload_config.h"
#include "platform/app/command_context.h"
#include "platform/app/commands.h"
#include "platform/app/waveform.h"

#include <fmt/format.h>

#include <memory>

namespace strobe::platform {

namespace {

std::string traceHelp()
{
    std::string text = "Formats:\n";
    for (const auto& row : host::traceFormatTable)
        text += fmt::format("  {:<14} {}\n", row.name, row.help);
    return text + "\nExample:\n  strobe inspect trace scenarios/traces/debian-appload.iolog3.xz";
}

std::string waveformHelp()
{
    std::string text = "Operations (the part must support them):\n";
    for (const auto& row : pins::busSequenceTable)
        text += fmt::format("  {:<19} {}\n", row.name, row.help);
    return text + "\nExample:\n  strobe inspect waveform read --interface CONV --bytes 8 --vcd read.vcd";
}

void addWaveform(CommandContext& c, CLI::App* inspect)
{
    auto command = std::make_shared<WaveformCommand>();
    CLI::App* waveform = inspect->add_subcommand("waveform", "An operation on the NAND bus, pin by pin");
    waveform->add_option("operation", command->operation, "One of those listed below, like read or cache-program")
        ->type_name("OPERATION")
        ->required();
    c.addScenario(waveform);
    waveform->add_option("--interface", command->interface, "Use this interface at its fastest clock, like PROPOSED")
        ->type_name("INTERFACE");
    waveform->add_option("--bytes", command->bytes, "Bytes of page data on the bus, instead of a whole page")
        ->type_name("N")
        ->check(CLI::Range(1U, 65'536U));
    waveform->add_option("--vcd", command->vcd, "Also write it as a value change dump, for GTKWave")->type_name("FILE");
    waveform->footer(waveformHelp());
    c.choose(waveform, [&c, command] {
        c.load.needsWorkload = false;
        command->scenario = c.scenario;
        command->load = c.load;
        return inspectWaveform(*command);
    });
}

// strobe inspect NAME [SCENARIO]
void addWithScenario(CommandContext& c, CLI::App* inspect, const char* name, const char* text, const char* footer,
                     int (*action)(const std::string&, const LoadOptions&))
{
    CLI::App* command = inspect->add_subcommand(name, text);
    command->footer(footer);
    c.addScenario(command);
    c.choose(command, [&c, action] {
        c.load.needsWorkload = false;
        return action(c.scenario, c.load);
    });
}

void addTiming(CommandContext& c, CLI::App* inspect)
{
    auto interface = std::make_shared<std::string>();
    CLI::App* timing = inspect->add_subcommand("timing", "Times of each NAND operation, segment by segment");
    c.addScenario(timing);
    timing->footer("Takes a scenario, or a part and an interface.\n\n"
                   "Examples:\n  strobe inspect timing --set nand.part=k9f1g08u0a\n"
                   "  strobe inspect timing mlc-8k-2plane NV_DDR_5\n\n"
                   "Next: strobe inspect waveform read draws the pins of an operation.");
    timing->get_option("scenario")->description("Scenario file or name; with an interface: part, like k9f1g08u0a");
    timing->add_option("interface", *interface, "NAND interface of that part, like ONFI_SDR_5")->type_name("INTERFACE");
    c.choose(timing, [&c, interface] {
        c.load.needsWorkload = false;
        return interface->empty() ? inspectTiming(c.scenario, c.load)
                                  : inspectPartTiming(c.scenario, *interface, c.load);
    });
}

void addPart(CommandContext& c, CLI::App* inspect)
{
    auto name = std::make_shared<std::string>();
    CLI::App* part = inspect->add_subcommand("part", "A NAND part with the value of every parameter");
    part->add_option("name", *name, "Part, like k9f1g08u0a")->type_name("PART")->required();
    part->footer("The output is a part file: a copy of it is a start for a chip of your own.\n\n"
                 "Example:\n  strobe inspect part k9f1g08u0a");
    c.choose(part, [&c, name] { return inspectPart(*name, c.load); });
}

void addTrace(CommandContext& c, CLI::App* inspect)
{
    auto command = std::make_shared<InspectTraceCommand>();
    CLI::App* trace = inspect->add_subcommand("trace", "Contents of a trace: counts, sizes, footprint, duration");
    trace->add_option("file", command->file, "Trace file, plain or compressed")->type_name("FILE")->required();
    trace->add_option("--format", command->format, "Its format; by default it is recognised from the contents")
        ->type_name("FORMAT");
    trace->add_option("--json", command->json, "Write the same as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
    trace->footer(traceHelp());
    c.choose(trace, [command] { return inspectTrace(*command); });
}

void addFirmwareTrace(CommandContext& c, CLI::App* inspect)
{
    auto command = std::make_shared<InspectFirmwareTraceCommand>();
    CLI::App* trace = inspect->add_subcommand("firmware-trace", "A trace of firmware in binary form, as text");
    trace->add_option("file", command->file, "Trace, as strobe run --trace-firmware FILE --trace-form binary writes it")
        ->type_name("FILE")
        ->required();
    trace->add_option("--firmware", command->image, "The ELF file that was run: names functions and lines")
        ->type_name("FILE");
    addTraceChoice(trace, command->choice, "--", nullptr);
    trace->footer("Prints what strobe run --trace-firmware FILE writes as text; both have the same choices.\n\n"
                  "Example:\n  strobe inspect firmware-trace ftl.trace --firmware my_ftl.elf --kinds registers");
    c.choose(trace, [command] { return inspectFirmwareTrace(*command); });
}

void addJson(CLI::App* command, std::string& json)
{
    command->add_option("--json", json, "Write the result as JSON to a file, or with - to standard output")
        ->type_name("FILE")
        ->check(namesFile(true));
}

void addImage(CommandContext& c, CLI::App* inspect)
{
    auto file = std::make_shared<std::string>();
    auto json = std::make_shared<std::string>();
    CLI::App* image = inspect->add_subcommand("image", "Contents of a drive image: its drive, wear, what is written");
    image->add_option("file", *file, "Image, as strobe run --save-image or nand.contents writes it")
        ->type_name("FILE")
        ->required();
    addJson(image, *json);
    image->footer("Reads the whole file and verifies its checksums.\n\nExample:\n  strobe inspect image drive.img");
    c.choose(image, [file, json] { return inspectImage(*file, *json); });
    addWithScenario(
        c, inspect, "image-key", "Name of the image that the preconditioning of a scenario makes",
        "Equal keys mean equal images. The key depends on the drive, the seed, the preconditioning phases,\n"
        "their traces, the firmware image, the file format, and the sources of the models; not on\n"
        "measured phases or names.\n\n"
        "Example:\n  strobe inspect image-key my-drive --set seed=2",
        inspectImageKey);
}

void addRecovery(CommandContext& c, CLI::App* inspect)
{
    auto file = std::make_shared<std::string>();
    CLI::App* recovery =
        inspect->add_subcommand("recovery", "Starts after power losses: pages scanned, and what the host read back");
    recovery->add_option("report", *file, "Report of a run with power losses, as strobe run --json writes it")
        ->type_name("REPORT")
        ->required();
    recovery->footer("Example:\n  strobe inspect recovery report.json");
    c.choose(recovery, [file] { return inspectRecovery(*file); });
}

void addSizing(CommandContext& c, CLI::App* inspect)
{
    auto forPins = std::make_shared<PinsCommand>();
    CLI::App* pins =
        inspect->add_subcommand("pins", "Pins that channels need, and channels that the pins of a package allow");
    const CLI::Range count(1U, 100'000U);
    pins->add_option("--bus-pins", forPins->busPins, "Pins of a channel's bus, Mc")
        ->type_name("N")
        ->required()
        ->check(count);
    pins->add_option("--depth", forPins->depth, "Chips on a channel, P; two pins each")
        ->type_name("N")
        ->check(count)
        ->capture_default_str();
    pins->add_option("--channels", forPins->channels, "Channels, Nc")->type_name("N")->check(count);
    pins->add_option("--budget", forPins->budget, "Pins of the package for flash, Pb")->type_name("N")->check(count);
    addJson(pins, forPins->json);
    pins->footer("Example:\n  strobe inspect pins --bus-pins 15 --depth 2 --channels 8 --budget 160");
    c.choose(pins, [forPins] { return inspectPins(*forPins); });

    auto forLife = std::make_shared<LifetimeCommand>();
    CLI::App* lifetime = inspect->add_subcommand("lifetime", "Lifetime of a drive that is written continuously");
    const CLI::Validator positive(
        [](const std::string& given) -> std::string {
            constexpr double least = 1e-9;
            constexpr double most = 1e15;
            double value = 0;
            const bool isNumber = CLI::detail::lexical_cast(given, value);
            return isNumber && value >= least && value <= most
                       ? std::string()
                       : fmt::format("{}: must be a number from {:g} to {:g}", given, least, most);
        },
        "NUMBER");
    lifetime->add_option("--capacity", forLife->capacity, "Raw capacity, like 256GB")->type_name("SIZE")->required();
    lifetime->add_option("--endurance", forLife->endurance, "Rated cycles")
        ->type_name("N")
        ->required()
        ->check(positive);
    lifetime->add_option("--write-rate", forLife->writeRate, "Write rate of the host, like 100MB/s")
        ->type_name("RATE")
        ->required();
    lifetime->add_option("--amplification", forLife->amplification, "Write amplification")
        ->type_name("A")
        ->check(positive)
        ->capture_default_str();
    addJson(lifetime, forLife->json);
    lifetime->footer("Example:\n  strobe inspect lifetime --capacity 256GB --endurance 3000 --write-rate 100MB/s "
                     "--amplification 2.5");
    c.choose(lifetime, [forLife] { return inspectLifetime(*forLife); });
}

void addReferences(CommandContext& c, CLI::App* inspect)
{
    auto markdown = std::make_shared<bool>(false);
    CLI::App* parameters =
        inspect->add_subcommand("parameters", "Every key of a scenario: type, default, allowed values, meaning");
    parameters->add_flag("--markdown", *markdown, "As the Markdown table of docs/scenarios.md");
    parameters->footer(
        "Any of these keys can be set in a scenario file or on the command line.\n\n"
        "Example:\n  strobe inspect parameters | grep channels\n  strobe run workloads/sequential-write --set "
        "nand.channels=8");
    c.choose(parameters, [markdown] { return inspectParameters(*markdown); });
    auto asMarkdown = std::make_shared<bool>(false);
    CLI::App* statistics = inspect->add_subcommand("statistics", "Every counter of a report: key, unit, meaning");
    statistics->add_flag("--markdown", *asMarkdown, "As a Markdown table");
    statistics->footer(
        "Example:\n  strobe inspect statistics\n\n"
        "Keys are those of the JSON report (strobe run --json FILE); docs/report.md explains the rest of it.");
    c.choose(statistics, [asMarkdown] { return inspectStatistics(*asMarkdown); });
    CLI::App* schema = inspect->add_subcommand("schema", "JSON Schema of scenarios, for editors");
    schema->footer("Example:\n  strobe inspect schema > scenario.schema.json");
    c.choose(schema, inspectSchema);
    addWithScenario(c, inspect, "memory-map", "Memories and registers on the system bus of a drive",
                    "Example:\n  strobe inspect memory-map --set firmware.cores=2", inspectMemoryMap);
}

} // namespace

void addInspectCommands(CommandContext& c)
{
    CLI::App* inspect =
        c.app.add_subcommand("inspect", "Show parameters, timings, parts and traces without running a simulation");
    inspect->footer("Examples:\n  strobe inspect parameters\n  strobe inspect interface\n  strobe inspect timing --set "
                    "nand.part=k9f1g08u0a\n"
                    "  strobe inspect timing mlc-8k-2plane NV_DDR_5\n"
                    "  strobe inspect trace scenarios/traces/debian-appload.iolog3.xz");
    addWithScenario(c, inspect, "interface", "How the clock periods of the NAND interfaces follow from their equations",
                    "Example:\n  strobe inspect interface --set channel.interface=PROPOSED", inspectInterface);
    addWithScenario(c, inspect, "scenario", "A scenario with the value of every parameter",
                    "The output is a scenario file that needs no other file but traces.\n\n"
                    "Example:\n  strobe inspect scenario devices/sata-mlc-8x4 --set nand.ways=2",
                    inspectScenario);
    addTiming(c, inspect);
    addWaveform(c, inspect);
    addPart(c, inspect);
    addTrace(c, inspect);
    addFirmwareTrace(c, inspect);
    addImage(c, inspect);
    addRecovery(c, inspect);
    addSizing(c, inspect);
    addReferences(c, inspect);
    needsCommand(inspect);
}

} // namespace strobe::platform
