// SPDX-License-Identifier: Apache-2.0
#include "models/host/sector_versions.h"

#include "models/base/bytes.h"
#include "models/base/check.h"
#include "models/base/content.h"

#include <algorithm>
#include <memory>

namespace strobe::host {

namespace {
constexpr VersionWindow untouched{};
constexpr const char* versionsEnd = "a sector was written more than 16,777,215 times: its versions have run out";

// How a chunk is kept in a file; the numbers are those in the file (docs/drive_images.md).
enum class Kept : std::uint8_t {
    Untouched,
    Written, // one version, which is the floor, the newest and the last; most chunks are like this
    Uniform, // one window
    Mixed    // a window per sector
};
constexpr std::uint8_t keptKinds = 4;

Kept keptAs(const VersionWindow& window)
{
    if (window == untouched)
        return Kept::Untouched;
    const bool isOneVersion = window.floor == window.newest && window.last == window.newest && window.zero == 0;
    return isOneVersion ? Kept::Written : Kept::Uniform;
}
} // namespace

SectorVersions::SectorVersions(std::uint64_t sectors)
    : pages_((sectors + std::uint64_t{pageChunks} * chunkSectors - 1) / (std::uint64_t{pageChunks} * chunkSectors))
{
}

const VersionWindow* SectorVersions::uniform(std::uint64_t chunk) const
{
    if (!isTouched(chunk))
        return &untouched;
    const VersionWindow& entry = entryAt(chunk);
    return entry.floor == mixed ? nullptr : &entry;
}

const VersionWindow& SectorVersions::window(std::uint64_t chunk, std::uint32_t sector) const
{
    if (!isTouched(chunk))
        return untouched;
    const VersionWindow& entry = entryAt(chunk);
    return entry.floor == mixed ? pool_[entry.newest][sector] : entry;
}

const VersionWindow& SectorVersions::entryAt(std::uint64_t chunk) const
{
    const Page& page = pages_[chunk / pageChunks];
    return page.isSplit(chunk) ? page.chunks.get()[chunk % pageChunks]
                               : (*page.groups)[chunk % pageChunks / groupChunks];
}

SectorVersions::Page& SectorVersions::page(std::uint64_t chunk)
{
    Page& page = pages_[chunk / pageChunks];
    if (page.groups == nullptr) {
        page.groups = std::make_unique<Groups>();
        ++pagesUsed_;
    }
    return page;
}

VersionWindow& SectorVersions::entry(std::uint64_t chunk)
{
    Page& page = pages_[chunk / pageChunks];
    if (!page.isSplit(chunk))
        splitGroup(this->page(chunk), chunk);
    return page.chunks.get()[chunk % pageChunks];
}

void SectorVersions::splitGroup(Page& page, std::uint64_t chunk)
{
    const std::uint64_t group = chunk % pageChunks / groupChunks;
    if (page.chunks == nullptr)
        page.chunks.reset(std::allocator<VersionWindow>().allocate(pageChunks));
    std::uninitialized_fill_n(page.chunks.get() + group * groupChunks, groupChunks, (*page.groups)[group]);
    page.splitGroups |= 1U << group;
    ++groupsSplit_;
}

VersionWindow* SectorVersions::wholeGroup(std::uint64_t lba, std::uint64_t end)
{
    if (lba % groupSectors != 0 || end - lba < groupSectors)
        return nullptr;
    const std::uint64_t chunk = lba / chunkSectors;
    Page& page = this->page(chunk);
    return page.isSplit(chunk) ? nullptr : &(*page.groups)[chunk % pageChunks / groupChunks];
}

void SectorVersions::advance(std::uint64_t lba, std::uint64_t sectors, std::vector<std::uint32_t>& versions)
{
    const std::uint64_t end = lba + sectors;
    while (lba < end) {
        if (VersionWindow* group = wholeGroup(lba, end); group != nullptr) {
            const std::uint32_t version = group->newest = ++group->last;
            check(version <= tagVersionMask, versionsEnd);
            versions.insert(versions.end(), groupChunks, version);
            lba += groupSectors;
            continue;
        }
        const std::uint64_t next = std::min(end, (lba / groupSectors + 1) * groupSectors);
        forEachPart(lba, next - lba, [&](const Part& part) { versions.push_back(advance(part, false)); });
        lba = next;
    }
}

void SectorVersions::raiseFloors(std::uint64_t lba, std::uint64_t sectors, const std::uint32_t* versions)
{
    const std::uint64_t end = lba + sectors;
    while (lba < end) {
        // A group that still has one window had it when the versions were given: they are equal.
        if (VersionWindow* group = wholeGroup(lba, end); group != nullptr) {
            group->floor = std::max(group->floor, *versions);
            versions += groupChunks;
            lba += groupSectors;
            continue;
        }
        const std::uint64_t next = std::min(end, (lba / groupSectors + 1) * groupSectors);
        forEachPart(lba, next - lba, [&](const Part& part) { raiseFloor(part, *versions++); });
        lba = next;
    }
}

std::uint32_t SectorVersions::advance(const Part& part, bool isZeros)
{
    VersionWindow& whole = entry(part.chunk);
    std::uint32_t version = 0;
    if (part.isWhole() && whole.floor != mixed) {
        version = whole.newest = ++whole.last;
        if (isZeros)
            whole.zero = version;
    } else {
        Mixed& windows = split(whole);
        for (std::uint32_t i = part.from; i < part.to; ++i)
            version = std::max(version, windows[i].last);
        ++version;
        for (std::uint32_t i = part.from; i < part.to; ++i) {
            windows[i].newest = windows[i].last = version;
            if (isZeros)
                windows[i].zero = version;
        }
    }
    check(version <= tagVersionMask, versionsEnd);
    return version;
}

void SectorVersions::raiseFloor(const Part& part, std::uint32_t floor)
{
    VersionWindow& whole = entry(part.chunk);
    if (whole.floor != mixed) {
        if (whole.floor >= floor)
            return;
        if (part.isWhole()) {
            whole.floor = floor;
            return;
        }
    }
    Mixed& windows = split(whole);
    for (std::uint32_t i = part.from; i < part.to; ++i)
        windows[i].floor = std::max(windows[i].floor, floor);
    joinIfEqual(whole);
}

void SectorVersions::lowerFloor(std::uint64_t chunk, std::uint32_t sector, std::uint32_t floor)
{
    VersionWindow& whole = entry(chunk);
    if (window(chunk, sector).floor <= floor)
        return;
    Mixed& windows = split(whole);
    windows[sector].floor = floor;
    joinIfEqual(whole);
}

void SectorVersions::setVersion(const Part& part, std::uint32_t version)
{
    VersionWindow& whole = entry(part.chunk);
    const auto set = [version](VersionWindow& window) {
        if (version == 0)
            window.floor = window.newest = window.zero = window.mayBeZero() ? window.zero : 0;
        else
            window.floor = window.newest = version;
        if (window.zero > window.newest)
            window.zero = 0;
    };
    if (part.isWhole() && whole.floor != mixed) {
        set(whole);
        return;
    }
    Mixed& windows = split(whole);
    for (std::uint32_t i = part.from; i < part.to; ++i)
        set(windows[i]);
    joinIfEqual(whole);
}

void SectorVersions::save(ByteWriter& file) const
{
    const auto put = [&file](const VersionWindow& window) {
        for (const std::uint32_t number : {window.floor, window.newest, window.zero, window.last})
            file.putShort(number);
    };
    for (std::size_t number = 0; number < pages_.size(); ++number) {
        if (pages_[number].groups == nullptr)
            continue;
        file.put(std::uint64_t{number});
        for (std::uint64_t chunk = number * pageChunks; chunk < (number + 1) * pageChunks; ++chunk) {
            const VersionWindow* whole = uniform(chunk);
            const Kept kept = whole == nullptr ? Kept::Mixed : keptAs(*whole);
            file.put(static_cast<std::uint8_t>(kept));
            if (kept == Kept::Written)
                file.putShort(whole->newest);
            else if (kept == Kept::Uniform)
                put(*whole);
            for (std::uint32_t sector = 0; kept == Kept::Mixed && sector < chunkSectors; ++sector)
                put(window(chunk, sector));
        }
    }
    file.put(std::uint64_t{UINT64_MAX});
}

void SectorVersions::restore(ByteReader& file)
{
    const auto number = [&file] {
        const std::uint64_t value = file.takeShort();
        if (value > tagVersionMask)
            throw DamagedBytes("a number in it is too large");
        return static_cast<std::uint32_t>(value);
    };
    const auto take = [&number] {
        VersionWindow window;
        for (std::uint32_t* part : {&window.floor, &window.newest, &window.zero, &window.last})
            *part = number();
        return window;
    };
    for (auto page = file.take<std::uint64_t>(); page != UINT64_MAX; page = file.take<std::uint64_t>()) {
        if (page >= pages_.size())
            throw DamagedBytes("a sector in it is beyond the end of the drive");
        for (std::uint64_t chunk = page * pageChunks; chunk < (page + 1) * pageChunks; ++chunk) {
            VersionWindow& whole = entry(chunk);
            switch (static_cast<Kept>(file.takeBelow<std::uint8_t>(keptKinds))) {
            case Kept::Untouched: break;
            case Kept::Written: whole.floor = whole.newest = whole.last = number(); break;
            case Kept::Uniform: whole = take(); break;
            case Kept::Mixed:
                for (VersionWindow& window : split(whole))
                    window = take();
                break;
            }
        }
    }
}

SectorVersions::Mixed& SectorVersions::split(VersionWindow& entry)
{
    if (entry.floor == mixed)
        return pool_[entry.newest];
    if (freeMixed_.empty()) {
        freeMixed_.push_back(static_cast<std::uint32_t>(pool_.size()));
        pool_.emplace_back();
    }
    const std::uint32_t index = freeMixed_.back();
    freeMixed_.pop_back();
    pool_[index].fill(entry);
    entry.floor = mixed;
    entry.newest = index;
    return pool_[index];
}

void SectorVersions::joinIfEqual(VersionWindow& entry)
{
    const std::uint32_t index = entry.newest;
    const Mixed& windows = pool_[index];
    if (!std::all_of(windows.begin() + 1, windows.end(), [&](const VersionWindow& w) { return w == windows[0]; }))
        return;
    entry = windows[0];
    freeMixed_.push_back(index);
}

std::uint64_t SectorVersions::bytesUsed() const
{
    return pages_.size() * sizeof(pages_[0]) + pagesUsed_ * sizeof(Groups) +
           groupsSplit_ * groupChunks * sizeof(VersionWindow) + pool_.size() * sizeof(Mixed);
}

} // namespace strobe::host
