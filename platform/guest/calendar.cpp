// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/calendar.h"

#include "models/base/check.h"
#include "models/base/time.h"

#include <string>

namespace strobe::platform::guest {

namespace {

enum Operation : std::uint32_t {
    acknowledge = 0,
    start = 1,
    request = 2,
    wait = 3,
    getTime = 4,
    updateTime = 5,
    runNow = 6,
    getTimeOfDay = 8
};

constexpr std::uint64_t forEver = INT64_MAX;                                       // what an idle kernel asks for
constexpr std::uint64_t latest = static_cast<std::uint64_t>(never.count()) / 1000; // simulated time has picoseconds

} // namespace

bool Calendar::serve(Connection& connection, std::uint64_t now)
{
    Message message;
    if (!connection.read(&message, sizeof message))
        return false;
    if (message.operation == acknowledge) {
        if (!isRunUnanswered_ || message.sequence != sequence_)
            connection.refuse("an acknowledgement without a request");
        isRunUnanswered_ = false;
        return true;
    }
    if ((message.operation == start) == isStarted_)
        connection.refuse(isStarted_ ? "a second start" : "the first message must be start");
    Message answer{acknowledge, message.sequence, 0};
    switch (message.operation) {
    case start: isStarted_ = true; break;
    case request:
        if (message.time < now)
            connection.refuse("the guest asks to run in the past");
        if (message.time > latest && message.time < forEver)
            connection.refuse("the guest asks to run after the end of simulated time");
        wanted_.reset();
        if (message.time < forEver)
            wanted_ = message.time;
        break;
    case wait:
        if (isWaiting_)
            connection.refuse("the guest waits already");
        isWaiting_ = true;
        break;
    case getTime: answer.time = now; break;
    case updateTime:
        if (message.time != now)
            connection.refuse("the guest's clock differs from the simulation's");
        break;
    case getTimeOfDay: answer.time = epoch_ + now; break;
    default: connection.refuse("operation " + std::to_string(message.operation) + " is unknown");
    }
    connection.write(&answer, sizeof answer);
    return true;
}

void Calendar::run(Connection& connection, std::uint64_t now)
{
    check(isWaiting_ && wanted_ == now, "a guest runs only at the instant for which it has asked");
    isWaiting_ = false;
    isRunUnanswered_ = true;
    const Message message{runNow, ++sequence_, now};
    connection.write(&message, sizeof message);
}

} // namespace strobe::platform::guest
