// SPDX-License-Identifier: Apache-2.0
//
// Messages of a guest kernel to its calendar. Input: the bytes of the connection.
#include "platform/guest/calendar.h"
#include "tests/fuzz/target.h"
#include "tests/modules/guest/guest_peer.h"

#include <algorithm>
#include <array>

using namespace strobe;
using namespace strobe::platform::guest;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t most = 4096; // less than the socket takes at once
    test::Pair pair("calendar", std::chrono::milliseconds(20));
    pair.sendBytes(data, std::min(size, most));
    ::shutdown(pair.peer.get(), SHUT_WR);
    Calendar calendar(1'704'067'200'000'000'000ULL);
    std::uint64_t now = 0;
    try {
        while (calendar.serve(pair.served, now)) {
            std::array<char, most> answers{};
            static_cast<void>(::recv(pair.peer.get(), answers.data(), answers.size(), MSG_DONTWAIT));
            if (calendar.isWaiting() && calendar.wanted()) { // time passes until the kernel has to run
                now = *calendar.wanted();
                calendar.run(pair.served, now);
            }
        }
    } catch (const ProtocolError&) {
    }
    return 0;
}
