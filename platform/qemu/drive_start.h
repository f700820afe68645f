#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The drive before QEMU's machine has it: simulated until it is ready, and until an image is on it. Finds firmware that
// serves no more (platform/assembly/stall_watch.h).
//
// Errors: ConfigError for an image that the drive cannot hold; cpu::FirmwareFault or InternalError for firmware that
// ends or stalls.

#include "platform/assembly/stall_watch.h"
#include "platform/config/scenario.h"
#include "platform/guest/guest_drive.h"

#include <functional>
#include <string>

namespace strobe::platform::qemu {

class ImageWriter;

class DriveStart {
public:
    // `isNew`: it has nothing to recover. All must outlive it. `stop`: the user ends the run.
    DriveStart(guest::GuestDrive& drive, const Scenario& scenario, bool isNew, const std::function<bool()>& stop);

    bool waitUntilReady();                      // false: stopped
    std::string write(const std::string& path); // empty: the image is on the drive; else why not

private:
    template <class Condition>
    bool simulateWhile(Condition condition, const ImageWriter* writer);
    void lookForStall(const ImageWriter* writer);
    [[noreturn]] void endStalled(const ImageWriter* writer, Time at, const std::string& reason);
    bool isReady() const { return drive_.meter().readyAt() != never; }

    guest::GuestDrive& drive_;
    const Scenario& scenario_;
    const std::function<bool()>& stop_;
    StallWatch watch_;
};

} // namespace strobe::platform::qemu
