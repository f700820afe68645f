// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/code_cache.h"

namespace strobe::rv32 {

void CodeCache::setHandlers(const void* decode, const void* nextPage)
{
    decode_ = decode;
    nextPage_ = nextPage;
    forgetAll();
}

void CodeCache::setEntry(const void* entry)
{
    entry_ = entry;
    for (const auto& page : owned_)
        page->entries.fill(entry);
    forgetBlocks();
}

CodePage& CodeCache::make(std::uint32_t pc)
{
    owned_.push_back(std::make_unique<CodePage>());
    CodePage& page = *owned_.back();
    page.base = pc & ~(pageBytes - 1);
    clear(page);
    page.entries.fill(entry_);
    pages_[pc >> pageBits] = &page;
    return page;
}

void CodeCache::forget(std::uint32_t first, std::uint32_t last)
{
    constexpr std::uint32_t before = 2; // a four-byte instruction may begin there
    const std::uint64_t end = (std::uint64_t{last} | 1) + 1;
    for (std::uint64_t at = (first & ~1U) < before ? 0 : (first & ~1U) - before; at < end; at += 2) {
        CodePage* const found = page(static_cast<std::uint32_t>(at));
        if (found == nullptr) {
            at = (at | (pageBytes - 1)) - 1; // continue in the next page
            continue;
        }
        Step& step = *found->stepOf(static_cast<std::uint32_t>(at));
        step.handler = decode_;
        if (found->covered[found->indexOf(step)])
            clearBlocks(*found);
    }
}

void CodeCache::forgetAll()
{
    for (const auto& page : owned_)
        clear(*page);
}

void CodeCache::forgetBlocks()
{
    for (const auto& page : owned_)
        clearBlocks(*page);
}

void CodeCache::clearBlocks(CodePage& page) const
{
    if (page.hasBlocks)
        page.entries.fill(entry_);
    page.arrivals.fill(0);
    page.covered.reset();
    page.hasBlocks = false;
}

void CodeCache::clear(CodePage& page) const
{
    clearBlocks(page);
    for (Step& step : page.steps)
        step.handler = decode_;
    page.steps[stepsPerPage].handler = nextPage_;
    page.steps[stepsPerPage + 1].handler = nextPage_;
}

} // namespace strobe::rv32
