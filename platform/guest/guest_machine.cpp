// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/guest_machine.h"

#include "models/tlm/agenda.h"
#include "models/tlm/sanitizer_stack.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>

namespace strobe::platform::guest {

namespace {

constexpr std::int64_t picosecondsPerNanosecond = 1000;
// 1 January 2024: the guest's date does not depend on the day of the run.
constexpr std::uint64_t epoch = 1'704'067'200ULL * 1'000'000'000ULL;
constexpr Time slice = std::chrono::milliseconds(20); // of simulated time, between looks at the console and the user
const std::string calendarName = "calendar";
const std::string deviceName = "device";
constexpr int pollInterval = 200; // milliseconds

} // namespace

GuestMachine::GuestMachine(const std::string& directory, VhostUser& transport, VirtPci& bus, GuestConsole& console,
                           Agenda& agenda, Time powerOn)
    : calendarSocket_(directory + "/" + calendarName), deviceSocket_(directory + "/" + deviceName),
      transport_(transport), bus_(bus), console_(console), agenda_(agenda), powerOn_(powerOn),
      calendar_(epoch + static_cast<std::uint64_t>(powerOn.count() / picosecondsPerNanosecond))
{
    transport_.onKick([this](std::uint32_t ring) {
        if (ring == VirtPci::accesses)
            bus_.serveAccesses();
    });
}

std::vector<std::string> GuestMachine::arguments()
{
    return {"virtio_uml.device=" + deviceName + ":1234", "time-travel=ext:" + calendarName};
}

GuestMachine::End GuestMachine::run(GuestProcess& process, Time powerLoss, const std::function<bool()>& stop,
                                    const std::function<std::string()>& check)
{
    process_ = &process;
    powerLoss_ = powerLoss == never ? never : nextInstant(powerLoss);
    stop_ = stop;
    End end;
    std::string& reason = end.problem;
    try {
        while (!isGone_) {
            if (stop()) {
                reason = "stopped by the user";
                break;
            }
            if (!calendar_.isWaiting()) {
                serveMessages(false);
                continue;
            }
            takeOutput();
            if (now() >= powerLoss_) {
                end.isPowerLost = !isGone_;
                break;
            }
            if (!simulate()) {
                reason = "the guest sleeps, and the drive has nothing to do that could wake it";
                break;
            }
            bus_.rethrowError();
            reason = check();
            if (!reason.empty())
                break;
        }
    } catch (const ProtocolError& error) {
        reason = error.what();
    } catch (const RingError& error) {
        reason = std::string("virt-pci: ") + error.what();
    }
    if (!isGone_)
        process.end();
    takeOutput();
    console_.end(now());
    return end;
}

// --- instants --------------------------------------------------------------------------------------------------------

// REQUIRES: simulated time is at one of the guest's instants.
std::uint64_t GuestMachine::present() const
{
    const auto since = (now() - powerOn_).count();
    check(since % picosecondsPerNanosecond == 0, "a guest's instant is a whole nanosecond");
    return static_cast<std::uint64_t>(since / picosecondsPerNanosecond);
}

Time GuestMachine::timeOf(std::uint64_t nanoseconds) const
{
    const auto most = static_cast<std::uint64_t>((never - powerOn_).count() / picosecondsPerNanosecond);
    return nanoseconds >= most ? never
                               : powerOn_ + Time{static_cast<std::int64_t>(nanoseconds) * picosecondsPerNanosecond};
}

// Not before `at`.
Time GuestMachine::nextInstant(Time at) const
{
    const auto since = (at - powerOn_).count();
    return powerOn_ +
           Time{(since + picosecondsPerNanosecond - 1) / picosecondsPerNanosecond * picosecondsPerNanosecond};
}

// --- messages --------------------------------------------------------------------------------------------------------

void GuestMachine::takeOutput()
{
    if (const auto text = process_->takeOutput())
        console_.take(*text, now());
    else
        isGone_ = true;
}

// Waits for a message, or the user for a while; if the guest must acknowledge a call, until it has or the user ends the
// run.
void GuestMachine::serveMessages(bool needsAcknowledgement)
{
    for (bool isDone = false; !isDone && !isGone_ && !stop_();) {
        std::array<pollfd, 4> sources{
            {{process_->console(), POLLIN, 0},
             {calendarConnection_.isOpen() ? calendarConnection_.descriptor() : calendarSocket_.descriptor(), POLLIN,
              0},
             {deviceConnection_.isOpen() ? deviceConnection_.descriptor() : deviceSocket_.descriptor(), POLLIN, 0},
             {needsAcknowledgement ? transport_.callDescriptor() : -1, POLLIN, 0}}};
        const int ready = ::poll(sources.data(), sources.size(), pollInterval);
        isDone = !needsAcknowledgement;
        if (ready <= 0)
            continue;
        if (sources[0].revents != 0)
            takeOutput();
        if (sources[1].revents != 0) {
            if (!calendarConnection_.isOpen())
                calendarConnection_ = calendarSocket_.accept("calendar");
            else if (!calendar_.serve(calendarConnection_, present()))
                isGone_ = true;
        }
        if (sources[2].revents != 0) {
            if (!deviceConnection_.isOpen())
                deviceConnection_ = deviceSocket_.accept("vhost-user");
            else if (!transport_.serve(deviceConnection_))
                isGone_ = true;
        }
        if (sources[3].revents != 0) {
            isGone_ = isGone_ || !transport_.takeAcknowledgement();
            isDone = true;
        }
    }
}

void GuestMachine::callGuest(std::uint32_t ring)
{
    transport_.call(ring);
    serveMessages(true);
}

// REQUIRES: the guest waits.
void GuestMachine::interruptGuest()
{
    if (!transport_.canCall())
        return;
    if (bus_.hasManyUsed()) {
        bus_.forgetUsed();
        callGuest(VirtPci::accesses);
    }
    if (!isGone_ && bus_.hasInterrupts() && bus_.putInterrupts())
        callGuest(VirtPci::interrupts);
}

// --- simulated time --------------------------------------------------------------------------------------------------

bool GuestMachine::simulate()
{
    interruptGuest();
    if (isGone_)
        return true;
    const auto wanted = calendar_.wanted();
    if (wanted == present()) {
        calendar_.run(calendarConnection_, *wanted);
        return true;
    }
    const Time end = std::min(wanted ? timeOf(*wanted) : never, powerLoss_);
    if (end == never && !sc_core::sc_pending_activity())
        return false;
    simulateUntil(end - now() > slice ? now() + slice : end);
    return true;
}

// Or until the agenda is paused, and on to a whole nanosecond.
void GuestMachine::simulateUntil(Time end)
{
    do {
        agenda_.runAheadUntil(end);
        sc_core::sc_start(toSc(end - now()));
        restoreSanitizerStack();
        end = nextInstant(now());
    } while (now() < end);
}

} // namespace strobe::platform::guest
