#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Page registers of one die: one per plane, and the cache register of a cache read. A register names the page that it
// holds; the contents stay in DieCells. Not modelled: column changes within a register.

#include "models/nand/geometry.h"
#include "models/nand/operation.h"

#include <cstdint>
#include <vector>

namespace strobe::nand {

class PageRegisters {
public:
    enum class State : std::uint8_t {
        Free,
        Loaded, // by a read
        Lost,   // by a read of dead flash: blank sectors
        Aborted // the read was cut short: blank sectors
    };

    explicit PageRegisters(const DieGeometry& geometry) : geometry_(geometry), registers_(geometry.planes) {}

    // The register of the page's plane.
    void load(PageAddress page) { of(page) = {State::Loaded, page}; }
    void lose(PageAddress page) { of(page) = {State::Lost, page}; }
    void abort(PageAddress page) { of(page) = {State::Aborted, page}; }
    void free(PageAddress page) { of(page).state = State::Free; }
    // By a read that has ended, whatever it found: a cache read may follow.
    bool isLoaded(PageAddress page) const { return isHeld(of(page), page) && of(page).state != State::Aborted; }
    // Cache read: what the plane's register holds moves on to the cache register.
    void moveToCache(PageAddress page) { cache_ = of(page); }

    void freePlanes() // all but the cache register
    {
        for (Register& r : registers_)
            r.state = State::Free;
    }
    void freeAll()
    {
        freePlanes();
        cache_.state = State::Free;
    }
    // Of the register that holds the page, its plane's or the cache register; Free if none does.
    State stateOf(PageAddress page) const
    {
        const Register& own = of(page);
        if (isHeld(own, page))
            return own.state;
        return isHeld(cache_, page) ? cache_.state : State::Free;
    }

private:
    struct Register {
        State state = State::Free;
        PageAddress page;
    };

    static bool isHeld(const Register& r, PageAddress page) { return r.state != State::Free && r.page == page; }
    Register& of(PageAddress page) { return registers_[geometry_.planeOf(page.block)]; }
    const Register& of(PageAddress page) const { return registers_[geometry_.planeOf(page.block)]; }

    const DieGeometry& geometry_;
    std::vector<Register> registers_; // by plane
    Register cache_;
};

} // namespace strobe::nand
