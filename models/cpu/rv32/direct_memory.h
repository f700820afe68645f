#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Which addresses of a hart are host memory: a table by page for loads and one for stores, which threaded code looks up
// inline, and a list of regions for parts of pages. A page may be kept out of a table (code
// that stores must invalidate, watchpoints) without leaving its region.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace strobe::rv32 {

inline constexpr unsigned pageBits = 12;
inline constexpr std::uint32_t pageBytes = 1U << pageBits;
inline constexpr std::uint32_t pageCount = 1U << (32 - pageBits);

// One entry per page of the address space, all zero at first; host memory follows what is touched.
template <class Entry>
class PageTable {
public:
    // NOLINTNEXTLINE(bugprone-sizeof-expression): entries may be pointers
    PageTable() : entries_(static_cast<Entry*>(std::calloc(pageCount, sizeof(Entry)))) {}
    Entry& operator[](std::uint32_t page) { return entries_.get()[page]; }
    const Entry& operator[](std::uint32_t page) const { return entries_.get()[page]; }
    Entry* data() const { return entries_.get(); }

private:
    struct Free {
        void operator()(Entry* entries) const { std::free(entries); }
    };
    std::unique_ptr<Entry, Free> entries_;
};

struct DirectRegion {
    std::uint32_t first = 0;
    std::uint32_t last = 0;        // inclusive
    std::uint8_t* bytes = nullptr; // of `first`
    bool isReadable = true;
    bool isWritable = true;

    bool covers(std::uint32_t address, unsigned count) const
    {
        return address >= first && std::uint64_t{address} + count <= std::uint64_t{last} + 1;
    }
};

// A part of a page that is not in the table of stores.
struct StoreWindow {
    std::uint32_t first = 0;
    std::uint32_t bytes = 0; // 0: none; it ends where the page ends
    std::uintptr_t bias = 0; // host address = bias + address
};

class DirectMemory {
public:
    void add(const DirectRegion& region) { regions_.insert(regions_.begin(), region); }
    std::vector<DirectRegion> remove(std::uint32_t first, std::uint32_t last); // those that touch the range

    // Host memory of the range, or null.
    std::uint8_t* find(std::uint32_t address, unsigned count, bool isStore) const;

    // Recomputes both table entries of a page.
    void refresh(std::uint32_t page, bool mayLoad, bool mayStore);
    // From now on threaded code stores directly to the page from `first` to its end, though the table does not serve
    // it.
    void openWindow(std::uint32_t first);
    void closeWindow() { window_ = {}; }
    const StoreWindow& window() const { return window_; }

    // host address = entry + address; 0: not reachable by the table
    const std::uintptr_t* loadTable() const { return loads_.data(); }
    const std::uintptr_t* storeTable() const { return stores_.data(); }
    const std::vector<DirectRegion>& regions() const { return regions_; }

private:
    std::uintptr_t entry(std::uint32_t start, bool isStore) const; // of a page

    std::vector<DirectRegion> regions_;
    StoreWindow window_;
    PageTable<std::uintptr_t> loads_;
    PageTable<std::uintptr_t> stores_;
};

} // namespace strobe::rv32
