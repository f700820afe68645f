// SPDX-License-Identifier: Apache-2.0
#include "models/controller/unit_job.h"

namespace strobe::controller {

void refuseJob(UnitJob& job, const UnitContext& unit, MalformedReason reason, Time now)
{
    job.isStopped = true;
    if (job.outcome.code == StatusCode::Pending)
        job.outcome.code = StatusCode::Malformed;
    Failure failure;
    failure.kind = FailureKind::MalformedDescriptor;
    failure.at = now;
    failure.unit = unit.id;
    failure.descriptor = job.address;
    failure.malformed = reason;
    unit.port.noteFailure(failure);
}

void checkOwnership(const UnitJob& job, const UnitContext& unit, Time now)
{
    std::array<std::uint32_t, ordersOfDescriptor> present{};
    if (!unit.memory.peek(job.address, sizeof present, reinterpret_cast<std::byte*>(present.data())) ||
        present == job.orders)
        return;
    Failure failure;
    failure.kind = FailureKind::DescriptorChanged;
    failure.at = now;
    failure.unit = unit.id;
    failure.descriptor = job.address;
    unit.port.noteFailure(failure);
}

void failJob(UnitJob& job, const UnitContext& unit, const nand::Operation& op, nand::Status status, std::uint32_t chip,
             Time now)
{
    nand::PageAddress target = op.target;
    if (op.opcode == nand::Opcode::Program && !op.pslc)
        target.page -= target.page % job.map->dieGeometry().pagesPerProgram; // a word line fails as a whole
    job.isStopped = true;
    if (job.outcome.code == StatusCode::Pending) {
        job.outcome.code = statusCode(status);
        job.outcome.chip = static_cast<std::uint8_t>(chip);
        job.outcome.page = static_cast<std::uint16_t>(target.page);
    }
    Failure failure;
    failure.kind = status == nand::Status::Illegal ? FailureKind::OperationIllegal : FailureKind::OperationFailed;
    failure.at = now;
    failure.unit = unit.id;
    failure.descriptor = job.address;
    failure.opcode = op.opcode;
    failure.die = op.die;
    failure.target = target;
    failure.status = status;
    failure.illegal = op.reason;
    failure.isTorn = op.torn;
    unit.port.noteFailure(failure);
}

UnitJob& JobWindow::beginArrival(BusAddress address, const SuperchipMap& map)
{
    if (count_ == 0)
        first_ = 0; // memory used last is used again: it is still in the caches
    UnitJob& job = arriving();
    job.address = address;
    job.isReadable = false;
    job.isSynthesized = false;
    job.endsList = true;
    job.cursor = job.end = job.pagesStarted = 0;
    job.sent = 0;
    job.map = &map;
    job.isStopped = false;
    job.isRetired = false;
    job.outcome = {};
    return job;
}

UnitJob* JobWindow::retireEarly()
{
    for (std::uint32_t i = 0; i < started_; ++i) {
        UnitJob& job = jobs_[index(i)];
        if (job.isRetired)
            continue;
        if (!job.isReadable || job.descriptor.opcode != SuperchipOpcode::Read || job.descriptor.isToHost())
            return nullptr;
        if (job.rowsOpen == 0) {
            job.isRetired = true;
            ++early_;
            return &job;
        }
    }
    return nullptr;
}

bool JobWindow::mayStart(const UnitJob& job) const
{
    for (std::uint32_t i = 0; i < started_; ++i) {
        const UnitJob& earlier = jobs_[index(i)];
        if (earlier.rowsOpen == 0)
            continue;
        const bool mayFeed = earlier.descriptor.opcode == SuperchipOpcode::Read && job.takesData();
        if (earlier.descriptor.isStepped || job.descriptor.isStepped)
            return false;
        if (earlier.descriptor.superchip != job.descriptor.superchip || earlier.map != job.map)
            return false;
        if (mayFeed && !earlier.descriptor.isToHost())
            return false;
        // Sectors of one command go to the host in order.
        if (job.descriptor.isToHost() && earlier.descriptor.isToHost() && earlier.sent != earlier.descriptor.sectors &&
            earlier.descriptor.hostSlot() == job.descriptor.hostSlot())
            return false;
    }
    return true;
}

} // namespace strobe::controller
