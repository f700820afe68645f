// SPDX-License-Identifier: Apache-2.0
#include "platform/report/text_table.h"
#include "platform/reproduce/ddr_nand.h"

#include <fmt/format.h>

#include <cmath>

namespace strobe::platform {

namespace {

struct Printed {
    std::uint32_t table;
    const char* title;
    const char* heading; // of the first column
};
constexpr Printed tables[] = {
    {3, "Table 3: bandwidth of one channel, MB/s (1 MB = 2^20 bytes)", "ways"},
    {4, "Table 4: channels against ways, 16 dies, MB/s (1 MB = 2^20 bytes)", "channels x ways"},
    {5, "Table 5: energy of the controller per byte, nJ/B", "ways"},
};

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
    return cell.paper ? fmt::format("{:+.1f} %{}", *cell.error() * 100, cell.doubtful ? " *" : "") : "-";
}

// Three neighbours of one row: CONV, SYNC_ONLY, PROPOSED.
std::vector<std::string> rowOf(const StudyCell* three, const std::string& name)
{
    std::vector<std::string> row{name};
    for (int i = 0; i < 3; ++i)
        row.insert(row.end(), {measuredText(three[i]), paperText(three[i]), errorText(three[i])});
    row.push_back(fmt::format("{:.2f}", three[2].measured / three[1].measured));
    row.push_back(fmt::format("{:.2f}", three[2].measured / three[0].measured));
    return row;
}

// As the paper has it: arithmetic means of the interfaces, geometric means of the ratios.
class Means {
public:
    void add(const StudyCell* three)
    {
        ++rows_;
        for (int i = 0; i < 3; ++i) {
            measured_[i] += three[i].measured;
            isPrinted_ = isPrinted_ && three[i].paper;
            paper_[i] += three[i].paper.value_or(0);
        }
        toSync_ += std::log(three[2].measured / three[1].measured);
        toConv_ += std::log(three[2].measured / three[0].measured);
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

// One block of a table: the cells of one cell type and operation.
std::string blockText(const std::vector<const StudyCell*>& cells, const Printed& table)
{
    TextTable text({table.heading, "CONV", "paper", "error", "SYNC_ONLY", "paper", "error", "PROPOSED", "paper",
                    "error", "P/S", "P/C"});
    Means means;
    for (std::size_t i = 0; i + 2 < cells.size(); i += 3) {
        const StudyCell* three = cells[i]; // neighbours in the study too
        const std::string name =
            table.table == 4 ? fmt::format("{} x {}", three->channels, three->ways) : fmt::format("{}", three->ways);
        text.row(rowOf(three, name));
        means.add(three);
    }
    text.row(means.row());
    return fmt::format("\n{} {}\n{}", cells.front()->cell, cells.front()->operation, text.text());
}

std::string tableText(const Study& study, const Printed& table)
{
    std::string text = fmt::format("\n{}\n", table.title);
    for (const char* cell : {"SLC", "MLC"}) {
        for (const char* operation : {"write", "read"}) {
            std::vector<const StudyCell*> cells;
            for (const StudyCell& c : study.cells) {
                if (c.table == table.table && c.cell == cell && c.operation == operation)
                    cells.push_back(&c);
            }
            if (!cells.empty())
                text += blockText(cells, table);
        }
    }
    return text;
}

struct Summary {
    const char* what;
    std::optional<double> error;
};

std::vector<Summary> summaries(const Study& study)
{
    return {{"Table 3, SLC, 30 cells", meanError(study, [](const StudyCell& c) { return c.table == 3; })},
            {"the same without the doubtful cell",
             meanError(study, [](const StudyCell& c) { return c.table == 3 && !c.doubtful; })},
            {"Table 4, the two cells fitted to", meanError(study, [](const StudyCell& c) { return c.table == 4; })},
            {"Table 5, SLC write, 15 cells", meanError(study, [](const StudyCell& c) { return c.table == 5; })}};
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
            text += fmt::format("\n* {}, {}, {}, {} ways: the printed value {}\n", cell.cell, cell.operation,
                                cell.interface, cell.ways, cell.note);
    }
    text += "\n- not printed in the source that Strobe was given: a prediction\n";
    for (const LinkLimited& limited : result.linkLimited) {
        text += fmt::format("max: {} {} {} x {} {}: {:.2f} behind a SATA link of 3 Gb/s, {:.2f} without that limit\n",
                            limited.cell.cell, limited.cell.operation, limited.cell.channels, limited.cell.ways,
                            limited.cell.interface, limited.cell.measured, limited.withoutLink);
    }
    text += "\nMean absolute error\n";
    TextTable errors({"cells", "error"});
    for (const Summary& summary : summaries(study))
        errors.row({summary.what, fmt::format("{:.2f} %", summary.error.value_or(0) * 100)});
    text += errors.text();
    text += fmt::format("\nFitted: {} constants, the same in all cells\n", study.fitted.size());
    TextTable fitted({"name", "value", "fitted to", "what it is"}, {0, 2, 3});
    for (const FittedParameter& p : study.fitted)
        fitted.row({p.name, p.value, p.from, p.meaning});
    text += fitted.text();
    text += "Besides, the controller's power of each interface is read off Table 5; it changes no time.\n";
    return text;
}

std::string ddrNandJson(const DdrNandStudy& result)
{
    using nlohmann::ordered_json;
    ordered_json limited = ordered_json::array();
    for (const LinkLimited& l : result.linkLimited) {
        limited.push_back({{"cell", l.cell.cell},
                           {"op", l.cell.operation},
                           {"channels", l.cell.channels},
                           {"ways", l.cell.ways},
                           {"interface", l.cell.interface},
                           {"measured", l.cell.measured},
                           {"without_link", l.withoutLink}});
    }
    ordered_json errors = ordered_json::object();
    for (const Summary& summary : summaries(result.study))
        errors[summary.what] = summary.error.value_or(0);
    return jsonOf(result.study,
                  {{"minimum_period_ns",
                    {{"eq6_CONV", result.periodConventional}, {"eq9_SYNC_ONLY_PROPOSED", result.periodDataStrobe}}},
                   {"link_limited", limited},
                   {"mean_absolute_error", errors}});
}

} // namespace strobe::platform
