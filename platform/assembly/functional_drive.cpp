// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/functional_drive.h"

#include "models/base/check.h"
#include "models/cpu/functional_hal_module.h"
#include "models/tlm/time_bridge.h"

#include <algorithm>
#include <cstring>

namespace strobe::platform {

namespace {

cpu::NativeCpuModule& nativeCpu(SsdModule& ssd)
{
    auto* native = dynamic_cast<cpu::NativeCpuModule*>(ssd.cpu.get());
    check(native != nullptr && !ssd.second, "functional preconditioning needs native firmware on one core");
    return *native;
}

controller::FunctionalFlash::Dies diesOf(SsdModule& ssd)
{
    controller::FunctionalFlash::Dies dies;
    for (const auto& die : ssd.dies)
        dies.push_back(die.get());
    return dies;
}

constexpr std::uint32_t bit(cpu::InterruptSource line)
{
    return std::uint32_t{1} << static_cast<unsigned>(line);
}

} // namespace

bool FunctionalDrive::isQuiet(SsdModule& ssd)
{
    host::HostInterface& block = ssd.hostInterface.block();
    block.catchUp(now());
    const auto isTaken = [](const memory::EventRing& ring) { return ring.producer() == ring.consumer(); };
    return ssd.cpu->isAsleep() && ssd.interrupts.active() == 0 && ssd.flash.controller().isIdle() &&
           block.nextTime() == never && isTaken(block.ring()) && isTaken(ssd.flash.controller().ring());
}

FunctionalDrive::FunctionalDrive(SsdModule& ssd, host::HostDriver& driver, host::HostDriverModule& host)
    : ssd_(ssd), driver_(driver), hostModule_(host), cpu_(nativeCpu(ssd)),
      buffer_(ssd.sdram.memory(), ssd.flash.controller().config().die.sectorsPerPage()),
      host_(ssd.hostInterface.block().position(now()), ssd.hostInterface.slots(), buffer_, driver, now(),
            [&ssd](const std::string& text) { ssd.noteHostFault(text, now()); }),
      flash_(ssd.flash.controller(), diesOf(ssd), buffer_, this, now()),
      dataMode_(ssd.flash.controller().config().dataMode), page_(buffer_.sectorsPerPage() * stride(dataMode_))
{
    hostModule_.switchTo(host_, true);
}

bool FunctionalDrive::run(std::chrono::milliseconds slice)
{
    if (isOver())
        return false;
    until_ = std::chrono::steady_clock::now() + slice;
    cpu_.runFunctional(*this);
    cpu_.rethrowFault();
    return !isOver();
}

void FunctionalDrive::end(host::PortModule& port)
{
    check(host_.outstanding() == 0, "a functional phase ends with commands outstanding");
    buffer_.writeOut();
    const auto lists = flash_.takeLists();
    ssd_.hostInterface.block().continueAfter(host_.events(), host_.feeder());
    ssd_.flash.continueAfter(flash_, lists);
    cpu_.leaveFunctional();
    hostModule_.switchTo(port, false);
}

// --- firmware's devices ----------------------------------------------------------------------------------------------

bool FunctionalDrive::read(std::uint32_t address, std::uint32_t& value)
{
    if (address - regs::flash::base < regs::flash::size)
        return flash_.readRegister(address - regs::flash::base, value);
    if (address - regs::host::base < regs::host::size)
        return host_.readRegister(address - regs::host::base, value);
    return false;
}

std::uint32_t FunctionalDrive::lines()
{
    return (host_.lineAsserted() ? bit(cpu::InterruptSource::Host) : 0) |
           (flash_.lineAsserted() ? bit(cpu::InterruptSource::Flash) : 0);
}

// One turn: what the host has issued arrives, and each flash unit executes a list.
std::uint32_t FunctionalDrive::sleep()
{
    constexpr std::uint32_t stepsBetweenLooks = 64;
    if (isOver() || (++steps_ % stepsBetweenLooks == 0 && std::chrono::steady_clock::now() >= until_))
        return 0;
    while (lines() == 0) {
        const bool hasPosted = host_.step();
        if (!flash_.step() && !hasPosted) {
            isStuck_ = true;
            return 0;
        }
    }
    return lines();
}

// --- strips without the data buffer
// ------------------------------------------------------------------------------------

// `piece`, of which `taken` sectors are taken: where the sectors of the page begin, and afterwards those of the next.
controller::StatusCode FunctionalDrive::storePage(const controller::FunctionalFlash::Page& page,
                                                  const hal_piece*& piece, std::uint32_t& taken)
{
    const std::uint32_t sectors = buffer_.sectorsPerPage();
    const Content contents{page_.data(), dataMode_};
    std::uint32_t done = 0;
    if (dataMode_ == DataMode::Tags && piece->sectors - taken >= sectors) {
        const SectorTag first = host_.takeRun(piece->command, piece->first + taken, sectors);
        if (first != 0) {
            taken += sectors;
            if (flash_.programAtOnce(page, first))
                return controller::StatusCode::Ok;
            makeTagRun(tagLba(first), tagVersion(first), sectors, page_.data());
            done = sectors;
        }
    }
    while (done != sectors) {
        if (taken == piece->sectors) {
            ++piece;
            taken = 0;
        }
        const std::uint32_t count = std::min(sectors - done, piece->sectors - taken);
        host_.takeSectors(piece->command, piece->first + taken, count, contents.at(done));
        taken += count;
        done += count;
    }
    return flash_.programAtOnce(page, contents);
}

// All pages are programmed, also if that fails: they share the program.
std::uint32_t FunctionalDrive::store(const hal_strip& strip)
{
    const std::uint32_t sectors = buffer_.sectorsPerPage();
    static_assert(sizeof(nand::Spare) == HAL_RECORD_WORDS * sizeof(std::uint32_t));
    const hal_piece* piece = strip.pieces;
    std::uint32_t taken = 0;
    const bool fails = flash_.isWornOut(DieId{static_cast<std::uint16_t>(strip.die)}, strip.block);
    records_.resize(strip.records_per_page);
    controller::StatusCode status = controller::StatusCode::Ok;
    for (std::uint32_t done = 0; done < strip.sectors; done += sectors) {
        const std::uint32_t number = done / sectors;
        std::memcpy(records_.data(), strip.records + number * strip.records_per_page * HAL_RECORD_WORDS,
                    records_.size() * sizeof(nand::Spare));
        const controller::FunctionalFlash::Page page{DieId{static_cast<std::uint16_t>(strip.die)},
                                                     {strip.block, strip.sector / sectors + number},
                                                     records_.data(),
                                                     strip.records_per_page == 1};
        const controller::StatusCode outcome = !flash_.isPage(page) ? controller::StatusCode::Illegal
                                               : fails              ? flash_.programAtOnce(page, Content{})
                                                                    : storePage(page, piece, taken);
        if (status == controller::StatusCode::Ok)
            status = outcome;
    }
    return static_cast<std::uint32_t>(status);
}

// --- the splitter's host ---------------------------------------------------------------------------------------------

bool FunctionalDrive::deliver(const controller::HostRun& run, Time)
{
    return host_.deliver({run.slot, run.first, run.sectors, run.completes, run.content, 0});
}

void FunctionalDrive::handBack(std::uint16_t, Time)
{
    checkFailed("a read of the synthesizer in a functional phase", __FILE__, __LINE__);
}

void FunctionalDrive::fail(std::uint16_t, Time)
{
    checkFailed("a read of the synthesizer in a functional phase", __FILE__, __LINE__);
}

} // namespace strobe::platform
