// SPDX-License-Identifier: Apache-2.0
#include "models/operations/operation_plan.h"

#include "models/base/config_error.h"
#include "models/base/rng.h"

#include <deque>
#include <string>

namespace strobe::operations {

namespace {

using nand::Opcode;

// Contents of the pages of one plane, as far as the plan needs them.
class PlaneBook {
public:
    PlaneBook(DieId die, std::uint32_t plane, const nand::DieGeometry& geometry,
              const std::function<bool(DieId, std::uint32_t)>& isUsable)
        : die_(die), plane_(plane), geometry_(geometry), isUsable_(isUsable)
    {
    }

    nand::PageAddress nextProgram()
    {
        if (page_ == 0)
            open_ = erasedBlock();
        const nand::PageAddress target{open_, page_++};
        if (page_ == geometry_.pagesPerBlock) {
            full_.push_back(open_);
            page_ = 0;
        }
        return target;
    }
    // The draws are shared by the planes of a die, so that their pages may be read together.
    nand::PageAddress dataPage(std::uint64_t blockDraw, std::uint32_t page) const
    {
        return {full_[static_cast<std::size_t>(blockDraw % full_.size())], page};
    }
    // The oldest block with data while there is another one; after that, blocks that hold nothing.
    nand::PageAddress nextErase()
    {
        std::uint32_t victim = 0;
        if (full_.size() > 1) {
            victim = full_.front();
            full_.pop_front();
        } else {
            victim = erasedBlock();
        }
        erased_.push_back(victim);
        return {victim, 0};
    }

private:
    std::uint32_t erasedBlock()
    {
        while (untouched_ < geometry_.blocksPerPlane) {
            const std::uint32_t block = plane_ + geometry_.planes * untouched_++;
            if (isUsable_(die_, block))
                return block;
        }
        if (erased_.empty())
            throw ConfigError("die " + std::to_string(raw(die_)) +
                              " has no erased block left for so many operations; it has " +
                              std::to_string(geometry_.blocksPerPlane) + " blocks per plane");
        const std::uint32_t block = erased_.front();
        erased_.pop_front();
        return block;
    }

    DieId die_;
    std::uint32_t plane_;
    const nand::DieGeometry& geometry_;
    const std::function<bool(DieId, std::uint32_t)>& isUsable_;
    std::deque<std::uint32_t> full_;
    std::deque<std::uint32_t> erased_;
    std::uint32_t untouched_ = 0; // the first block of the plane that was never used
    std::uint32_t open_ = 0;
    std::uint32_t page_ = 0; // of the open block; 0: there is none
};

class DieBook {
public:
    DieBook(DieId die, const nand::DieGeometry& geometry, const std::function<bool(DieId, std::uint32_t)>& isUsable)
        : die_(die), geometry_(geometry)
    {
        for (std::uint32_t plane = 0; plane < geometry.planes; ++plane)
            planes_.emplace_back(die, plane, geometry, isUsable);
    }

    void program(std::uint32_t plane, std::vector<PlannedOperation>& to)
    {
        to.push_back({Opcode::Program, die_, planes_[plane].nextProgram(), {}});
    }

    PlannedOperation next(Opcode opcode, Rng& rng)
    {
        Turn& turn = turns_[static_cast<std::size_t>(opcode)];
        const std::uint32_t number = turn.plane;
        PlaneBook& plane = planes_[number];
        if (number == 0) {
            turn.blockDraw = rng.next();
            turn.page = static_cast<std::uint32_t>(rng.below(geometry_.pagesPerBlock));
        }
        turn.plane = (number + 1) % geometry_.planes;
        switch (opcode) {
        case Opcode::Program: return {opcode, die_, plane.nextProgram(), {}};
        case Opcode::Erase: return {opcode, die_, plane.nextErase(), {}};
        case Opcode::CopyBack: {
            const nand::PageAddress source = plane.dataPage(turn.blockDraw, turn.page);
            return {opcode, die_, plane.nextProgram(), source};
        }
        default: return {Opcode::Read, die_, plane.dataPage(turn.blockDraw, turn.page), {}};
        }
    }

private:
    struct Turn { // of one kind of operation
        std::uint32_t plane = 0;
        std::uint64_t blockDraw = 0;
        std::uint32_t page = 0;
    };

    DieId die_;
    const nand::DieGeometry& geometry_;
    std::vector<PlaneBook> planes_;
    std::array<Turn, nand::opcodeTable.size()> turns_{};
};

std::vector<Opcode> shuffledMix(const OperationsConfig& config, std::uint64_t seed)
{
    std::vector<Opcode> kinds;
    kinds.insert(kinds.end(), config.reads, Opcode::Read);
    kinds.insert(kinds.end(), config.programs, Opcode::Program);
    kinds.insert(kinds.end(), config.erases, Opcode::Erase);
    kinds.insert(kinds.end(), config.copyBacks, Opcode::CopyBack);
    Rng rng(seed, "order of operations");
    for (std::size_t left = kinds.size(); left > 1; --left)
        std::swap(kinds[left - 1], kinds[static_cast<std::size_t>(rng.below(left))]);
    return kinds;
}

} // namespace

OperationPlan makePlan(const OperationsConfig& config, const nand::ArrayGeometry& array, const nand::DieGeometry& die,
                       std::uint64_t seed, const std::function<bool(DieId, std::uint32_t)>& isUsable)
{
    std::vector<DieBook> books;
    for (std::uint32_t i = 0; i < array.dies(); ++i)
        books.emplace_back(DieId{static_cast<std::uint16_t>(i)}, die, isUsable);
    OperationPlan plan;
    for (std::uint64_t page = 0; page < std::uint64_t{config.preparedBlocks} * die.pagesPerBlock; ++page) {
        for (DieBook& book : books) {
            for (std::uint32_t plane = 0; plane < die.planes; ++plane)
                book.program(plane, plan.prepare);
        }
    }
    plan.measured = config.list;
    Rng dieRng(seed, "dies of operations");
    Rng addressRng(seed, "addresses of operations");
    std::size_t turn = 0;
    for (const Opcode opcode : shuffledMix(config, seed)) {
        const std::size_t chosen = config.dies == DieChoice::Random
                                       ? static_cast<std::size_t>(dieRng.below(books.size()))
                                       : turn++ % books.size();
        plan.measured.push_back(books[chosen].next(opcode, addressRng));
    }
    return plan;
}

} // namespace strobe::operations
