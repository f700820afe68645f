#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Requests, array work and responses of one die on an otherwise idle bus, one after the other, beginning at zero: the
// timing of a series of commands according to the die's rules (models/nand/die.h) and the interface's waits. Pages
// overlap where the cache register allows it: the array works while the bus is in use.
// Not modelled: any other die on the bus.

#include "models/pins/pin_twin.h"

#include <optional>

namespace strobe::pins {

inline nand::Operation inForm(nand::Form form, nand::Operation op)
{
    op.form = form;
    return op;
}

class Replay {
public:
    // `bytes` replaces the amount of each run of page data. `twin` must outlive it.
    explicit Replay(const PinTwin& twin, std::optional<std::uint32_t> bytes = {});

    // Request and R/B# low, until the controller may continue.
    void ask(const nand::Operation& op);
    void answer(const nand::Operation& op); // response
    void endCacheRead();                    // 3Fh, R/B# low
    // The request of a program or erase, and the suspend command when the array has worked for `after`.
    // REQUIRES: the array takes longer than that and the command together; nothing is suspended.
    void askAndSuspend(const nand::Operation& op, Time after);
    void resume(const nand::Operation& op); // REQUIRES: it is suspended

    Waveform finish();

private:
    struct Work { // of the array
        const char* label = "";
        Time duration{};
    };
    Work cellsOf(const nand::Operation& op) const;
    Work busyOf(const nand::Operation& op) const;

    void request(const nand::Operation& op);
    void pass(const char* label, Time duration);
    void pass(const Work& work) { pass(work.label, work.duration); }
    void finishBackgroundWork();
    void lookAgain(const nand::Operation& op);

    const PinTwin& twin_;
    std::optional<std::uint32_t> bytes_;
    Waveform waveform_;
    Time at_{};
    Time asked_{};     // end of the last request
    Time arrayFree_{}; // later than `at_` with the cache register in use
    Work arrayWork_;   // work of the array until then
    Work suspended_;   // remaining time of the suspended operation
};

// A whole operation on an idle bus, beginning at zero.
Waveform replayOf(const PinTwin& twin, const nand::Operation& op, std::optional<std::uint32_t> bytes = {});

} // namespace strobe::pins
