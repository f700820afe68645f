// SPDX-License-Identifier: Apache-2.0
#include "models/host/integrity.h"

#include "models/base/check.h"
#include "models/base/config_error.h"

#include <algorithm>
#include <bitset>

namespace strobe::host {

namespace {

bool isOfZeros(RequestKind kind)
{
    return kind == RequestKind::Trim || kind == RequestKind::ResetZone;
}

} // namespace

Integrity::Integrity(DataMode mode, std::uint64_t capacitySectors, std::uint32_t slots,
                     std::uint32_t mappingUnitSectors)
    : mode_(mode), capacity_(capacitySectors), unit_(mappingUnitSectors),
      versions_(mode == DataMode::None ? 0 : capacitySectors), slots_(slots), reads_(slots), changes_(slots)
{
    strobe::check(unit_ > 0, "a mapping unit has at least one sector");
    if (mode != DataMode::None && capacitySectors > mostSectors)
        throw ConfigError("data mode: sectors can be distinguished on drives of up to 2 TiB; this one has " +
                          std::to_string(capacitySectors) + " sectors (use data mode \"none\")");
}

// --- issue -----------------------------------------------------------------------------------------------------------

void Integrity::issued(std::uint16_t index, RequestKind kind, std::uint64_t lba, std::uint32_t sectors, bool fua)
{
    Slot& slot = slots_[index];
    slot.kind = kind;
    slot.lba = lba;
    slot.sectors = sectors;
    slot.moved.assign((sectors + 63) / 64, 0);
    slot.hasFloors = false;
    slot.mismatches = 0;
    slot.found.clear();
    slot.isDurable =
        acknowledged_ == Durable::Everything || (takesData(kind) && (fua || acknowledged_ == Durable::Writes));
    if (kind == RequestKind::Flush && floors_)
        slot.flushTicket = floors_->flushIssued();
    slot.isPlaced = false;
    if (!isChecked(slot) || mode_ == DataMode::None)
        return;
    strobe::check(slot.end() <= capacity_, "a request beyond the end of the drive");
    if (kind == RequestKind::Read)
        reads_.add(index, slot.lba, slot.end());
    else
        issueChange(index);
}

void Integrity::placed(std::uint16_t index, std::uint64_t lba)
{
    Slot& slot = slots_[index];
    strobe::check(slot.kind == RequestKind::Append, "only an append is placed");
    if (slot.isPlaced && mode_ != DataMode::None)
        changes_.remove(index); // it was sent again after a reset of the controller, and may be in both places
    slot.isPlaced = true;
    slot.lba = lba;
    if (mode_ == DataMode::None)
        return;
    strobe::check(slot.end() <= capacity_, "an append beyond the end of the drive");
    issueChange(index);
}

void Integrity::issueChange(std::uint16_t index)
{
    Slot& slot = slots_[index];
    slot.versions.clear();
    slot.older.clear();
    changes_.forEachOverlapping(slot.lba, slot.end(), [&](std::uint16_t other) { rememberOlder(slot, slots_[other]); });
    changes_.add(index, slot.lba, slot.end());
    if (!isOfZeros(slot.kind)) {
        versions_.advance(slot.lba, slot.sectors, slot.versions);
        return;
    }
    forEachPart(slot.lba, slot.sectors, [&](const Part& part) {
        // Sectors never written read as zero with or without the trim.
        const bool isNothing = !versions_.isTouched(part.chunk);
        slot.versions.push_back(isNothing ? 0 : versions_.advance(part, true));
    });
}

void Integrity::rememberOlder(Slot& slot, const Slot& other)
{
    const std::uint64_t from = std::max(slot.lba, other.lba);
    const std::uint64_t to = std::min(slot.end(), other.end());
    forEachPart(from, to - from, [&](const Part& part) {
        const std::uint64_t base = part.chunk * SectorVersions::chunkSectors;
        slot.older.push_back({base + part.from, base + part.to, versionAt(other, part.chunk)});
    });
}

void Integrity::markMoved(Slot& slot, std::uint32_t first, std::uint32_t sectors)
{
    strobe::check(std::uint64_t{first} + sectors <= slot.sectors, "sectors beyond the end of their command");
    if (sectors != 0 && first % 64 + std::uint64_t{sectors} <= 64) { // a page, usually
        slot.moved[first / 64] |= (~std::uint64_t{0} >> (64 - sectors)) << first % 64;
        return;
    }
    for (std::uint32_t at = first; at < first + sectors;) {
        const std::uint32_t bit = at % 64;
        const std::uint32_t bits = std::min(64 - bit, first + sectors - at);
        slot.moved[at / 64] |= (~std::uint64_t{0} >> (64 - bits)) << bit;
        at += bits;
    }
}

std::uint32_t Integrity::countMoved(const Slot& slot)
{
    std::size_t count = 0;
    for (const std::uint64_t word : slot.moved)
        count += word == ~std::uint64_t{0} ? 64 : std::bitset<64>(word).count();
    return static_cast<std::uint32_t>(count);
}

void Integrity::fill(std::uint16_t index, std::uint32_t first, std::uint32_t sectors, Content destination)
{
    Slot& slot = slots_[index];
    markMoved(slot, first, sectors);
    if (destination.empty())
        return;
    const std::uint64_t start = slot.lba + first;
    forEachPart(start, sectors, [&](const Part& part) {
        const std::uint32_t version = versionAt(slot, part.chunk);
        const std::uint64_t lba = part.chunk * SectorVersions::chunkSectors + part.from;
        const Content there = destination.at(lba - start);
        if (there.mode == DataMode::Tags) {
            makeTagRun(static_cast<std::uint32_t>(lba), version, part.to - part.from, there.data);
            return;
        }
        for (std::uint32_t i = 0; i < part.to - part.from; ++i)
            expandSector(static_cast<std::uint32_t>(lba + i), version, there.at(i).data);
    });
}

TagRun Integrity::runAt(std::uint16_t index, std::uint32_t first) const
{
    const Slot& slot = slots_[index];
    if (mode_ != DataMode::Tags || first >= slot.sectors)
        return {};
    constexpr std::uint64_t size = SectorVersions::chunkSectors;
    const std::uint64_t start = slot.lba + first;
    const auto* const from = slot.versions.data() + (start / size - slot.lba / size);
    const auto* const to = slot.versions.data() + slot.versions.size();
    const auto* const end = std::find_if(from, to, [from](std::uint32_t version) { return version != *from; });
    const std::uint64_t next = (start / size + static_cast<std::uint64_t>(end - from)) * size; // sector after the run
    return {static_cast<std::uint32_t>(start), *from, static_cast<std::uint32_t>(std::min(next, slot.end()) - start)};
}

// --- completion ------------------------------------------------------------------------------------------------------

std::uint64_t Integrity::completed(std::uint16_t index, bool isOk, Time now)
{
    Slot& slot = slots_[index];
    if (mode_ != DataMode::None && isChecked(slot)) {
        (slot.kind == RequestKind::Read ? reads_ : changes_).remove(index);
        if (isOk && slot.kind != RequestKind::Read)
            acknowledge(slot);
    }
    if (!isOk)
        return 0;
    if (slot.kind == RequestKind::Flush && floors_)
        floors_->flushed(slot.flushTicket);
    if (movesData(slot.kind)) {
        Mismatch mismatch;
        mismatch.kind = MismatchKind::Missing;
        mismatch.lba = slot.lba;
        mismatch.missing = slot.sectors - countMoved(slot);
        if (mismatch.missing > 0)
            note(slot, mismatch);
    }
    mismatchCount_ += slot.mismatches;
    for (Mismatch& mismatch : slot.found) {
        mismatch.at = now;
        if (kept_.size() < keptMismatches)
            kept_.push_back(mismatch);
    }
    if (!slot.found.empty())
        latest_ = slot.found.front();
    return slot.mismatches;
}

void Integrity::acknowledge(const Slot& slot)
{
    std::uint64_t from = slot.lba;
    std::uint64_t to = slot.end();
    if (isOfZeros(slot.kind)) {
        from = (from + unit_ - 1) / unit_ * unit_;
        to = to / unit_ * unit_;
        if (from >= to)
            return;
    }
    keepFloors(from, to);
    raise(slot, from, to);
}

// Outstanding reads are judged by the floors at their issue.
void Integrity::keepFloors(std::uint64_t from, std::uint64_t to)
{
    reads_.forEachOverlapping(from, to, [&](std::uint16_t index) {
        Slot& read = slots_[index];
        if (read.hasFloors)
            return;
        read.hasFloors = true;
        read.floors.clear();
        forEachPart(read.lba, read.sectors, [&](const Part& part) {
            for (std::uint32_t i = part.from; i < part.to; ++i)
                read.floors.push_back(versions_.window(part.chunk, i).floor);
        });
    });
}

void Integrity::raise(const Slot& slot, std::uint64_t from, std::uint64_t to)
{
    if (slot.kind == RequestKind::Write && slot.older.empty() && !floors_) { // the usual case
        versions_.raiseFloors(from, to - from, slot.versions.data());
        return;
    }
    forEachPart(from, to - from, [&](const Part& part) {
        const std::uint32_t version = versionAt(slot, part.chunk);
        if (version == 0)
            return; // trim of sectors never written
        if (slot.older.empty()) {
            raiseFloor(part, version, slot.isDurable);
            return;
        }
        for (std::uint32_t i = part.from; i < part.to; ++i) {
            const std::uint64_t lba = part.chunk * SectorVersions::chunkSectors + i;
            std::uint32_t floor = version;
            for (const Older& older : slot.older) {
                if (lba >= older.from && lba < older.to)
                    floor = std::min(floor, older.version);
            }
            raiseFloor({part.chunk, i, i + 1}, floor, slot.isDurable);
        }
    });
}

void Integrity::raiseFloor(const Part& part, std::uint32_t floor, bool isDurable)
{
    if (floors_ && !isDurable)
        floors_->beforeRaise(versions_, part.chunk);
    versions_.raiseFloor(part, floor);
    if (floors_ && isDurable)
        floors_->raisedForGood(part, floor);
}

// --- power loss ------------------------------------------------------------------------------------------------------

void Integrity::expectPowerLoss(Durable acknowledged)
{
    if (mode_ != DataMode::None)
        floors_.emplace();
    acknowledged_ = acknowledged;
}

void Integrity::powerLost()
{
    ++power_.losses;
    reads_.clear();
    changes_.clear();
    if (!floors_)
        return;
    before_ = floors_->powerLost(versions_);
    for (const auto& [chunk, floors] : before_) {
        for (std::uint32_t i = 0; i < floors.size(); ++i)
            power_.atRisk += floors[i] > versions_.window(chunk, i).floor ? 1U : 0U;
    }
    isReadingBack_ = true;
}

void Integrity::restore(ByteReader& file)
{
    versions_.restore(file);
    isReadingBack_ = true;
}

void Integrity::readBackEnds()
{
    isReadingBack_ = false;
    before_.clear();
}

// Nothing else is outstanding, so what a sector holds now is final.
void Integrity::setVersion(const Part& part, std::uint32_t version)
{
    if (!isReadingBack_)
        return;
    power_.readBack += part.to - part.from;
    const auto before = before_.find(part.chunk);
    for (std::uint32_t i = part.from; before != before_.end() && i < part.to; ++i)
        power_.reverted +=
            (version == 0 ? versions_.window(part.chunk, i).zero : version) < before->second[i] ? 1U : 0U;
    versions_.setVersion(part, version);
}

Integrity::Range Integrity::writtenFrom(std::uint64_t from, std::uint32_t most) const
{
    constexpr std::uint64_t size = SectorVersions::chunkSectors;
    const auto hasVersions = [this](std::uint64_t chunk) {
        const VersionWindow* uniform = versions_.isTouched(chunk) ? versions_.uniform(chunk) : nullptr;
        return versions_.isTouched(chunk) && (uniform == nullptr || uniform->last != 0);
    };
    const std::uint64_t end = mode_ == DataMode::None ? 0 : (capacity_ + size - 1) / size;
    std::uint64_t chunk = (from + size - 1) / size;
    while (chunk < end && !hasVersions(chunk))
        ++chunk;
    Range range{chunk * size, 0};
    for (; chunk < end && range.sectors + size <= most && hasVersions(chunk); ++chunk)
        range.sectors += static_cast<std::uint32_t>(std::min(size, capacity_ - chunk * size));
    return range;
}

// --- check -----------------------------------------------------------------------------------------------------------

void Integrity::check(std::uint16_t index, std::uint32_t first, std::uint32_t sectors, Content source)
{
    Slot& slot = slots_[index];
    markMoved(slot, first, sectors);
    if (source.empty())
        return;
    checkedSectors_ += sectors;
    const std::uint64_t start = slot.lba + first;
    forEachPart(start, sectors, [&](const Part& part) {
        const std::uint64_t lba = part.chunk * SectorVersions::chunkSectors + part.from;
        checkPart(slot, part, source.at(lba - start));
    });
}

void Integrity::checkPart(Slot& slot, const Part& part, Content source)
{
    const VersionWindow* uniform = slot.hasFloors ? nullptr : versions_.uniform(part.chunk);
    const auto first = static_cast<std::uint32_t>(part.chunk * SectorVersions::chunkSectors + part.from);
    if (mode_ == DataMode::Tags && uniform != nullptr && uniform->newest != 0 && uniform->mayBe(uniform->newest) &&
        isTagRunOf(source.data, first, uniform->newest, part.to - part.from)) {
        setVersion(part, uniform->newest);
        return; // the usual case: all of it the last version
    }
    for (std::uint32_t i = part.from; i < part.to; ++i) {
        const std::uint64_t lba = part.chunk * SectorVersions::chunkSectors + i;
        const std::byte* sector = source.at(i - part.from).data;
        const VersionWindow window = windowAt(slot, lba);
        const std::optional<std::uint32_t> version =
            allowedVersion(mode_, window, static_cast<std::uint32_t>(lba), sector);
        if (version)
            setVersion({part.chunk, i, i + 1}, *version);
        else
            note(slot, mismatchOf(mode_, window, static_cast<std::uint32_t>(lba), sector));
    }
}

VersionWindow Integrity::windowAt(const Slot& slot, std::uint64_t lba) const
{
    VersionWindow window = versions_.window(lba / SectorVersions::chunkSectors,
                                            static_cast<std::uint32_t>(lba % SectorVersions::chunkSectors));
    if (slot.hasFloors)
        window.floor = slot.floors[lba - slot.lba];
    return window;
}

void Integrity::note(Slot& slot, Mismatch mismatch)
{
    ++slot.mismatches;
    if (slot.found.size() == keptMismatches)
        return;
    mismatch.request = slot.kind;
    mismatch.requestLba = slot.lba;
    mismatch.requestSectors = slot.sectors;
    slot.found.push_back(mismatch);
}

} // namespace strobe::host
