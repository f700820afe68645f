// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/report/text_table.h"
#include "platform/reproduce/cps_sim.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

namespace strobe::platform {

namespace {

struct Figure {
    const char* figure;
    const char* workload;
    const char* quantity;
    const char* title;
};
constexpr Figure drawnFigures[] = {
    {"8", "reads", "throughput", "Figure 8a: page reads, MB/s"},
    {"8", "writes", "throughput", "Figure 8b: page programs, MB/s"},
    {"9", "mix", "elapsed", "Figure 9: 617 reads, 263 programs, 82 erases, 38 copy-backs, ms"},
    {"10", "ftl", "throughput", "Figure 10: writes through the page-mapping FTL, MB/s"},
};

// One bus with that many chips.
const StudyCell* find(const Study& study, const std::string& figure, const std::string& workload,
                      const std::string& quantity, std::uint32_t chips, const std::string& bandwidth)
{
    return study.find({figure, workload, fmt::format("1 x {}, {}", chips, bandwidth), quantity});
}

double value(const Study& study, const std::string& figure, const std::string& workload, const std::string& quantity,
             std::uint32_t chips, const std::string& bandwidth)
{
    const StudyCell* found = find(study, figure, workload, quantity, chips, bandwidth);
    check(found != nullptr, "a figure without one of its cells");
    return found->measured;
}

// "40MB/s", of the setting "1 x 2, 40MB/s".
std::string bandwidthOf(const std::string& setting)
{
    return setting.substr(setting.find(", ") + 2);
}

std::vector<std::string> bandwidthsOf(const Study& study)
{
    std::vector<std::string> names;
    for (const std::string& setting : study.distinct(&PointName::setting, "3", "elapsed"))
        names.push_back(bandwidthOf(setting));
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
                row.push_back(fmt::format("{:.3f}", value(study, "3", operation, quantity, 1, bandwidth)));
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
    const auto at = [&](const char* quantity, std::uint32_t chips, const std::string& bandwidth) {
        return value(study, figure.figure, figure.workload, quantity, chips, bandwidth);
    };
    for (std::uint32_t chips = 1;
         find(study, figure.figure, figure.workload, figure.quantity, chips, bandwidths[0]) != nullptr; ++chips) {
        std::vector<std::string> row{fmt::format("{}", chips)};
        for (const std::string& bandwidth : bandwidths) {
            row.push_back(fmt::format("{:.2f}", at(figure.quantity, chips, bandwidth)));
            row.push_back(fmt::format("{:.1f} %", at("bus busy", chips, bandwidth)));
        }
        rows.row(row);
    }
    return fmt::format("\n{}; share of the time that the bus is held\n", figure.title) + rows.text();
}

std::string sequencesText(const Study& study)
{
    TextTable rows({"", "elapsed, us", "bus", "busiest chip"});
    for (const std::string& sequence : study.distinct(&PointName::workload, "7", "elapsed")) {
        const auto of = [&](const char* quantity) { return study.find({"7", sequence, "", quantity})->measured; };
        rows.row({sequence, fmt::format("{:.1f}", of("elapsed") * 1000), fmt::format("{:.1f} %", of("bus busy")),
                  fmt::format("{:.1f} %", of("chip busy"))});
    }
    return "\nFigure 7: operations one at a time and interleaved, 4 chips on a bus of 40 MB/s\n" + rows.text();
}

std::string besidesText(const Study& study)
{
    std::string text = "\nBesides\n";
    for (const StudyCell& cell : study.cells) {
        if (cell.quantity != "throughput")
            continue;
        const std::string bandwidth = bandwidthOf(cell.setting);
        if (cell.setting.rfind("2 x", 0) == 0)
            text += fmt::format("  {} at {}, 2 chips: {:.2f} MB/s on one bus, {:.2f} MB/s on two\n", cell.workload,
                                bandwidth, value(study, "8", cell.workload, "throughput", 2, bandwidth), cell.measured);
        if (cell.workload == "ftl rv32") {
            const double native = value(study, "10", "ftl", "throughput", 4, bandwidth);
            text += fmt::format("  FTL at {}, 4 chips: {:.2f} MB/s native, {:.2f} MB/s on the RV32 core ({:+.2f} %)\n",
                                bandwidth, native, cell.measured, (cell.measured / native - 1) * 100);
        }
    }
    return text;
}

} // namespace

std::string cpsSimText(const Study& study)
{
    const std::vector<std::string> bandwidths = bandwidthsOf(study);
    std::string text = study.paper + "\n" + singleText(study, bandwidths) + sequencesText(study);
    for (const Figure& figure : drawnFigures)
        text += figureText(study, figure, bandwidths);
    return text + besidesText(study) + statementsText(study) + fittedText(study);
}

} // namespace strobe::platform
