#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Puts together what is observed of flash jobs of one page and of NAND operations while they last, so that each is
// handed on once, at its end. What turns out to be more than that is given back, to be handed on event by event.

#include "platform/assembly/growing_table.h"
#include "platform/assembly/page_job.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

namespace strobe::platform {

// Of each die: the operation that has it for itself, or those that do not.
class WholeOperations {
public:
    explicit WholeOperations(std::size_t dies) : dies_(dies) {}

    // False: the operation is one of several in progress on the die, or has other segments than a request and a
    // response. If one was put together there (segments()), it is to be taken back first.
    bool granted(const nand::Operation& op, channel::NandInterface::Phase phase, Time possible, Time start,
                 Time busTime)
    {
        Die& die = dies_[op.die];
        if (phase == channel::NandInterface::Phase::Response && die.segments == 1 && die.op == &op &&
            op.form == nand::Form::Alone) {
            die.whole.response = {possible, start, busTime};
            die.segments = 2;
            return true;
        }
        if (phase != channel::NandInterface::Phase::Request || die.segments != 0 || die.hasOthers ||
            op.form != nand::Form::Alone || op.opcode == nand::Opcode::ReadId)
            return false;
        die.op = &op;
        die.segments = 1;
        die.whole.op = op;
        die.whole.op.requestStart = start;
        die.whole.request = {possible, start, busTime};
        return true;
    }
    // The operation has left its channel. Null: it is handed on event by event.
    const WholeOperation* finished(const nand::Operation& op, Time at)
    {
        Die& die = dies_[op.die];
        if (die.segments != 2 || die.op != &op || die.whole.response.end() > at)
            return nullptr;
        die.segments = 0;
        die.whole.times = op;
        return &die.whole;
    }
    bool isOpen(const nand::Operation& op) const // put together so far
    {
        const Die& die = dies_[op.die];
        return die.segments != 0 && die.op == &op;
    }
    // Operations of the die were handed on event by event in that batch.
    void reported(DieId die, std::uint32_t batch) { dies_[die].batch = batch; }
    bool isReported(DieId die, std::uint32_t batch) const { return dies_[die].batch == batch; }
    unsigned segments(DieId die) const { return dies_[die].segments; } // of what is put together
    const WholeOperation& takeBack(DieId id)                           // it is one of those handed on event by event
    {
        Die& die = dies_[id];
        die.segments = 0;
        begun(id, die.whole.request.start);
        return die.whole;
    }
    // Of those handed on event by event: one begins, or ends.
    void begun(DieId die, Time start);
    void ended(DieId die, Time start);
    bool isKnown(DieId die, Time start) const;

private:
    struct Die {
        const nand::Operation* op = nullptr; // tells it from others; what is used of it is in `whole`
        unsigned segments = 0;
        bool hasOthers = false;
        std::uint32_t batch = 0;
        WholeOperation whole;
        std::vector<Time> others; // their starts
    };
    IdVector<DieId, Die> dies_;
};

class PageJobs {
public:
    explicit PageJobs(std::size_t units) : units_(units) {}

    // A list that was listed directly before, and is not one of its unit's lists yet.
    struct List {
        UnitId unit{};
        bool isSynthesized = false;
        Time at = never; // never: there is none
        CpuSleep::Mark sleeps{};
        std::uint32_t before = 0; // PageJob::before
    };
    void queued(UnitId unit, bool isSynthesized) { ++units_[unit].lists[isSynthesized ? 1 : 0]; }

    // A job that is handed on at its end, if it has one row with one operation; null: it is handed on event by event
    // from the beginning, because it has more, or another list than `list` may be its list.
    PageJob* begin(const controller::FlashObserver::Job& job, const List& list, Time at, std::uint32_t pageSectors)
    {
        const controller::FlashDescriptor& descriptor = job.descriptor;
        Unit& unit = units_[job.unit];
        if (!job.endsList || descriptor.sectors > pageSectors || list.unit != job.unit || list.at == never ||
            list.isSynthesized != job.isSynthesized || unit.lists[job.isSynthesized ? 1 : 0] != 0 ||
            (!job.isSynthesized && unit.isInList) || descriptor.isToHost())
            return nullptr;
        if (free_.empty())
            free_.push_back(&pages_.emplace_back());
        PageJob& page = *free_.back();
        free_.pop_back();
        page.job = job;
        page.listed = std::min(list.at, at);
        page.sleeps = list.sleeps;
        page.before = list.before;
        page.fetched = at;
        page.rowStarted = page.finished = page.rowEnded = never;
        page.dataAt = page.sent = Time{};
        page.isSent = false;
        page.placedCount = 0;
        open(unit, job.place).page = &page;
        return &page;
    }
    void beginOther(const ObservedJob& job);

    // A job starts a row. False: the row is handed on by itself: otherRowStarted(), which returns what the unit did
    // until then.
    bool rowStarted(UnitId id, std::uint32_t slot, std::uint32_t number, Time at)
    {
        Unit& unit = units_[id];
        Place* const place = unit.places.find(number);
        PageJob** const row = unit.slots.find(slot);
        if (place == nullptr || row == nullptr || place->page == nullptr || place->page->rowStarted != never)
            return false;
        PageJob& page = *place->page;
        *row = &page;
        place->started = at;
        page.slot = slot;
        page.rowStarted = at;
        page.unit.retired = unit.retired;
        page.unit.started = never;
        if (unit.open > 1)
            findOther(unit, *place, at, page.unit);
        return true;
    }
    UnitWork otherRowStarted(UnitId unit, std::uint32_t slot, std::uint32_t place, Time at);
    PageJob* ofPlace(UnitId unit, std::uint32_t place)
    {
        Place* const found = units_[unit].places.find(place);
        return found == nullptr ? nullptr : found->page;
    }
    PageJob* ofSlot(UnitId unit, std::uint32_t slot)
    {
        PageJob** const found = units_[unit].slots.find(slot);
        return found == nullptr ? nullptr : *found;
    }
    void close(const PageJob& page) // nothing more belongs to it
    {
        Unit& unit = units_[page.job.unit];
        unit.places[page.job.place].page = nullptr;
        if (page.rowStarted != never)
            leaveSlot(unit, page);
    }
    // Any job retires. Returns what was put together of it; null: it was handed on event by event.
    PageJob* retired(UnitId id, std::uint32_t number, Time at, Time visible)
    {
        Unit& unit = units_[id];
        Place* const place = unit.places.find(number);
        if (place == nullptr || !place->isOpen)
            return nullptr; // it began before observation
        place->isOpen = false;
        --unit.open;
        ++unit.retired;
        ++retiredJobs_;
        PageJob* const page = place->page;
        if (page == nullptr)
            return nullptr;
        page->retired = at;
        page->visible = visible;
        place->page = nullptr;
        if (page->rowStarted != never)
            leaveSlot(unit, *page);
        return page;
    }
    void over(PageJob& page) { free_.push_back(&page); } // it has been handed on
    std::uint32_t retiredJobs() const { return retiredJobs_; }

private:
    struct Place {
        bool isOpen = false;
        PageJob* page = nullptr;
        Time started = never;
        JobDies dies; // without a page
        StageId work = 0;
    };
    struct Unit {
        GrowingTable<Place> places;
        GrowingTable<PageJob*> slots;
        std::uint32_t open = 0;
        std::uint64_t retired = 0;
        std::array<std::uint32_t, 2> lists{}; // not begun: of firmware, of the synthesizer
        bool isInList = false;
    };
    static Place& open(Unit& unit, std::uint32_t number)
    {
        Place& place = unit.places[number];
        unit.open += place.isOpen ? 0 : 1;
        place.isOpen = true;
        place.page = nullptr;
        place.started = never;
        return place;
    }
    static void leaveSlot(Unit& unit, const PageJob& page)
    {
        PageJob** const slot = unit.slots.find(page.slot);
        if (*slot == &page)
            *slot = nullptr;
    }
    static void findOther(const Unit& unit, const Place& place, Time at, UnitWork& into);

    IdVector<UnitId, Unit> units_;
    std::deque<PageJob> pages_;
    std::vector<PageJob*> free_;
    std::uint32_t retiredJobs_ = 0;
};

} // namespace strobe::platform
