#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What the stages of requests use of a flash job's descriptor.

#include "models/base/ids.h"
#include "models/controller/flash_observer.h"
#include "platform/report/request_stage.h"

#include <array>
#include <cstdint>

namespace strobe::platform {

// Which dies a job uses.
struct JobDies {
    std::uint32_t superchip = UINT32_MAX; // UINT32_MAX: not known
    bool isOneChip = false;

    friend bool operator==(const JobDies& a, const JobDies& b)
    {
        return a.superchip == b.superchip && a.isOneChip == b.isOneChip;
    }
};

inline constexpr std::array<DieWork, 5> workOfJob{// by opcode, from 1
                                                  DieWork::Reading, DieWork::Reading, DieWork::Programming,
                                                  DieWork::Erasing, DieWork::Copying};
// Descriptors with another opcode are refused, but have been fetched.
constexpr DieWork workOf(controller::SuperchipOpcode opcode)
{
    const auto index = static_cast<std::size_t>(opcode);
    return index < workOfJob.size() ? workOfJob[index] : DieWork::Reading;
}

// What is used of a descriptor.
struct ObservedJob {
    ObservedJob() = default;
    ObservedJob(const controller::FlashObserver::Job& job) // implicitly
        : unit(job.unit), isSynthesized(job.isSynthesized), endsList(job.endsList),
          isToBuffer(job.descriptor.opcode == controller::SuperchipOpcode::Read && !job.descriptor.isToHost() &&
                     !job.descriptor.hasUnitTable),
          hasUnitTable(job.descriptor.hasUnitTable), opcode(job.descriptor.opcode), purpose(job.descriptor.purpose),
          place(job.place), dies{job.descriptor.superchip, job.descriptor.isOneChip}, buffer(job.descriptor.buffer),
          sectors(job.descriptor.sectors), step(job.descriptor.step)
    {
    }
    UnitId unit{};
    bool isSynthesized{};
    bool endsList{};
    bool isToBuffer{};   // a read without a unit table
    bool hasUnitTable{}; // `buffer` is not used
    controller::SuperchipOpcode opcode{};
    nand::Purpose purpose{};
    std::uint32_t place{};
    JobDies dies;
    BusAddress buffer{};
    std::uint32_t sectors{};
    std::uint32_t step{};

    StageId work() const { return dieWait(purpose, workOf(opcode)); } // of who waits for it
};

} // namespace strobe::platform
