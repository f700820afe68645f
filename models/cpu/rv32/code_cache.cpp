// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32/code_cache.h"

namespace strobe::rv32 {

void CodeCache::setHandlers(const void* decode, const void* nextPage)
{
    decode_ = decode;
    nextPage_ = nextPage;
    forgetAll();
}

CodePage& CodeCache::make(std::uint32_t pc)
{
    owned_.push_back(std::make_unique<CodePage>());
    CodePage& page = *owned_.back();
    page.base = pc & ~(pageBytes - 1);
    clear(page);
    pages_[pc >> pageBits] = &page;
    return page;
}

void CodeCache::forget(std::uint32_t first, std::uint32_t last)
{
    // A four-byte instruction may begin two bytes before, and the first of a pair with it another four.
    constexpr std::uint32_t before = 6;
    const std::uint64_t end = (std::uint64_t{last} | 1) + 1;
    for (std::uint64_t at = (first & ~1U) < before ? 0 : (first & ~1U) - before; at < end; at += 2) {
        CodePage* const found = page(static_cast<std::uint32_t>(at));
        if (found != nullptr)
            found->stepOf(static_cast<std::uint32_t>(at))->handler = decode_;
        else
            at = (at | (pageBytes - 1)) - 1; // continue in the next page
    }
}

void CodeCache::forgetAll()
{
    for (const auto& page : owned_)
        clear(*page);
}

void CodeCache::clear(CodePage& page) const
{
    for (Step& step : page.steps)
        step.handler = decode_;
    page.steps[stepsPerPage].handler = nextPage_;
    page.steps[stepsPerPage + 1].handler = nextPage_;
}

} // namespace strobe::rv32
