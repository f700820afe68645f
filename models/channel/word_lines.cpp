// SPDX-License-Identifier: Apache-2.0
#include "models/channel/word_lines.h"

#include <algorithm>
#include <tuple>

namespace strobe::channel {

using nand::Form;

const std::vector<Waiting>& WordLines::add(const nand::DieGeometry& geometry, const Waiting& page)
{
    const nand::Operation& op = *page.op;
    const auto pageOf = [](const Waiting& w) { return w.op->target.page; };
    const auto takes = [&](const std::vector<Waiting>& line) {
        const nand::Operation& first = *line.front().op;
        return first.target.block == op.target.block && first.priority == op.priority &&
               geometry.wordLineOf(first.target.page) == geometry.wordLineOf(op.target.page) &&
               std::none_of(line.begin(), line.end(), [&](const Waiting& w) { return pageOf(w) == pageOf(page); });
    };
    whole_.clear();
    auto line = std::find_if(begun_.begin(), begun_.end(), takes);
    if (line == begun_.end())
        line = begun_.insert(line, std::vector<Waiting>{});
    line->push_back(page);
    if (line->size() == geometry.pagesPerProgram) {
        whole_.swap(*line);
        begun_.erase(line);
        std::sort(whole_.begin(), whole_.end(),
                  [&](const Waiting& a, const Waiting& b) { return pageOf(a) < pageOf(b); });
    }
    return whole_;
}

void orderRequests(const nand::DieGeometry& geometry, std::vector<Waiting>& pages)
{
    std::stable_sort(pages.begin(), pages.end(),
                     [](const Waiting& a, const Waiting& b) { return a.op->target.page < b.op->target.page; });
    const std::size_t planes = pages.size() / geometry.pagesPerProgram;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const bool isLastPlane = (i + 1) % planes == 0;
        const bool isLastPage = i + planes >= pages.size();
        pages[i].op->form = isLastPage    ? planes == 1   ? Form::WordLineEnd
                                            : isLastPlane ? Form::LastPlane
                                                          : Form::Plane
                            : isLastPlane ? Form::WordLinePage
                                          : Form::WordLinePlane;
    }
}

void orderResponses(std::vector<Waiting>& pages)
{
    // The last page of each plane, which the status answers for, then the others.
    const auto place = [](const Waiting& w) {
        const bool isSilent = w.op->form == Form::WordLinePage || w.op->form == Form::WordLinePlane;
        return std::make_tuple(w.op->target.block, isSilent, w.op->target.page);
    };
    std::sort(pages.begin(), pages.end(), [&](const Waiting& a, const Waiting& b) { return place(a) < place(b); });
    for (auto line = pages.begin(); line != pages.end();) {
        const std::uint32_t block = line->op->target.block;
        const auto end = std::find_if(line, pages.end(), [&](const Waiting& w) { return w.op->target.block != block; });
        const auto failed = std::find_if(line, end, [](const Waiting& w) { return w.op->status != nand::Status::Ok; });
        if (failed != end) {
            const nand::Operation& outcome = *failed->op;
            std::for_each(line, end, [&](const Waiting& w) {
                w.op->status = outcome.status;
                w.op->reason = outcome.reason;
            });
        }
        line = end;
    }
}

} // namespace strobe::channel
