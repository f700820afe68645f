// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"
#include "platform/reproduce/di_ssd.h"
#include "platform/reproduce/di_ssd_claims.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

bool isCorner(const std::string& cell)
{
    for (const char* corner : {"slow", "typical", "fast"}) {
        if (cell == corner || cell == std::string(corner) + diSsdFinely)
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
        out += chips("", "400 MHz") + chips(diSsdFinely, "800 MHz") + others() +
               responses(2, "Random reads of a page, mean response by reads per second");
        out += responses(3, "Workloads and traces, mean read response");
        out += responses(7, "A clock for each direction: 50 MHz out, 25 MHz in, against 25 MHz; one request at a time");
        out += besides();
        return out + statementsText(study_) + assumed();
    }

private:
    const StudyCell* find(std::uint32_t table, const std::string& cell, const std::string& quantity,
                          const std::string& interface) const
    {
        return diSsdCell(study_, table, cell, quantity, interface);
    }
    std::string shown(std::uint32_t table, const std::string& cell, const std::string& quantity,
                      const std::string& interface, int digits) const
    {
        const StudyCell* found = find(table, cell, quantity, interface);
        return found == nullptr ? "" : fmt::format("{:.{}f}", found->measured, digits);
    }
    std::vector<std::string> different(std::uint32_t table, std::string StudyCell::*member,
                                       const std::string& quantity) const
    {
        std::vector<std::string> names;
        for (const StudyCell& cell : study_.cells) {
            if (cell.table == table && cell.operation == quantity &&
                std::find(names.begin(), names.end(), cell.*member) == names.end())
                names.push_back(cell.*member);
        }
        return names;
    }

    // Corners against supply and temperature.
    std::string chips(const std::string& fastClock, const char* title) const
    {
        TextTable rows({"supply, temperature", "slow MHz", "least", "margin ns", "typical MHz", "least", "margin ns",
                        "fast MHz", "least", "margin ns"});
        for (const std::string& conditions : different(1, &StudyCell::interface, "frequency")) {
            std::vector<std::string> row{conditions};
            for (std::string corner : {"slow", "typical", "fast"}) {
                corner += fastClock;
                row.push_back(shown(1, corner, "frequency", conditions, 1));
                row.push_back(shown(1, corner, "least frequency", conditions, 1));
                row.push_back(shown(1, corner, "margin", conditions, 2));
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
        for (const std::string& cell : different(1, &StudyCell::cell, "frequency")) {
            if (isCorner(cell))
                continue;
            rows.row({cell, shown(1, cell, "frequency", diSsdNominal, 1),
                      shown(1, cell, "least frequency", diSsdNominal, 1), shown(1, cell, "margin", diSsdNominal, 2),
                      shown(1, cell, "calibrations", diSsdNominal, 0),
                      shown(1, cell, "longest calibration", diSsdNominal, 1)});
        }
        return "\nThe same, otherwise\n" + rows.text();
    }

    std::string responses(std::uint32_t table, const char* title) const
    {
        TextTable rows({"", "SI us", "DI us", "times", "SI busy", "DI busy", "SI reads/s", "DI reads/s"}, {0});
        for (const std::string& cell : different(table, &StudyCell::cell, "read response")) {
            const StudyCell* symmetric = find(table, cell, "read response", "SI");
            const StudyCell* other = find(table, cell, "read response", "DI");
            if (symmetric == nullptr || other == nullptr)
                continue;
            rows.row({cell, fmt::format("{:.1f}", symmetric->measured), fmt::format("{:.1f}", other->measured),
                      fmt::format("{:.2f}", symmetric->measured / other->measured),
                      shown(table, cell, "interconnections busy", "SI", 1) + " %",
                      shown(table, cell, "interconnections busy", "DI", 1) + " %",
                      shown(table, cell, "read rate", "SI", 0), shown(table, cell, "read rate", "DI", 0)});
        }
        return fmt::format("\n{}\n", title) + rows.text();
    }

    std::string besides() const
    {
        std::string text = "\nBesides\n";
        text +=
            fmt::format("  random writes of a page: {} us symmetric, {} us desymmetrized\n",
                        shown(4, "writes", "write response", "SI", 1), shown(4, "writes", "write response", "DI", 1));
        text += fmt::format("  power-on calibration of 64 dies: {} ms\n",
                            shown(2, diSsdSaturated, "calibrated for", "DI", 2));
        text += fmt::format("  sequential read at 200 MT/s: array {} %, interconnection {} %\n",
                            shown(5, "sequential read", "sensing", "NV_DDR_5", 1),
                            shown(5, "sequential read", "interconnection", "NV_DDR_5", 1));
        if (find(2, diSsdRv32Rate, "read response", "DI rv32") != nullptr) {
            text += fmt::format("  firmware on the RV32 core: {} us for {} us at {} reads per second; the same clocks "
                                "({} MHz, {} MHz)\n",
                                shown(2, diSsdRv32Rate, "read response", "DI rv32", 1),
                                shown(2, diSsdRv32Rate, "read response", "DI", 1), diSsdRv32Rate,
                                shown(1, "rv32", "frequency", diSsdNominal, 1),
                                shown(1, "typical", "frequency", diSsdNominal, 1));
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
