// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"
#include "platform/reproduce/di_ssd.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

constexpr const char* nominal = "100% 25C";
constexpr const char* rv32Rate = "10000";          // reads per second of the run on the core
constexpr const char* fasterClock = " at 800 MHz"; // after a corner: a fast clock that divides more finely

bool isCorner(const std::string& cell)
{
    for (const char* corner : {"slow", "typical", "fast"}) {
        if (cell == corner || cell == std::string(corner) + fasterClock)
            return true;
    }
    return false;
}

class Writer {
public:
    explicit Writer(const Study& study) : study_(study) {}

    std::string text()
    {
        std::string out = study_.paper + "\n";
        out += chips("", "400 MHz") + chips(fasterClock, "800 MHz") + others() +
               responses("2", "Random reads of a page, mean response by reads per second");
        out += responses("3", "Workloads and traces, mean read response");
        out +=
            responses("7", "A clock for each direction: 50 MHz out, 25 MHz in, against 25 MHz; one request at a time");
        out += besides();
        return out + statementsText(study_) + assumed();
    }

private:
    std::string shown(const char* figure, const std::string& workload, const std::string& quantity,
                      const std::string& setting, int digits) const
    {
        const StudyCell* found = study_.find({figure, workload, setting, quantity});
        return found == nullptr ? "" : fmt::format("{:.{}f}", found->measured, digits);
    }

    // Corners against supply and temperature.
    std::string chips(const std::string& fastClock, const char* title) const
    {
        TextTable rows({"supply, temperature", "slow MHz", "least", "margin ns", "typical MHz", "least", "margin ns",
                        "fast MHz", "least", "margin ns"});
        for (const std::string& conditions : study_.distinct(&PointName::setting, "1", "frequency")) {
            std::vector<std::string> row{conditions};
            for (std::string corner : {"slow", "typical", "fast"}) {
                corner += fastClock;
                row.push_back(shown("1", corner, "frequency", conditions, 1));
                row.push_back(shown("1", corner, "least frequency", conditions, 1));
                row.push_back(shown("1", corner, "margin", conditions, 2));
            }
            rows.row(row);
        }
        return fmt::format(
                   "\nFrequency of data out that calibration reaches, of eight dies; base 50 MHz, fast clock {}\n",
                   title) +
               rows.text();
    }

    std::string others() const
    {
        TextTable rows(
            {"typical, nominal supply, 25 C, and", "MHz", "least", "margin ns", "calibrations", "longest us"});
        for (const std::string& cell : study_.distinct(&PointName::workload, "1", "frequency")) {
            if (isCorner(cell))
                continue;
            rows.row({cell, shown("1", cell, "frequency", nominal, 1), shown("1", cell, "least frequency", nominal, 1),
                      shown("1", cell, "margin", nominal, 2), shown("1", cell, "calibrations", nominal, 0),
                      shown("1", cell, "longest calibration", nominal, 1)});
        }
        return "\nThe same, otherwise\n" + rows.text();
    }

    std::string responses(const char* figure, const char* title) const
    {
        TextTable rows({"", "SI us", "DI us", "times", "SI busy", "DI busy", "SI reads/s", "DI reads/s"}, {0});
        for (const std::string& cell : study_.distinct(&PointName::workload, figure, "read response")) {
            const StudyCell* symmetric = study_.find({figure, cell, "SI", "read response"});
            const StudyCell* other = study_.find({figure, cell, "DI", "read response"});
            if (symmetric == nullptr || other == nullptr)
                continue;
            rows.row({cell, fmt::format("{:.1f}", symmetric->measured), fmt::format("{:.1f}", other->measured),
                      fmt::format("{:.2f}", symmetric->measured / other->measured),
                      shown(figure, cell, "interconnections busy", "SI", 1) + " %",
                      shown(figure, cell, "interconnections busy", "DI", 1) + " %",
                      shown(figure, cell, "read rate", "SI", 0), shown(figure, cell, "read rate", "DI", 0)});
        }
        return fmt::format("\n{}\n", title) + rows.text();
    }

    std::string besides() const
    {
        std::string text = "\nBesides\n";
        text += fmt::format("  random writes of a page: {} us symmetric, {} us desymmetrized\n",
                            shown("4", "writes", "write response", "SI", 1),
                            shown("4", "writes", "write response", "DI", 1));
        text += fmt::format("  power-on calibration of 64 dies: {} ms\n",
                            shown("2", "saturated", "calibrated for", "DI", 2));
        text += fmt::format("  sequential read at 200 MT/s: array {} %, interconnection {} %\n",
                            shown("5", "sequential read", "sensing", "NV_DDR_5", 1),
                            shown("5", "sequential read", "interconnection", "NV_DDR_5", 1));
        if (study_.find({"2", rv32Rate, "DI rv32", "read response"}) != nullptr) {
            text += fmt::format(
                "  firmware on the RV32 core: {} us for {} us at {} reads per second; the same clocks "
                "({} MHz, {} MHz)\n",
                shown("2", rv32Rate, "read response", "DI rv32", 1), shown("2", rv32Rate, "read response", "DI", 1),
                rv32Rate, shown("1", "rv32", "frequency", nominal, 1), shown("1", "typical", "frequency", nominal, 1));
        }
        return text;
    }

    std::string assumed() const
    {
        std::string text =
            fmt::format("\nFitted: none. Not of the slides, the same in all runs: {}\n", study_.fitted.size());
        TextTable rows({"name", "value", "from", "what it is"}, {0, 2, 3});
        for (const FittedParameter& p : study_.fitted)
            rows.row({p.name, p.value, p.from, p.meaning});
        return text + rows.text();
    }

    const Study& study_;
};

} // namespace

std::string diSsdText(const Study& study)
{
    return Writer(study).text();
}

} // namespace strobe::platform
