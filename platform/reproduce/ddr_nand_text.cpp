// SPDX-License-Identifier: Apache-2.0
#include "models/base/check.h"
#include "platform/report/text_table.h"
#include "platform/reproduce/ddr_nand.h"
#include "platform/reproduce/study_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace strobe::platform {

namespace {

constexpr std::array<const char*, 3> interfaces{"CONV", "SYNC_ONLY", "PROPOSED"};

struct Printed {
    const char* figure;
    const char* quantity;
    const char* title;
    const char* heading; // of the first column
};
constexpr Printed tables[] = {
    {"3", "bandwidth", "Table 3: bandwidth of one channel, MB/s (1 MB = 2^20 bytes)", "ways"},
    {"4", "bandwidth", "Table 4: channels against ways, 16 dies, MB/s (1 MB = 2^20 bytes)", "channels x ways"},
    {"5", "controller energy", "Table 5: energy of the controller per byte, nJ/B", "ways"},
};

// "2 x 8" and "CONV", of the setting "2 x 8, CONV".
std::string arrangementOf(const StudyCell& cell)
{
    return cell.setting.substr(0, cell.setting.find(", "));
}
std::string interfaceOf(const StudyCell& cell)
{
    return cell.setting.substr(cell.setting.find(", ") + 2);
}

// The cells of a row: one for each interface.
using Row = std::array<const StudyCell*, 3>;

Row rowAt(const Study& study, const Printed& table, const std::string& workload, const std::string& arrangement)
{
    Row row{};
    for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = study.find({table.figure, workload, arrangement + ", " + interfaces[i], table.quantity});
        check(row[i] != nullptr, "a table without one of its cells");
    }
    return row;
}

std::string measuredText(const StudyCell& cell)
{
    const bool isLimited = cell.note.rfind("max", 0) == 0;
    return fmt::format("{:.2f}{}", cell.measured, isLimited ? " max" : "");
}

std::string paperText(const StudyCell& cell)
{
    return cell.paper ? fmt::format("{:.2f}", *cell.paper) : "-";
}

std::string errorText(const StudyCell& cell)
{
    if (!cell.paper)
        return "-";
    return fmt::format("{:+.1f} %{}{}", *cell.error() * 100, cell.predicted ? " p" : "", cell.doubtful ? " *" : "");
}

std::vector<std::string> rowOf(const Row& three, const std::string& name)
{
    std::vector<std::string> row{name};
    for (const StudyCell* cell : three)
        row.insert(row.end(), {measuredText(*cell), paperText(*cell), errorText(*cell)});
    row.push_back(fmt::format("{:.2f}", three[2]->measured / three[1]->measured));
    row.push_back(fmt::format("{:.2f}", three[2]->measured / three[0]->measured));
    return row;
}

// As in the paper: arithmetic means of the interfaces, geometric means of the ratios.
class Means {
public:
    void add(const Row& three)
    {
        ++rows_;
        for (std::size_t i = 0; i < three.size(); ++i) {
            measured_[i] += three[i]->measured;
            isPrinted_ = isPrinted_ && three[i]->paper;
            paper_[i] += three[i]->paper.value_or(0);
        }
        toSync_ += std::log(three[2]->measured / three[1]->measured);
        toConv_ += std::log(three[2]->measured / three[0]->measured);
    }
    std::vector<std::string> row() const
    {
        std::vector<std::string> row{"mean"};
        for (int i = 0; i < 3; ++i) {
            row.push_back(fmt::format("{:.2f}", measured_[i] / rows_));
            row.push_back(isPrinted_ ? fmt::format("{:.2f}", paper_[i] / rows_) : "-");
            row.push_back(isPrinted_ ? fmt::format("{:+.1f} %", (measured_[i] / paper_[i] - 1) * 100) : "-");
        }
        row.push_back(fmt::format("{:.2f}", std::exp(toSync_ / rows_)));
        row.push_back(fmt::format("{:.2f}", std::exp(toConv_ / rows_)));
        return row;
    }

private:
    double rows_ = 0;
    double measured_[3] = {};
    double paper_[3] = {};
    bool isPrinted_ = true;
    double toSync_ = 0;
    double toConv_ = 0;
};

// One block of a table: the cells of one cell type and operation. Empty: the table has none of them.
std::string blockText(const Study& study, const Printed& table, const std::string& workload)
{
    TextTable text({table.heading, "CONV", "paper", "error", "SYNC_ONLY", "paper", "error", "PROPOSED", "paper",
                    "error", "P/S", "P/C"});
    Means means;
    for (const StudyCell& cell : study.cells) {
        if (cell.figure != table.figure || cell.workload != workload || interfaceOf(cell) != interfaces[0])
            continue;
        const std::string arrangement = arrangementOf(cell);
        const bool isOneChannel = table.heading == std::string("ways");
        const Row row = rowAt(study, table, workload, arrangement);
        text.row(rowOf(row, isOneChannel ? arrangement.substr(arrangement.find(" x ") + 3) : arrangement));
        means.add(row);
    }
    if (text.empty())
        return "";
    text.row(means.row());
    return fmt::format("\n{}\n{}", workload, text.text());
}

std::string tableText(const Study& study, const Printed& table)
{
    std::string text = fmt::format("\n{}\n", table.title);
    for (const char* workload : {"SLC write", "SLC read", "MLC write", "MLC read"})
        text += blockText(study, table, workload);
    return text;
}

struct Summary {
    std::string what;
    std::size_t cells = 0;
    double mean = 0; // absolute errors, as shares
    double largest = 0;
};

bool isSharedWithTable3(const StudyCell& cell)
{
    return cell.figure == "4" && arrangementOf(cell) == "1 x 16";
}

// Of the printed cells that `includes` selects.
template <typename Predicate>
Summary summaryOf(const Study& study, const std::string& what, Predicate includes)
{
    Summary summary{what};
    for (const StudyCell& cell : study.cells) {
        if (!cell.paper || !includes(cell))
            continue;
        const double error = std::abs(*cell.error());
        ++summary.cells;
        summary.mean += error;
        summary.largest = std::max(summary.largest, error);
    }
    check(summary.cells > 0, "a summary of no cells");
    summary.mean /= static_cast<double>(summary.cells);
    return summary;
}

std::vector<Summary> summaries(const Study& study)
{
    const auto of = [](const char* figure, bool isPredicted) {
        return [=](const StudyCell& c) {
            return c.figure == figure && c.predicted == isPredicted && !isSharedWithTable3(c);
        };
    };
    return {summaryOf(study, "Table 3, SLC", of("3", false)),
            summaryOf(study, "Table 3, SLC without the doubtful cell",
                      [](const StudyCell& c) { return c.figure == "3" && !c.predicted && !c.doubtful; }),
            summaryOf(study, "Table 3, MLC, predicted", of("3", true)),
            summaryOf(study, "Table 4, 2 x 8 and 4 x 4, fitted to", of("4", false)),
            summaryOf(study, "Table 5, SLC write, power fitted", of("5", false)),
            summaryOf(study, "Table 5, SLC read, predicted", of("5", true))};
}

} // namespace

std::string ddrNandText(const DdrNandStudy& result)
{
    const Study& study = result.study;
    std::string text = fmt::format("{}\n\n", study.paper);
    text += fmt::format("  eq. 6, CONV: minimum period {:.3f} ns, the paper rounds to 19.81\n"
                        "  eq. 9, SYNC_ONLY and PROPOSED: minimum period {:.3f} ns, as the paper\n",
                        result.periodConventional, result.periodDataStrobe);
    for (const Printed& table : tables)
        text += tableText(study, table);
    for (const StudyCell& cell : study.cells) {
        if (cell.doubtful)
            text += fmt::format("\n* {}, {}: the printed value {}\n", cell.workload, cell.setting, cell.note);
    }
    text += "\np: predicted; the printed value became known after the model and its constants had been fixed\n"
            "-: not printed\n";
    for (const LinkLimited& limited : result.linkLimited) {
        text += fmt::format("max: {} {} {}: {:.2f} with a SATA link of 3 Gb/s, {:.2f} without that limit\n",
                            limited.cell.workload, arrangementOf(limited.cell), interfaceOf(limited.cell),
                            limited.cell.measured, limited.withoutLink);
    }
    text += "\nMean absolute error\n";
    TextTable errors({"cells", "number", "mean", "largest"});
    for (const Summary& s : summaries(study))
        errors.row({s.what, std::to_string(s.cells), fmt::format("{:.2f} %", s.mean * 100),
                    fmt::format("{:.1f} %", s.largest * 100)});
    text += errors.text();
    text += statementsText(study);
    text += fmt::format("\nFitted: {} constants, the same in all cells\n", study.fitted.size());
    TextTable fitted({"name", "value", "fitted to", "what it is"}, {0, 2, 3});
    for (const FittedParameter& p : study.fitted)
        fitted.row({p.name, p.value, p.from, p.meaning});
    text += fitted.text();
    text += "In addition, the controller's power of each interface is fitted to Table 5; it does not affect times.\n";
    return text;
}

std::string ddrNandJson(const DdrNandStudy& result)
{
    using nlohmann::ordered_json;
    ordered_json limited = ordered_json::array();
    for (const LinkLimited& l : result.linkLimited) {
        limited.push_back({{"workload", l.cell.workload},
                           {"setting", l.cell.setting},
                           {"measured", l.cell.measured},
                           {"without_link", l.withoutLink}});
    }
    ordered_json errors = ordered_json::object();
    for (const Summary& s : summaries(result.study))
        errors[s.what] = {{"cells", s.cells}, {"mean", s.mean}, {"largest", s.largest}};
    return jsonOf(result.study,
                  {{"minimum_period_ns",
                    {{"eq6_CONV", result.periodConventional}, {"eq9_SYNC_ONLY_PROPOSED", result.periodDataStrobe}}},
                   {"link_limited", limited},
                   {"mean_absolute_error", errors}});
}

} // namespace strobe::platform
