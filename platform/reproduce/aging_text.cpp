// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/report/text_table.h"
#include "platform/reproduce/aging.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace strobe::platform {

namespace {

double value(const Study& study, const PointName& name)
{
    const StudyCell* found = study.find(name);
    check(found != nullptr, "a figure without one of its cells");
    return found->measured;
}

// The setting of a channel run: channels x chips, factor of the program time.
std::string channelSetting(std::uint32_t channels, std::uint32_t chips, const std::string& factor)
{
    return fmt::format("{} x {}, tPROG x {}", channels, chips, factor);
}

// The texts after `before` in the settings of a figure and quantity, each once and in order.
std::vector<std::string> ends(const Study& study, const std::string& figure, const std::string& quantity,
                              const std::string& before)
{
    std::vector<std::string> all;
    for (const std::string& setting : study.distinct(&PointName::setting, figure, quantity)) {
        const std::size_t at = setting.find(before);
        const std::string end = at == std::string::npos ? "" : setting.substr(at + before.size());
        if (!end.empty() && std::find(all.begin(), all.end(), end) == all.end())
            all.push_back(end);
    }
    return all;
}

std::string tableOne(const Study& study)
{
    TextTable rows({"", "tR, us", "tPROG, us", "transfer, us", "printed", "maxP"});
    for (const std::string& technology : study.distinct(&PointName::workload, "1", "transfer")) {
        const auto of = [&](const char* quantity) { return value(study, {"1", technology, "", quantity}); };
        rows.row({technology, fmt::format("{:g}", of("tR")), fmt::format("{:g}", of("tPROG")),
                  fmt::format("{:.2f}", of("transfer")),
                  fmt::format("{:g}", study.find({"1", technology, "", "transfer"})->paper.value_or(0)),
                  fmt::format("{:g}", of("maxP"))});
    }
    return "\nTable I, and maxP by equation\n" + rows.text();
}

// Normalised to one chip whose program time has not grown, as in the paper.
std::string figureThree(const Study& study)
{
    constexpr std::uint32_t mostChips = 8;
    std::string text;
    const std::vector<std::string> factors = ends(study, "3", "write rate", "tPROG x ");
    for (const std::string& technology : study.distinct(&PointName::workload, "3", "write rate")) {
        const auto of = [&](const char* quantity, std::uint32_t chips, const std::string& factor) {
            return value(study, {"3", technology, channelSetting(1, chips, factor), quantity});
        };
        std::vector<std::string> headings{"chips"};
        for (const std::string& factor : factors)
            headings.push_back("x " + factor);
        headings.emplace_back("bus used");
        headings.emplace_back("reads");
        TextTable rows(headings);
        const double one = of("write rate", 1, "1");
        for (std::uint32_t chips = 1; chips <= mostChips; ++chips) {
            if (study.find({"3", technology, channelSetting(1, chips, "1"), "write rate"}) == nullptr)
                continue;
            std::vector<std::string> row{fmt::format("{}", chips)};
            for (const std::string& factor : factors)
                row.push_back(fmt::format("{:.3f}", of("write rate", chips, factor) / one));
            row.push_back(fmt::format("{:.1f} %", of("write bus used", chips, "1")));
            row.push_back(fmt::format("{:.1f} %", of("read bus used", chips, "1")));
            rows.row(row);
        }
        text += fmt::format("\nFigure 3, {}: program rate by program time; 1 is {:.3f} kIOPS. Bus used by programs, by "
                            "reads\n",
                            technology, one) +
                rows.text();
    }
    return text;
}

std::string furtherResultsText(const Study& study)
{
    std::string text = "\nFour cMLC chips that are worn, and section IV's drive as the bound\n";
    for (const std::string& wear : ends(study, "2", "write throughput", "wear ")) {
        const auto of = [&](const char* quantity) {
            return value(study, {"2", "cMLC", "1 x 4, wear " + wear, quantity});
        };
        text += fmt::format("  wear {}: {:.2f} MB/s, equation 1 with the mean program time {:.2f}\n", wear,
                            of("write throughput"), of("write eq. 1"));
    }
    for (const std::string& wear : ends(study, "2", "mean program", "wear ")) {
        const auto of = [&](const char* quantity) {
            return value(study, {"2", "cMLC", "1 x 1, wear " + wear, quantity});
        };
        text += fmt::format("  wear {}: a program takes {:.0f} to {:.0f} us, {:.0f} in the mean\n", wear,
                            of("shortest program"), of("longest program"), of("mean program"));
    }
    for (const std::uint32_t channels : {1U, 8U}) {
        const auto of = [&](const char* quantity) {
            return value(study, {"4", "section IV", channelSetting(channels, 4, "1"), quantity});
        };
        text += fmt::format("  {} channel{}: {:.2f} kIOPS read, {:.3f} kIOPS written\n", channels,
                            channels == 1 ? "" : "s", of("read rate"), of("write rate"));
    }
    return text;
}

// The memory-bound drive with both kinds of firmware.
std::string modesText(const Study& study)
{
    std::string text;
    for (const std::string mode : {"native", "rv32"}) {
        const auto of = [&](const char* quantity) {
            return study.find({"5", "seeds " + mode, "8 x 4, wear 1", quantity});
        };
        if (of("write throughput") != nullptr)
            text += fmt::format(
                "  memory-bound writes at wear 1, {}: {:.2f} MB/s in the mean of eight seeds, {:.2f} to {:.2f}\n", mode,
                of("write throughput")->measured, of("write least")->measured, of("write most")->measured);
    }
    return text;
}

std::string pinsText(const Study& study)
{
    TextTable rows({"channels x depth", "programs, MB/s", "reads, MB/s"});
    for (const std::string& arrangement : study.distinct(&PointName::setting, "7", "write throughput")) {
        const auto of = [&](const char* quantity) { return value(study, {"7", "cMLC", arrangement, quantity}); };
        rows.row(
            {arrangement, fmt::format("{:.1f}", of("write throughput")), fmt::format("{:.0f}", of("read throughput"))});
    }
    return "\nA package of 160 pins, 15 for a bus and 2 for each chip: cMLC\n" + rows.text();
}

std::string drivesText(const Study& study)
{
    const std::vector<std::string> wears = ends(study, "5", "write throughput", "wear ");
    std::vector<std::string> headings{"wear"};
    for (const std::string& wear : wears)
        headings.push_back(wear);
    TextTable rows(headings);
    const auto add = [&](const char* name, const char* workload, const char* quantity) {
        std::vector<std::string> row{name};
        for (const std::string& wear : wears) {
            const StudyCell* found = study.find({"5", workload, "8 x 4, wear " + wear, quantity});
            row.push_back(found == nullptr ? "" : fmt::format("{:.2f}", found->measured));
        }
        rows.row(row);
    };
    add("writes, memory-bound, MB/s", "memory-bound", "write throughput");
    add("writes, controller-bound, MB/s", "controller-bound", "write throughput");
    add("write amplification, memory-bound", "memory-bound", "write amplification");
    add("random reads, MB/s", "memory-bound", "read throughput");
    add("random reads, controller-bound, MB/s", "controller-bound", "read throughput");
    add("with an ECC that takes no time", "no iterations", "read throughput");
    add("iterations per page with errors", "memory-bound", "read iterations");
    add("half reads, half writes, MB/s", "memory-bound", "mix throughput");
    add("half and half, controller-bound, MB/s", "controller-bound", "mix throughput");
    std::string text = "\nThe drive with its firmware, by wear\n" + rows.text();
    for (const std::string& drive : study.distinct(&PointName::workload, "6", "write throughput")) {
        const auto of = [&](const char* quantity) { return value(study, {"6", drive, "2 x 2", quantity}); };
        text += fmt::format("  PCM, {}: {:.3f} MB/s, write amplification {:.4f}\n", drive, of("write throughput"),
                            of("write amplification"));
    }
    return text + modesText(study);
}

} // namespace

std::string agingText(const Study& study)
{
    return study.paper + "\n" + tableOne(study) + figureThree(study) + furtherResultsText(study) + pinsText(study) +
           drivesText(study) + statementsText(study) + fittedText(study);
}

} // namespace strobe::platform
