#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// What each sector of the drive may contain, as a window of write versions. Sparse: a page of 2 MiB is allocated where
// something was written. One window of 16 bytes covers a group of 128 KiB as long as it is written as a whole; then one
// covers eight sectors (4 KiB) as long as they agree; chunks whose sectors differ keep eight windows in a pool until
// they agree again. 16 Mi sectors written in aligned 4 KiB: 34 MiB; in aligned 128 KiB: 1.1 MiB.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace strobe {
class ByteReader;
class ByteWriter;
} // namespace strobe

namespace strobe::host {

// Versions count from 1 in the order of issue; 0 is the state before the first write, which reads as zero.
struct VersionWindow {
    std::uint32_t floor = 0;  // older versions are definitely overwritten
    std::uint32_t newest = 0; // issued so far, unless it is known to be lost
    std::uint32_t zero = 0;   // the newest version that means zeros (trim; 0: before the first write)
    std::uint32_t last = 0;   // assigned: versions lost in a power loss are not used again

    bool mayBeZero() const { return zero >= floor; }
    bool mayBe(std::uint32_t version) const { return version >= floor && version <= newest && version != zero; }
    bool operator==(const VersionWindow& other) const
    {
        return floor == other.floor && newest == other.newest && zero == other.zero && last == other.last;
    }
};

class SectorVersions {
public:
    static constexpr std::uint32_t chunkSectors = 8;

    explicit SectorVersions(std::uint64_t sectors);

    // Sectors [from, to) of a chunk: 0 <= from < to <= 8.
    struct Part {
        std::uint64_t chunk;
        std::uint32_t from;
        std::uint32_t to;
        bool isWhole() const { return from == 0 && to == chunkSectors; }
    };

    bool isTouched(std::uint64_t chunk) const { return pages_[chunk / pageChunks].groups != nullptr; }
    // The chunk's one window; null if its sectors differ. Valid until the next change.
    const VersionWindow* uniform(std::uint64_t chunk) const;
    const VersionWindow& window(std::uint64_t chunk, std::uint32_t sector) const;

    // Gives the part a new newest version, one above all its previous versions, and returns it. Zeros: the version
    // reads as zero.
    std::uint32_t advance(const Part& part, bool isZeros);
    void raiseFloor(const Part& part, std::uint32_t floor); // where the floor is lower

    // The same for all parts of sectors [lba, lba + sectors): advance() appends the version of each part, raiseFloors()
    // takes them in this order. REQUIRES: raiseFloors() with what advance() gave for these sectors.
    void advance(std::uint64_t lba, std::uint64_t sectors, std::vector<std::uint32_t>& versions);
    void raiseFloors(std::uint64_t lba, std::uint64_t sectors, const std::uint32_t* versions);

    // After a power loss: the floor that is durable; and, once the sector has been read, the one version that it holds.
    void lowerFloor(std::uint64_t chunk, std::uint32_t sector, std::uint32_t floor);
    void setVersion(const Part& part, std::uint32_t version); // 0: zeros

    // All that differ from the state before the first write, into a file and back (docs/drive_images.md).
    // REQUIRES: restore() into versions that have not been changed.
    void save(ByteWriter& file) const;
    void restore(ByteReader& file); // throws DamagedBytes

    std::uint64_t bytesUsed() const;
    std::uint64_t chunks() const { return pages_.size() * std::uint64_t{pageChunks}; }

private:
    static constexpr std::uint32_t groupChunks = 32;
    static constexpr std::uint32_t groupSectors = groupChunks * chunkSectors;
    static constexpr std::uint32_t pageGroups = 16;
    static constexpr std::uint32_t pageChunks = groupChunks * pageGroups;
    static constexpr std::uint32_t mixed = 0xFFFFFFFF; // as floor: newest is an index into pool_
    using Groups = std::array<VersionWindow, pageGroups>;
    struct FreeChunks {
        void operator()(VersionWindow* chunks) const { std::allocator<VersionWindow>().deallocate(chunks, pageChunks); }
    };
    // A page is found through one cache line, and its chunk's window is in the next: random writes touch each of them
    // once in a long time.
    struct Page {
        std::unique_ptr<Groups> groups; // null: untouched. The window of each group that is not split
        std::unique_ptr<VersionWindow, FreeChunks> chunks; // those of groups that are; of others, not initialised
        std::uint32_t splitGroups = 0;                     // a bit per group

        bool isSplit(std::uint64_t chunk) const
        {
            return ((splitGroups >> (chunk % pageChunks / groupChunks)) & 1U) != 0;
        }
    };
    using Mixed = std::array<VersionWindow, chunkSectors>;

    Page& page(std::uint64_t chunk);
    VersionWindow& entry(std::uint64_t chunk);
    const VersionWindow& entryAt(std::uint64_t chunk) const; // REQUIRES: isTouched(chunk)
    void splitGroup(Page& page, std::uint64_t chunk);
    // The window of the group of which [lba, end) covers all sectors from lba on, if it has one; else null.
    VersionWindow* wholeGroup(std::uint64_t lba, std::uint64_t end);
    Mixed& split(VersionWindow& entry);
    void joinIfEqual(VersionWindow& entry);

    std::vector<Page> pages_;
    std::deque<Mixed> pool_;
    std::vector<std::uint32_t> freeMixed_;
    std::uint64_t pagesUsed_ = 0;
    std::uint64_t groupsSplit_ = 0;
};

// Calls visit(part) for each chunk that sectors [lba, lba + sectors) touch.
template <class Visit>
void forEachPart(std::uint64_t lba, std::uint64_t sectors, Visit&& visit)
{
    constexpr std::uint64_t size = SectorVersions::chunkSectors;
    const std::uint64_t end = lba + sectors;
    for (std::uint64_t at = lba; at < end;) {
        const std::uint64_t chunk = at / size;
        const std::uint64_t next = (chunk + 1) * size < end ? (chunk + 1) * size : end;
        visit(SectorVersions::Part{chunk, static_cast<std::uint32_t>(at - chunk * size),
                                   static_cast<std::uint32_t>(next - chunk * size)});
        at = next;
    }
}

} // namespace strobe::host
