// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_prp.h"

namespace strobe::host::nvme {

void PrpPages::clear()
{
    pages_.clear();
    pagesLeft_ = 0;
}

NvmeStatus PrpPages::begin(const SubmissionEntry& submission, std::uint64_t bytes, std::uint32_t pageBytes,
                           std::uint32_t alignment)
{
    const std::uint64_t first = submission.prp1();
    clear();
    pageBytes_ = pageBytes;
    offset_ = first % pageBytes;
    if (first % alignment != 0)
        return NvmeStatus::PrpOffsetInvalid;
    pages_.push_back(first - offset_);
    const std::uint64_t inFirst = pageBytes - offset_;
    if (bytes <= inFirst)
        return NvmeStatus::Success;
    const std::uint64_t pages = (bytes - inFirst + pageBytes - 1) / pageBytes;
    const std::uint64_t second = submission.prp2();
    if (pages > 1) {
        pagesLeft_ = pages;
        listAddress_ = second;
        return second % prpEntryBytes == 0 ? NvmeStatus::Success : NvmeStatus::PrpOffsetInvalid;
    }
    pages_.push_back(second);
    return second % pageBytes == 0 ? NvmeStatus::Success : NvmeStatus::PrpOffsetInvalid;
}

PrpPages::List PrpPages::nextList() const
{
    const std::uint64_t untilPageEnd = (pageBytes_ - listAddress_ % pageBytes_) / prpEntryBytes;
    return {listAddress_, static_cast<std::uint32_t>(std::min(untilPageEnd, pagesLeft_))};
}

NvmeStatus PrpPages::readList(HostMemory& memory)
{
    const List list = nextList();
    const std::size_t before = pages_.size();
    pages_.resize(before + list.entries);
    if (!memory.read(list.address, &pages_[before], list.entries * prpEntryBytes))
        return NvmeStatus::DataTransferError;
    const bool continues = list.entries < pagesLeft_;
    if (continues) {
        listAddress_ = pages_.back();
        pages_.pop_back();
    }
    pagesLeft_ -= pages_.size() - before;
    const bool hasOffset = std::any_of(pages_.begin() + static_cast<std::ptrdiff_t>(before), pages_.end(),
                                       [this](std::uint64_t page) { return page % pageBytes_ != 0; });
    return hasOffset || (continues && listAddress_ % prpEntryBytes != 0) ? NvmeStatus::PrpOffsetInvalid
                                                                         : NvmeStatus::Success;
}

} // namespace strobe::host::nvme
