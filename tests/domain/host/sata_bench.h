#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The bench around a SATA link, with the frames that went over it.

#include "models/host/sata_link.h"
#include "tests/domain/host/link_bench.h"

namespace strobe::test {

struct SataBench : LinkBench<host::SataLink, host::SataConfig> {
    std::vector<host::FrameRecord> frames; // after start-up

    SataBench(const host::SataConfig& sata, const FakeSsd::Config& drive, std::vector<PhaseScript> phases)
        : LinkBench(sata, drive, std::move(phases))
    {
        link.observe([this](const host::FrameRecord& frame) {
            if (driver.isReady())
                frames.push_back(frame);
        });
    }

    // The frames as codes and senders: "27> <34 …", > to the drive.
    std::string sequence() const
    {
        std::string text;
        for (const host::FrameRecord& frame : frames) {
            static constexpr char digits[] = "0123456789ABCDEF";
            const std::uint8_t code = host::fisInfo(frame.type).code;
            text += text.empty() ? "" : " ";
            text += frame.toHost ? "<" : "";
            text += digits[code >> 4];
            text += digits[code & 15];
            text += frame.toHost ? "" : ">";
        }
        return text;
    }
};

} // namespace strobe::test
