// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"
#include "platform/reproduce/aging.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

const StudyCell* find(const Study& study, std::uint32_t table, const std::string& cell, const std::string& quantity,
                      std::uint32_t ways, const std::string& at, std::uint32_t channels)
{
    const auto found = std::find_if(study.cells.begin(), study.cells.end(), [&](const StudyCell& c) {
        return c.table == table && c.cell == cell && c.operation == quantity && c.ways == ways && c.interface == at &&
               c.channels == channels;
    });
    return found == study.cells.end() ? nullptr : &*found;
}

// The values of a member over the cells of a table, each once, in order.
template <class Member>
auto distinct(const Study& study, std::uint32_t table, const std::string& quantity, Member member)
{
    std::vector<std::decay_t<decltype(study.cells.front().*member)>> values;
    for (const StudyCell& cell : study.cells) {
        if (cell.table == table && cell.operation == quantity &&
            std::find(values.begin(), values.end(), cell.*member) == values.end())
            values.push_back(cell.*member);
    }
    return values;
}

std::string tableOne(const Study& study)
{
    TextTable rows({"", "tR, us", "tPROG, us", "transfer, us", "printed", "maxP"});
    for (const std::string& technology : distinct(study, 1, "transfer", &StudyCell::cell)) {
        const auto value = [&](const char* what) { return find(study, 1, technology, what, 0, "", 0)->measured; };
        rows.row({technology, fmt::format("{:g}", value("tR")), fmt::format("{:g}", value("tPROG")),
                  fmt::format("{:.2f}", value("transfer")),
                  fmt::format("{:g}", *find(study, 1, technology, "transfer", 0, "", 0)->paper),
                  fmt::format("{:g}", value("maxP"))});
    }
    return "\nTable I, and maxP by equation\n" + rows.text();
}

// Normalised to one chip whose program time has not grown, as in the paper.
std::string figureThree(const Study& study)
{
    std::string text;
    const std::vector<std::string> factors = distinct(study, 3, "write rate", &StudyCell::interface);
    for (const std::string& technology : distinct(study, 3, "write rate", &StudyCell::cell)) {
        std::vector<std::string> headings{"chips"};
        for (const std::string& factor : factors)
            headings.push_back("x " + factor);
        headings.emplace_back("bus used");
        headings.emplace_back("reads");
        TextTable rows(headings);
        const double one = find(study, 3, technology, "write rate", 1, "1", 1)->measured;
        for (const std::uint32_t ways : distinct(study, 3, "write rate", &StudyCell::ways)) {
            if (find(study, 3, technology, "write rate", ways, "1", 1) == nullptr)
                continue;
            std::vector<std::string> row{fmt::format("{}", ways)};
            for (const std::string& factor : factors)
                row.push_back(
                    fmt::format("{:.3f}", find(study, 3, technology, "write rate", ways, factor, 1)->measured / one));
            row.push_back(
                fmt::format("{:.1f} %", find(study, 3, technology, "write bus used", ways, "1", 1)->measured));
            row.push_back(fmt::format("{:.1f} %", find(study, 3, technology, "read bus used", ways, "1", 1)->measured));
            rows.row(row);
        }
        text += fmt::format("\nFigure 3, {}: program rate by program time; 1 is {:.3f} kIOPS. Bus used by programs, by "
                            "reads\n",
                            technology, one) +
                rows.text();
    }
    return text;
}

std::string besidesText(const Study& study)
{
    std::string text = "\nFour cMLC chips that are worn, and section IV's drive as the bound\n";
    for (const StudyCell& cell : study.cells) {
        if (cell.table == 2 && cell.operation == "write throughput")
            text += fmt::format("  wear {}: {:.2f} MB/s, equation 1 with the mean program time {:.2f}\n",
                                cell.interface, cell.measured,
                                find(study, 2, cell.cell, "write eq. 1", cell.ways, cell.interface, 1)->measured);
    }
    for (const std::uint32_t channels : {1U, 8U})
        text +=
            fmt::format("  {} channel{}: {:.2f} kIOPS read, {:.3f} kIOPS written\n", channels, channels == 1 ? "" : "s",
                        find(study, 4, "section IV", "read rate", 4, "1", channels)->measured,
                        find(study, 4, "section IV", "write rate", 4, "1", channels)->measured);
    return text;
}

// The memory-bound drive with both kinds of firmware.
std::string modesText(const Study& study)
{
    std::string text;
    for (const std::string mode : {"native", "rv32"}) {
        const auto of = [&](const char* quantity) { return find(study, 5, "seeds " + mode, quantity, 4, "1", 8); };
        if (of("write throughput") != nullptr)
            text += fmt::format(
                "  memory-bound writes at wear 1, {}: {:.2f} MB/s in the mean of eight seeds, {:.2f} to {:.2f}\n", mode,
                of("write throughput")->measured, of("write least")->measured, of("write most")->measured);
    }
    return text;
}

std::string drivesText(const Study& study)
{
    const std::vector<std::string> wears = distinct(study, 5, "write throughput", &StudyCell::interface);
    std::vector<std::string> headings{"wear"};
    for (const std::string& wear : wears)
        headings.push_back(wear);
    TextTable rows(headings);
    const auto add = [&](const char* name, const char* cell, const char* quantity) {
        std::vector<std::string> row{name};
        for (const std::string& wear : wears) {
            const StudyCell* found = find(study, 5, cell, quantity, 4, wear, 8);
            row.push_back(found == nullptr ? "" : fmt::format("{:.2f}", found->measured));
        }
        rows.row(row);
    };
    add("writes, memory-bound, MB/s", "memory-bound", "write throughput");
    add("writes, controller-bound, MB/s", "controller-bound", "write throughput");
    add("write amplification, memory-bound", "memory-bound", "write amplification");
    add("random reads, MB/s", "memory-bound", "read throughput");
    add("with an ECC that takes no time", "no iterations", "read throughput");
    add("iterations per page with errors", "memory-bound", "read iterations");
    std::string text = "\nThe drive with its firmware, by wear\n" + rows.text();
    for (const StudyCell& cell : study.cells) {
        if (cell.table == 6 && cell.operation == "write throughput")
            text += fmt::format("  PCM, {}: {:.3f} MB/s, write amplification {:.4f}\n", cell.cell, cell.measured,
                                find(study, 6, cell.cell, "write amplification", 2, "", 2)->measured);
    }
    return text + modesText(study);
}

} // namespace

std::string agingText(const Study& study)
{
    return study.paper + "\n" + tableOne(study) + figureThree(study) + besidesText(study) + drivesText(study) +
           statementsText(study) + fittedText(study);
}

} // namespace strobe::platform
