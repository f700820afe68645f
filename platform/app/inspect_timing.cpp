// SPDX-License-Identifier: Apache-2.0
//
// strobe inspect timing: where the time of each NAND operation goes, of a drive or of a part on an interface.
#include "models/channel/combined_segments.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/config/compose.h"
#include "platform/config/resolve_channel.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

using channel::BusLines;
using channel::BusSchedule;
using channel::Segment;
using nand::Form;
using nand::Opcode;

class TimingPrinter {
public:
    explicit TimingPrinter(const BusSchedule& schedule) : schedule_(schedule), part_(schedule.part()) {}

    void all()
    {
        const channel::InterfaceTiming& t = schedule_.timing();
        fmt::print("{}: {} at {} per command {}, {} byte{} per {} in and {} out\n", part_.name, t.name, toText(t.cycle),
                   t.hasCommandLines ? "packet" : "cycle", t.bytesPerCycle, t.bytesPerCycle == 1 ? "" : "s",
                   toText(t.inCycle()), toText(t.outCycle()));
        const std::size_t types = std::max<std::size_t>(part_.pageTypes.size(), 1);
        for (page_ = 0; page_ < types; ++page_) {
            for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::CopyBack}) {
                if (opcode == Opcode::Read || !part_.geometry.hasWordLines())
                    print(titled(enumName(opcode)), schedule_.segments(operation(opcode)));
            }
        }
        page_ = 0;
        if (part_.snapRead.bytes != 0) {
            nand::Operation op = operation(Opcode::Read);
            op.sectors = part_.snapRead.bytes / static_cast<std::uint32_t>(sectorBytes);
            print(titled("snap read"), schedule_.segments(op));
        }
        if (part_.geometry.hasWordLines())
            print("program of a word line", wordLineSegments(schedule_, operation(Opcode::Program), 1));
        print("erase", schedule_.segments(operation(Opcode::Erase)));
        if (part_.geometry.hasPslc())
            pslc();
        if (part_.geometry.planes > 1 && part_.multiPlane != nand::MultiPlaneRule::None)
            multiPlane(types);
        if (part_.hasPlaneReads())
            planeReads(types);
        cache(types);
        if (part_.maxSuspends > 0)
            suspend();
    }

private:
    nand::Operation operation(Opcode opcode, Form form = Form::Alone) const
    {
        nand::Operation op;
        op.opcode = opcode;
        op.form = form;
        op.target.page = op.source.page = static_cast<std::uint32_t>(page_);
        const bool hasData = opcode == Opcode::Read || opcode == Opcode::Program;
        op.sectors = hasData ? part_.geometry.sectorsPerPage() : 0;
        return op;
    }

    void pslc() const
    {
        for (const Opcode opcode : {Opcode::Read, Opcode::Program, Opcode::Erase}) {
            nand::Operation op = operation(opcode);
            op.pslc = true;
            print(fmt::format("{} in pSLC mode", enumName(opcode)), schedule_.segments(op));
        }
    }

    // Commands on single pages.
    std::vector<Opcode> pageOpcodes() const
    {
        return part_.geometry.hasWordLines() ? std::vector<Opcode>{Opcode::Read}
                                             : std::vector<Opcode>{Opcode::Read, Opcode::Program};
    }

    std::string titled(std::string_view what) const
    {
        return part_.pageTypes.empty() ? std::string(what) : fmt::format("{}, {} page", what, typeName());
    }
    const std::string& typeName() const { return part_.typeOf(static_cast<std::uint32_t>(page_)).name; }

    void print(const std::string& title, const std::vector<Segment>& segments, const std::string& remark = {}) const
    {
        TextTable table({"segment", "where", "cycles", "time"}, {0, 1});
        Time total{};
        for (const Segment& s : segments) {
            table.row({s.label, placeOf(s), s.cycles == 0 ? "" : grouped(s.cycles), toText(s.duration)});
            total += s.duration;
        }
        table.row({"total", "", "", toText(total)});
        fmt::print("\n{}: unloaded {}, of which {}{}\n{}", title, toText(total), heldTime(segments), remark,
                   table.text());
    }

    static std::string placeOf(const Segment& segment)
    {
        switch (segment.lines) {
        case BusLines::Command: return "CA";
        case BusLines::Data: return "DQ";
        case BusLines::None: return segment.onBus ? "-" : "die"; // a wait inside a request or response
        case BusLines::All: break;
        }
        return "bus";
    }

    std::string heldTime(const std::vector<Segment>& segments) const
    {
        const auto on = [&](BusLines lines) {
            Time time{};
            for (const Segment& s : segments)
                time += s.lines == lines ? s.duration : Time{};
            return toText(time);
        };
        if (schedule_.hasCommandLines())
            return fmt::format("CA is held for {} and DQ for {}", on(BusLines::Command), on(BusLines::Data));
        return fmt::format("the bus is held for {}", on(BusLines::All));
    }

    void multiPlane(std::size_t types)
    {
        const std::uint32_t planes = part_.geometry.planes;
        for (page_ = 0; page_ < types; ++page_) {
            for (const Opcode opcode : pageOpcodes())
                print(titled(fmt::format("{}-plane {}", planes, enumName(opcode))),
                      multiPlaneSegments(schedule_, operation(opcode), planes));
        }
        page_ = 0;
        if (part_.geometry.hasWordLines())
            print(fmt::format("{}-plane program of word lines", planes),
                  wordLineSegments(schedule_, operation(Opcode::Program), planes));
        print(fmt::format("{}-plane erase", planes), multiPlaneSegments(schedule_, operation(Opcode::Erase), planes));
    }

    void planeReads(std::size_t types)
    {
        for (page_ = 0; page_ < types; ++page_)
            print(titled("plane-independent read"), schedule_.segments(operation(Opcode::Read, Form::PlaneRead)),
                  fmt::format("; {} planes sense at the same time", part_.geometry.planes));
        page_ = 0;
    }

    void cache(std::size_t types)
    {
        for (page_ = 0; page_ < types; ++page_) {
            for (const Opcode opcode : pageOpcodes()) {
                const nand::Operation op = operation(opcode);
                print(titled(fmt::format("cache {} in the middle", enumName(opcode))),
                      cachedPageSegments(schedule_, op),
                      fmt::format("; with {} of array time after it, a page every {}", toText(schedule_.arrayTime(op)),
                                  toText(cachePeriod(schedule_, op))));
            }
            if (part_.hasPlaneCache() && !part_.geometry.hasWordLines()) {
                const Time period = multiPlaneCachePeriod(schedule_, operation(Opcode::Program), part_.geometry.planes);
                fmt::print("\n{}: a page of each plane every {}\n",
                           titled(fmt::format("{}-plane cache program in the middle", part_.geometry.planes)),
                           toText(period));
            }
        }
        page_ = 0;
    }

    void suspend() const
    {
        for (const Opcode opcode : {Opcode::Program, Opcode::Erase}) {
            print(fmt::format("{} suspend", enumName(opcode)), schedule_.segments(operation(opcode, Form::Suspend)));
            std::vector<Segment> again = schedule_.requestSegments(operation(opcode, Form::Resume));
            for (const Segment& s : schedule_.arraySegments(operation(opcode, Form::Resume)))
                again.push_back(s);
            print(fmt::format("{} resume", enumName(opcode)), again, ", and the remaining time");
        }
    }

    const BusSchedule& schedule_;
    const nand::Part& part_;
    std::size_t page_ = 0; // number of the page type printed
};

} // namespace

int inspectTiming(const std::string& name, const LoadOptions& options)
{
    if (findFile(name, "", options.scenariosDirectory).empty() &&
        !findFile(name, "", options.scenariosDirectory + "/parts").empty())
        throw ConfigError(
            fmt::format("{0} is a part: name the interface, like strobe inspect timing {0} ONFI_SDR_5", name));
    const Scenario scenario = loadScenario(findScenario(name, options), options);
    TimingPrinter(BusSchedule(scenario.timingOf(0), scenario.nand.part)).all();
    return exitOk;
}

int inspectPartTiming(const std::string& part, const std::string& interface, const LoadOptions& options)
{
    if (!options.sets.empty())
        throw ConfigError("--set changes a scenario; it cannot be used with a part and an interface");
    TimingPrinter(BusSchedule(interfaceTiming(interface), loadPart(part, options))).all();
    return exitOk;
}

} // namespace strobe::platform
