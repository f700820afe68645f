// SPDX-License-Identifier: Apache-2.0
#include "platform/serve/pci_machine.h"

#include "models/base/check.h"
#include "models/cpu/firmware_fault.h"
#include "models/tlm/time_bridge.h"
#include "platform/assembly/simulation_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace strobe::platform::serve {

namespace {

constexpr std::uint64_t addressPort = 0xCF8;
constexpr std::uint64_t dataPort = 0xCFC;
constexpr std::uint32_t portBytes = 4;     // of each of the two
constexpr std::int64_t picoseconds = 1000; // of a nanosecond

std::uint64_t allOnes(std::uint32_t bytes)
{
    constexpr std::uint32_t wide = 8;
    return bytes == wide ? ~std::uint64_t{0} : (std::uint64_t{1} << 8U * bytes) - 1;
}

} // namespace

PciMachine::PciMachine(const Scenario& scenario)
    : lasting_(scenario), drive_(scenario, lasting_, memory_, Time{}), bars_(drive_.port())
{
    addMemory();
    drive_.port().onInterrupt(
        [this](std::uint64_t address, std::uint32_t data) { memory_.write(address, &data, sizeof data); });
    drive_.beginPhase("served", false, Time{});
}

void PciMachine::addMemory()
{
    const guest::FileDescriptor file(::memfd_create("memory", MFD_CLOEXEC));
    check(file.isOpen() && ::ftruncate(file.get(), static_cast<off_t>(memoryBytes)) == 0 &&
              memory_.add(0, memoryBytes, file, 0),
          "there is no memory for the machine");
}

std::string PciMachine::execute(const QtestCommand& command)
{
    using Kind = QtestCommand::Kind;
    switch (command.kind) {
    case Kind::Read: return fmt::format("OK {:#018x}", read(command.address, command.bytes));
    case Kind::Write: write(command.address, command.bytes, command.value); break;
    case Kind::In: return fmt::format("OK {:#06x}", readPort(command.address, command.bytes));
    case Kind::Out: writePort(command.address, command.bytes, static_cast<std::uint32_t>(command.value)); break;
    case Kind::ReadBytes: return "OK 0x" + readBytes(command.address, command.bytes);
    case Kind::WriteBytes:
        memory_.write(command.address, command.data.data(), static_cast<std::uint32_t>(command.data.size()));
        break;
    case Kind::StepClock:
        simulateUntil(now() + Time{static_cast<std::int64_t>(command.value) * picoseconds});
        return fmt::format("OK {}", now().count() / picoseconds);
    }
    return "OK";
}

// --- memory and BARs -------------------------------------------------------------------------------------------------

std::uint64_t PciMachine::read(std::uint64_t address, std::uint32_t bytes)
{
    std::uint64_t value = allOnes(bytes);
    if (const std::byte* const data = memory_.at(address, bytes)) {
        value = 0;
        std::memcpy(&value, data, bytes);
        return value;
    }
    const auto place = bars_.find(address, bytes);
    if (!place)
        return value;
    std::optional<std::uint64_t> answer;
    drive_.port().read(place->bar, place->offset, bytes, [this, &answer](std::uint64_t answered) {
        answer = answered;
        drive_.agenda().pause();
    });
    while (!answer)
        simulateUntil(now() + std::chrono::milliseconds(1));
    return *answer & value;
}

void PciMachine::write(std::uint64_t address, std::uint32_t bytes, std::uint64_t value)
{
    if (std::byte* const data = memory_.at(address, bytes))
        std::memcpy(data, &value, bytes);
    else if (const auto place = bars_.find(address, bytes))
        drive_.port().write(place->bar, place->offset, bytes, value);
}

std::string PciMachine::readBytes(std::uint64_t address, std::uint32_t bytes)
{
    std::vector<std::byte> data(bytes, std::byte{0xFF});
    memory_.read(address, data.data(), bytes);
    std::string text;
    text.reserve(std::size_t{2} * bytes);
    for (const std::byte each : data)
        fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<unsigned>(each));
    return text;
}

// --- configuration space ---------------------------------------------------------------------------------------------

bool PciMachine::isSelected(std::uint64_t port) const
{
    constexpr std::uint32_t enable = 0x8000'0000;
    constexpr std::uint32_t target = 0x7FFF'FF00; // bus, device and function, and what must be zero
    return port >= dataPort && port < dataPort + portBytes && (selected_ & enable) != 0 &&
           (selected_ & target) == device << 11U;
}

std::uint32_t PciMachine::readPort(std::uint64_t port, std::uint32_t bytes)
{
    if (port == addressPort && bytes == portBytes)
        return selected_;
    const auto ones = static_cast<std::uint32_t>(allOnes(bytes));
    if (!isSelected(port))
        return ones;
    const std::uint32_t offset = (selected_ & 0xFCU) + static_cast<std::uint32_t>(port - dataPort);
    return drive_.port().readConfig(offset, bytes) & ones;
}

void PciMachine::writePort(std::uint64_t port, std::uint32_t bytes, std::uint32_t value)
{
    if (port == addressPort && bytes == portBytes)
        selected_ = value;
    else if (isSelected(port))
        drive_.port().writeConfig((selected_ & 0xFCU) + static_cast<std::uint32_t>(port - dataPort), bytes, value);
}

// --- simulated time --------------------------------------------------------------------------------------------------

// Or until the agenda is paused.
void PciMachine::simulateUntil(Time end)
{
    if (end > mostTime)
        throw QtestError(fmt::format("simulated time ends at {} ns; it is {} ns now", mostTime.count() / picoseconds,
                                     now().count() / picoseconds));
    if (end <= now())
        return;
    if (simulateStep(drive_.ssd(), drive_.agenda(), end - now()) == StepEnd::FirmwareEnded)
        throw cpu::FirmwareFault(fmt::format("firmware has ended at {}; the drive does not respond", toText(now())));
}

} // namespace strobe::platform::serve
