#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Finds races between the harts on ordinary memory: two accesses to the same bytes, by two harts, at least one of them
// a store, with nothing that orders them. Each hart has a vector clock. What orders accesses of two harts:
//   - fences: a store after a fence (of earlier stores), and a fence (of later loads) after the load that reads it
//   - aq and rl: the same of an atomic instruction that has the bit
//   - blocks of registers: what precedes a store to a register precedes what follows a later load from a register of
//   the
//     same block, and what follows an interrupt that the block sends to a hart (also one that ends a wfi)
// So messages in rings, locks and interrupts between the harts order what they should.
//
// Words by which harts synchronise are accessed without order on purpose, and are not reported:
//   - those that atomics access
//   - the target of the first store after a fence that orders stores (the flag or phase of a message), unless the fence
//     follows a load that has received one, and no store came between them
//   - "store, fence, load of a word that another hart has stored to": both words (flags of two harts that look at each
//     other)
// Accesses relative to the stack pointer, by which functions save registers, do not count in these sequences. A trap
// interrupts a sequence, and mret continues it. A word that has once been recognised in this way is one for the whole
// run.
//
// Each pair of places in the code is reported once. Only what happens is judged, not what other timing could bring.
// Not seen: accesses of the hardware, so an order that comes from polling a ring of the hardware, without an interrupt
// or a register access, is missed (a false report); accesses of bytes of a word after later accesses of other bytes of
// it (a race that is missed).

#include "firmware/hal/cores.h"
#include "models/cpu/rv32/core.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace strobe::cpu {

class RaceCheck final : public rv32::Observer {
public:
    struct Block { // of registers
        std::uint32_t first = 0;
        std::uint32_t bytes = 0;
        std::uint32_t interrupts = 0; // bit n: hart n
    };
    struct Side {
        std::uint32_t hart = 0;
        std::uint32_t pc = 0;
        bool isStore = false;
    };
    struct Finding {
        std::uint32_t address = 0; // of the word
        Side first;                // that came first
        Side second;
    };

    // Whatever is not in a block is memory.
    explicit RaceCheck(std::vector<Block> blocks);

    void powerOn(); // memory and clocks begin again; findings stay

    void retired(const rv32::Core& core, std::uint32_t pc, std::uint32_t bits, unsigned cycles) override;
    void accessed(const rv32::Core& core, std::uint32_t address, unsigned bytes, bool isStore) override;
    void trapped(const rv32::Core& core) override;

    std::vector<Finding> findings() const;           // the first of each pair of places, by address
    bool isComplete() const { return !hasDropped_; } // no: there were more pairs of accesses than are kept

private:
    static constexpr std::size_t harts = HAL_CORES;
    using Clock = std::array<std::uint32_t, harts>;

    struct Access {
        std::uint32_t when = 0; // of its hart's own clock; 0: never
        std::uint32_t pc = 0;
        std::uint8_t bytes = 0; // of the word, as a mask
    };
    struct Word {
        std::array<Access, harts> stores;
        std::array<Access, harts> loads;
        Clock released{}; // a hart that loads the word and then has a fence is ordered after this
    };
    static constexpr std::uint32_t pageBytes = 4096;
    using Page = std::array<Word, pageBytes / 4>;

    struct Pending { // access of the present instruction
        std::uint32_t address = 0;
        std::uint8_t bytes = 0;
        bool isStore = false;
    };
    // What the last fence means for the accesses that follow.
    struct AfterFence {
        bool storeSynchronises = false;
        std::optional<std::uint32_t> flag; // word that was stored to directly before it
    };
    struct Sequence {
        std::optional<std::uint32_t> lastStored; // word, if the last access was a store to memory
        bool hasStored = false;                  // to memory, since the last load that has received a message
        AfterFence afterFence;
    };
    struct Hart {
        Clock now{};
        Clock fenced{}; // as of the last fence that orders stores
        Clock seen{};   // by loads since the last fence that orders loads
        std::array<Pending, 2> pending{};
        unsigned pendingCount = 0;
        std::uint32_t pendingPc = 0;
        Sequence sequence;
        std::vector<Sequence> interrupted; // by traps, the innermost last
        bool hasWaited = false;
    };
    // An access to memory.
    struct Reach {
        std::uint32_t hart = 0;
        std::uint32_t pc = 0;
        Pending access;
        bool isAtomic = false;
        bool isSpill = false;  // relative to the stack pointer
        bool acquires = false; // bits of an atomic
        bool releases = false;
    };

    Word& wordAt(std::uint32_t address);
    const Block* blockAt(std::uint32_t address) const;
    void reach(const Reach& reach);
    void load(const Reach& reach, Word& word);
    void store(const Reach& reach, Word& word);
    void accessBlock(std::uint32_t number, const Block& block, bool isStore);
    void fence(std::uint32_t number, std::uint32_t bits);
    void interrupted(std::uint32_t number);
    void synchronises(std::uint32_t word); // is accessed without order on purpose
    void compare(const Reach& reach, const std::array<Access, harts>& others, bool areStores);

    std::vector<Block> blocks_;
    std::vector<Clock> released_; // by block
    std::array<Hart, harts> harts_;
    std::unordered_map<std::uint32_t, std::unique_ptr<Page>> pages_;     // by number
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // word, pc of both
    std::map<Key, Finding> candidates_;                                  // of words that do not synchronise
    bool hasDropped_ = false;
    std::set<std::uint32_t> synchronising_; // words, of all power cycles
};

} // namespace strobe::cpu
