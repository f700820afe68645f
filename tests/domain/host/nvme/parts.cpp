// SPDX-License-Identifier: Apache-2.0
#include "tests/domain/host/nvme/parts.h"

#include <vector>

namespace strobe::test {

void Parts::run()
{
    run([](const nvme::PciePort::Arrival&) {});
}

void Parts::fetchAdmin(std::uint32_t commands)
{
    const std::uint32_t tail = (queues.submissionQueue(0).tail + commands) % entries;
    queues.ring(0, tail);
    while (queues.nextAdmin()) {
    }
    for (std::uint32_t i = 0; i < commands; ++i)
        queues.arrived(0);
}

nvme::CompletionEntry Parts::completion(std::uint32_t index)
{
    nvme::CompletionEntry found;
    memory.read(cq + std::uint64_t{index} * 16, &found, 16);
    return found;
}

nvme::SubmissionEntry Parts::create(std::uint32_t id, std::uint32_t size, std::uint32_t dword11, std::uint64_t base)
{
    nvme::SubmissionEntry s;
    s.setQuad(6, base);
    s.dword[10] = (size - 1) << 16U | id;
    s.dword[11] = dword11;
    return s;
}

} // namespace strobe::test
