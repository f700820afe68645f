// SPDX-License-Identifier: Apache-2.0
//
// An NVMe controller under a hostile host: commands on the admin queue and on one I/O queue, registers, PRP lists,
// configuration space. Input: actions. After it, a reset must bring the controller back to an Identify that succeeds.
#include "tests/fuzz/pci_host.h"
#include "tests/fuzz/target.h"

using namespace strobe;
using namespace strobe::fuzz;

namespace {

constexpr std::uint64_t controllerConfiguration = 0x14;
constexpr std::uint64_t controllerStatus = 0x1C;
constexpr std::uint64_t adminQueueSizes = 0x24;
constexpr std::uint64_t adminSubmission = 0x28;
constexpr std::uint64_t adminCompletion = 0x30;
constexpr std::uint64_t doorbells = 0x1000;
constexpr std::uint64_t enabled = 6U << 16U | 4U << 20U | 1U; // entries of 64 and 16 bytes
constexpr std::uint32_t entries = 16;                         // of each queue
constexpr std::uint64_t queueBytes = 0x1000;

struct Command {
    std::uint8_t opcode = 0;
    std::uint8_t flags = 0;
    std::uint16_t identifier = 0;
    std::uint32_t nsid = 0;
    std::uint32_t words2[2] = {}; // NOLINT(modernize-avoid-c-arrays): as in memory
    std::uint64_t metadata = 0;
    std::uint64_t prp1 = 0;
    std::uint64_t prp2 = 0;
    std::uint32_t words10[6] = {}; // NOLINT(modernize-avoid-c-arrays): as in memory
};
static_assert(sizeof(Command) == 64);

class NvmeHost {
public:
    explicit NvmeHost(const platform::Scenario& scenario) : pci_(scenario, 0) {}

    void start()
    {
        pci_.write(controllerConfiguration, 0);
        require(pci_.waitFor([this] { return (pci_.read(controllerStatus) & 1U) == 0; }), "a reset does not end");
        pci_.clear(PciHost::queues, 4 * queueBytes);
        pci_.write(adminQueueSizes, (entries - 1) << 16U | (entries - 1));
        pci_.write(adminSubmission, submission(0), 8);
        pci_.write(adminCompletion, completion(0), 8);
        queues_[0] = queues_[1] = {};
        pci_.write(controllerConfiguration, enabled);
        require(pci_.waitFor([this] { return (pci_.read(controllerStatus) & 1U) == 1; }),
                "the controller is not ready");
    }
    void addQueue()
    {
        constexpr std::uint8_t createCompletion = 0x05;
        constexpr std::uint8_t createSubmission = 0x01;
        Command command;
        command.words10[0] = (entries - 1) << 16U | 1U;
        command.words10[1] = 1;
        command.opcode = createCompletion;
        command.prp1 = completion(1);
        submit(0, command);
        command.opcode = createSubmission;
        command.prp1 = submission(1);
        command.words10[1] = 1U << 16U | 1U;
        submit(0, command);
    }
    void identify()
    {
        Command command;
        command.opcode = 0x06;
        command.prp1 = PciHost::data;
        command.words10[0] = 1;
        require(submit(0, command) && pci_.waitFor([this] { return take(0) == 0; }), "Identify has no success");
    }

    void act(Values& input)
    {
        const unsigned what = input.byte();
        if (what % 4 == 3)
            pci_.actOnMachine(input);
        else
            submit(what >> 2U & 1U, commandOf(input, (what >> 2U & 1U) != 0));
        if ((what & 0x40U) == 0) {
            pci_.step(200);
            while (take(0) != none || take(1) != none) {
            }
        }
    }
    PciHost& pci() { return pci_; }

private:
    static constexpr int none = -1;
    struct Queue {
        std::uint32_t tail = 0;
        std::uint32_t head = 0;
        unsigned phase = 1;
    };
    static std::uint64_t submission(unsigned queue) { return PciHost::queues + queue * 2 * queueBytes; }
    static std::uint64_t completion(unsigned queue) { return submission(queue) + queueBytes; }

    static Command commandOf(Values& input, bool isInputOutput)
    {
        Command command;
        command.opcode = static_cast<std::uint8_t>(
            isInputOutput ? input.usualOr({0x00, 0x01, 0x02, 0x04, 0x05, 0x08, 0x09, 0x0C, 0x0D, 0x11, 0x15, 0x19}, 1)
                          : input.usualOr({0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0A, 0x0C, 0x0D,
                                           0x10, 0x11, 0x14, 0x15, 0x18, 0x80, 0x81, 0x82, 0x84, 0x86},
                                          1));
        command.flags = static_cast<std::uint8_t>(input.usualOr({0, 0, 0}, 1));
        command.identifier = input.byte();
        command.nsid = static_cast<std::uint32_t>(input.usualOr({1, 1, 0, 2, 0xFFFF'FFFF, 0xFFFF'FFFE}, 4));
        command.metadata = input.usualOr({0, 0}, 8);
        command.prp1 = PciHost::address(input);
        command.prp2 = PciHost::address(input);
        for (std::uint32_t& word : command.words10)
            word = static_cast<std::uint32_t>(input.usualOr({0, 1, 7, 0xFFFF, 0xFFFF'FFFF, input.byte()}, 4));
        return command;
    }
    // True: it is in the queue. The doorbell's value is right as long as the host's view of the queue is.
    bool submit(unsigned queue, const Command& command)
    {
        Queue& its = queues_[queue];
        pci_.store(submission(queue) + its.tail * sizeof command, &command, sizeof command);
        its.tail = (its.tail + 1) % entries;
        pci_.write(doorbells + queue * 8, its.tail);
        pci_.step(100);
        return true;
    }
    // The status of the next completion; -1: there is none.
    int take(unsigned queue)
    {
        constexpr std::uint32_t entryBytes = 16;
        constexpr std::uint32_t statusAt = 14;
        Queue& its = queues_[queue];
        const std::uint64_t status = pci_.load(completion(queue) + its.head * entryBytes + statusAt, 2);
        if ((status & 1U) != its.phase)
            return none;
        its.head = (its.head + 1) % entries;
        its.phase ^= its.head == 0 ? 1U : 0U;
        pci_.write(doorbells + queue * 8 + 4, its.head);
        return static_cast<int>(status >> 1U & 0x7FFU);
    }

    PciHost pci_;
    Queue queues_[2]; // NOLINT(modernize-avoid-c-arrays): the admin queue and one more
};

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const platform::Scenario scenario = loadDrive("nvme");
    Values input(data, size);
    NvmeHost host(scenario);
    if (input.byte() != 0xFF) { // otherwise a controller that was never enabled
        host.start();
        host.addQueue();
    }
    constexpr int mostActions = 200;
    for (int i = 0; i < mostActions && !input.isOver(); ++i)
        host.act(input);
    host.pci().placeBar();
    host.start();
    host.identify();
    return 0;
}
