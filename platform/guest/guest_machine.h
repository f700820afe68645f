#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Keeps a guest kernel and the simulation at one time. While the guest runs, no time passes and its messages are
// served (calendar, vhost-user, console); while it waits, the drive is simulated until the guest's next instant, or
// until an interrupt for it. The guest's instants are whole nanoseconds after its power-on, from which its clock
// counts; an interrupt reaches it at the next one.

#include "platform/guest/calendar.h"
#include "platform/guest/guest_console.h"
#include "platform/guest/guest_process.h"
#include "platform/guest/vhost_user.h"
#include "platform/guest/virt_pci.h"

#include <functional>
#include <string>

namespace strobe {
class Agenda;
}

namespace strobe::platform::guest {

class GuestMachine {
public:
    // Sockets on which the guest will find its calendar and its device. `powerOn`: now. REQUIRES: the directory is
    // private.
    GuestMachine(const std::string& directory, VhostUser& transport, VirtPci& bus, GuestConsole& console,
                 Agenda& agenda, Time powerOn);

    // Arguments for the kernel, so that it finds the sockets in its working directory.
    static std::vector<std::string> arguments();
    struct End {
        bool isPowerLost = false;
        std::string problem; // why the guest was ended otherwise; empty: it ended by itself
    };
    // Until the guest is gone, `stop` returns true or its power is lost, at the first of its instants that is not
    // before `powerLoss`. `check` is called after every slice of simulated time; the text that it returns is a problem
    // that ends the guest, unless it is empty.
    End run(GuestProcess& process, Time powerLoss, const std::function<bool()>& stop,
            const std::function<std::string()>& check);

private:
    void serveMessages(bool needsAcknowledgement);
    void takeOutput();
    void callGuest(std::uint32_t ring);
    void interruptGuest();
    bool simulate(); // false: nothing will ever happen
    void simulateUntil(Time end);
    std::uint64_t present() const;
    Time timeOf(std::uint64_t nanoseconds) const;
    Time nextInstant(Time at) const;

    ListeningSocket calendarSocket_;
    ListeningSocket deviceSocket_;
    VhostUser& transport_;
    VirtPci& bus_;
    GuestConsole& console_;
    Agenda& agenda_;
    Time powerOn_;
    Time powerLoss_ = never; // of run(), an instant of the guest
    Calendar calendar_;
    Connection calendarConnection_;
    Connection deviceConnection_;
    GuestProcess* process_ = nullptr;
    std::function<bool()> stop_; // of run()
    bool isGone_ = false;
};

} // namespace strobe::platform::guest
