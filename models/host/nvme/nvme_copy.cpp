// SPDX-License-Identifier: Apache-2.0
#include "models/host/nvme/nvme_copy.h"

namespace strobe::host::nvme {

NvmeStatus CopyJob::begin(const SubmissionEntry& submission, const SectorPart& space, bool isForced)
{
    const std::uint32_t dword = submission.dword[12];
    const std::size_t ranges = (dword & 0xFFU) + 1;
    if ((dword >> 8U & 0xFU) != 0)
        return NvmeStatus::InvalidField;
    if (ranges > maxCopyRanges)
        return NvmeStatus::CommandSizeLimitExceeded;
    ranges_.assign(ranges, {});
    range_ = 0;
    isRead_ = false;
    isForced_ = isForced;
    space_ = space;
    destination_ = submission.quad(10);
    return NvmeStatus::Success;
}

NvmeStatus CopyJob::check() const
{
    const auto isInside = [this](std::uint64_t lba, std::uint64_t sectors) {
        return lba < space_.sectors && sectors <= space_.sectors - lba;
    };
    std::uint64_t total = 0;
    for (const CopyRange& range : ranges_) {
        if (range.sectors() > maxCopyRangeSectors)
            return NvmeStatus::CommandSizeLimitExceeded;
        if (!isInside(range.lba, range.sectors()))
            return NvmeStatus::LbaOutOfRange;
        total += range.sectors();
    }
    if (total > maxCopySectors)
        return NvmeStatus::CommandSizeLimitExceeded;
    return isInside(destination_, total) ? NvmeStatus::Success : NvmeStatus::LbaOutOfRange;
}

bool CopyJob::next(Command& command, DataMode mode)
{
    if (isRead_) {
        command.kind = RequestKind::Write;
        command.fua = isForced_;
        command.lba = space_.first + destination_;
        destination_ += ranges_[range_++].sectors();
        isRead_ = false;
        return true;
    }
    if (range_ == ranges_.size())
        return false;
    command.kind = RequestKind::Read;
    command.fua = false;
    command.lba = space_.first + ranges_[range_].lba;
    command.sectors = ranges_[range_].sectors();
    mode_ = mode;
    sectors_.assign(command.sectors * stride(mode), {});
    isRead_ = true;
    return true;
}

Content CopyJob::data(std::uint32_t first)
{
    return Content{sectors_.data(), mode_}.at(first);
}

} // namespace strobe::host::nvme
