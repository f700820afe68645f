// SPDX-License-Identifier: Apache-2.0
#include "models/controller/functional_dies.h"

#include <string>

namespace strobe::controller {

FunctionalDies::FunctionalDies(const FlashControllerConfig& config, Dies dies, Time now)
    : config_(config), dies_(std::move(dies)), now_(now)
{
    for (std::uint32_t i = 0; i < config_.array.channels; ++i)
        ecc_.emplace_back(config_.ecc, config_.die.pageBytes,
                          Rng(config_.seed, "functional ecc of channel " + std::to_string(i)));
}

Outcome FunctionalDies::execute(nand::Operation& op)
{
    nand::Die& die = *dies_[op.die];
    die.executeAtOnce(op);
    if (op.opcode == nand::Opcode::Read && op.status == nand::Status::Ok) {
        die.fetch(op);
        const auto correction = [&] { return ecc_[config_.array.channelOf(op.die)].decode(op, now_).correction; };
        if (op.torn || (op.bitErrors != 0 && correction() == Correction::Uncorrectable))
            op.status = nand::Status::Uncorrectable;
    }
    Outcome outcome;
    outcome.code = statusCode(op.status);
    outcome.blank = op.opcode == nand::Opcode::Read && op.blank;
    outcome.page = static_cast<std::uint16_t>(op.status != nand::Status::Ok     ? op.target.page
                                              : op.opcode == nand::Opcode::Read ? correctedBits(op)
                                                                                : 0);
    return outcome;
}

void FunctionalDies::noteFailure(FailureKind kind, UnitId unit, BusAddress descriptor, const nand::Operation& op)
{
    Failure failure;
    failure.kind = kind;
    failure.at = now_;
    failure.unit = unit;
    failure.descriptor = descriptor;
    failure.opcode = op.opcode;
    failure.die = op.die;
    failure.target = op.target;
    failure.status = op.status;
    failure.illegal = op.reason;
    failures_.note(failure);
}

bool FunctionalDies::isPage(const Page& page) const
{
    return raw(page.die) < dies_.size() && page.at.block < config_.die.blocks() &&
           page.at.page < config_.die.pagesPerBlock;
}

bool FunctionalDies::programRun(const Page& page, SectorTag first)
{
    return dies_[page.die]->programRunAtOnce(page.at, first, *page.records, nand::Purpose::Host,
                                             page.hasOne ? nullptr : page.records + 1);
}

StatusCode FunctionalDies::program(const Page& page, Content data)
{
    nand::Operation op;
    op.opcode = nand::Opcode::Program;
    op.purpose = nand::Purpose::Host;
    op.die = page.die;
    op.target = page.at;
    op.sectors = config_.die.sectorsPerPage();
    op.spare = *page.records;
    op.moreSpares = page.hasOne ? nullptr : page.records + 1;
    op.data = data;
    const Outcome outcome = execute(op);
    if (outcome.code != StatusCode::Ok)
        noteFailure(FailureKind::OperationFailed, UnitId{0}, BusAddress{0}, op);
    return outcome.code;
}

} // namespace strobe::controller
