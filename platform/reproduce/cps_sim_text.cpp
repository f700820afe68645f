// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"
#include "platform/reproduce/cps_sim.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

struct Figure {
    std::uint32_t table;
    const char* cell;
    const char* quantity;
    const char* title;
};
constexpr Figure figures[] = {
    {8, "reads", "throughput", "Figure 8a: page reads, MB/s"},
    {8, "writes", "throughput", "Figure 8b: page programs, MB/s"},
    {9, "mix", "elapsed", "Figure 9: 617 reads, 263 programs, 82 erases, 38 copy-backs, ms"},
    {10, "ftl", "throughput", "Figure 10: writes through the page-mapping FTL, MB/s"},
};

const StudyCell* find(const Study& study, std::uint32_t table, const std::string& cell, const std::string& quantity,
                      std::uint32_t channels, std::uint32_t ways, const std::string& bandwidth)
{
    const auto found = std::find_if(study.cells.begin(), study.cells.end(), [&](const StudyCell& c) {
        return c.table == table && c.cell == cell && c.operation == quantity && c.channels == channels &&
               c.ways == ways && c.interface == bandwidth;
    });
    return found == study.cells.end() ? nullptr : &*found;
}

std::vector<std::string> bandwidthsOf(const Study& study)
{
    std::vector<std::string> names;
    for (const StudyCell& cell : study.cells) {
        if (std::find(names.begin(), names.end(), cell.interface) == names.end())
            names.push_back(cell.interface);
    }
    return names;
}

std::string singleText(const Study& study, const std::vector<std::string>& bandwidths)
{
    std::string text = "\nSingle operations, us: tCMD, and from the first command cycle to the end\n";
    std::vector<std::string> headings{""};
    for (const std::string& bandwidth : bandwidths) {
        headings.push_back(bandwidth);
        headings.emplace_back("whole");
    }
    TextTable rows(headings);
    for (const char* operation : {"read", "program", "erase", "copyback"}) {
        std::vector<std::string> row{operation};
        for (const std::string& bandwidth : bandwidths) {
            for (const char* quantity : {"tCMD", "elapsed"})
                row.push_back(fmt::format("{:.3f}", find(study, 3, operation, quantity, 1, 1, bandwidth)->measured));
        }
        rows.row(row);
    }
    return text + rows.text();
}

std::string figureText(const Study& study, const Figure& figure, const std::vector<std::string>& bandwidths)
{
    std::vector<std::string> headings{"chips"};
    for (const std::string& bandwidth : bandwidths) {
        headings.push_back(bandwidth);
        headings.emplace_back("bus");
    }
    TextTable rows(headings);
    for (std::uint32_t ways = 1; find(study, figure.table, figure.cell, figure.quantity, 1, ways, bandwidths[0]);
         ++ways) {
        std::vector<std::string> row{fmt::format("{}", ways)};
        for (const std::string& bandwidth : bandwidths) {
            row.push_back(fmt::format(
                "{:.2f}", find(study, figure.table, figure.cell, figure.quantity, 1, ways, bandwidth)->measured));
            row.push_back(fmt::format(
                "{:.1f} %", find(study, figure.table, figure.cell, "bus busy", 1, ways, bandwidth)->measured));
        }
        rows.row(row);
    }
    return fmt::format("\n{}; share of the time that the bus is held\n", figure.title) + rows.text();
}

std::string besidesText(const Study& study)
{
    std::string text = "\nBesides\n";
    for (const StudyCell& cell : study.cells) {
        if (cell.operation != "throughput")
            continue;
        if (cell.channels > 1)
            text += fmt::format("  {} at {}, 2 chips: {:.2f} MB/s on one bus, {:.2f} MB/s on two\n", cell.cell,
                                cell.interface, find(study, 8, cell.cell, "throughput", 1, 2, cell.interface)->measured,
                                cell.measured);
        if (cell.cell == "ftl rv32") {
            const double native = find(study, 10, "ftl", "throughput", 1, cell.ways, cell.interface)->measured;
            text += fmt::format("  FTL at {}, {} chips: {:.2f} MB/s native, {:.2f} MB/s on the RV32 core ({:+.2f} %)\n",
                                cell.interface, cell.ways, native, cell.measured, (cell.measured / native - 1) * 100);
        }
    }
    return text;
}

} // namespace

std::string cpsSimText(const Study& study)
{
    const std::vector<std::string> bandwidths = bandwidthsOf(study);
    std::string text = study.paper + "\n" + singleText(study, bandwidths);
    for (const Figure& figure : figures)
        text += figureText(study, figure, bandwidths);
    return text + besidesText(study) + statementsText(study) + fittedText(study);
}

} // namespace strobe::platform
