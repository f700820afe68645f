// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/rv32_firmware.h"
#include "tests/modules/cpu/rv32_board.h"
#include "tests/support/catch.h"
#include "tests/support/elf_builder.h"
#include "tests/support/kernel_fixture.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

using namespace strobe;
using namespace strobe::test::rv32asm;
using cpu::FirmwareEnded;
using cpu::FirmwareFault;
using test::KernelFixture;
using test::Rv32Board;
using namespace std::chrono_literals;
namespace csr = rv32::csr;

namespace {

constexpr std::uint32_t textAt = 0x800;
constexpr std::int32_t write0 = 0x04;
constexpr std::int32_t exitNow = 0x18;

std::vector<Word> call(std::int32_t operation, std::vector<Word> argument)
{
    std::vector<Word> words{li(a0, operation)};
    words.insert(words.end(), argument.begin(), argument.end());
    words.insert(words.end(), {slli(zero, zero, 0x1F), ebreak(), srai(zero, zero, 7)});
    return words;
}
std::vector<Word> write()
{
    return call(write0, {lui(a1, 1), addi(a1, a1, -0x800)}); // textAt
}
std::vector<Word> exitWith(std::int32_t reason)
{
    return call(exitNow, {lui(a1, 0x20), addi(a1, a1, reason & 0xFFF)});
}
constexpr std::int32_t asItShould = 0x20026;
constexpr std::int32_t withAnError = 0x20023;

std::vector<Word> program(std::initializer_list<std::vector<Word>> parts)
{
    std::vector<Word> words;
    for (const std::vector<Word>& part : parts)
        words.insert(words.end(), part.begin(), part.end());
    words.push_back(jal(zero, 0));
    return words;
}

bool contains(const std::string& text, const std::string& part)
{
    UNSCOPED_INFO(text);
    return text.find(part) != std::string::npos;
}

// The program is at 0; the image contains only its symbols.
struct Board {
    Rv32Board board;
    std::vector<std::pair<Time, std::string>> lines;
    cpu::Rv32Firmware firmware;

    explicit Board(const std::vector<Word>& words, std::vector<test::ElfBuilder::Named> symbols = {},
                   const std::string& text = "out of spares\n")
        : board(words), firmware(image(std::move(symbols)), board.core(), "ssd.cpu",
                                 [this](Time at, std::string_view line) { lines.emplace_back(at, std::string(line)); })
    {
        std::memcpy(board.sram.bytes() + textAt, text.c_str(), text.size() + 1);
        board.cpu().onBreak([this](rv32::Core& core) { return firmware.serveBreak(core); });
    }

    static cpu::ElfImage image(std::vector<test::ElfBuilder::Named> symbols)
    {
        test::ElfBuilder elf;
        elf.add(0, 0x400, PF_R | PF_X, {});
        symbols.push_back({"main", 0, 0x400, STT_FUNC});
        elf.symbols.insert(elf.symbols.end(), symbols.begin(), symbols.end());
        return cpu::ElfImage::parse(elf.file(), "test.elf");
    }

    std::string fault() const
    {
        try {
            board.cpus[0]->rethrowFault();
        } catch (const FirmwareEnded& end) {
            return std::string("no fault; ") + end.what();
        } catch (const FirmwareFault& fault) {
            return fault.what();
        }
        return "nothing";
    }
};

} // namespace

TEST_CASE("firmware writes text to the console at its own time, and continues")
{
    KernelFixture kernel; // 5 ns a cycle
    Board board(program({write(), {li(a2, 7)}}));
    kernel.run(1us);
    REQUIRE(board.lines.size() == 1);
    CHECK(board.lines[0] == std::pair(Time(20ns), std::string("out of spares"))); // four instructions before
    CHECK(board.board.core().reg(12) == 7);
    CHECK_FALSE(board.board.cpu().isFaulted());
}

TEST_CASE("firmware that ends regularly ends the run without a fault")
{
    KernelFixture kernel;
    Board board(program({exitWith(asItShould)}));
    kernel.run(1us);
    CHECK(sc_core::sc_get_status() == sc_core::SC_STOPPED);
    CHECK(board.fault() == "no fault; firmware image \"test.elf\" on ssd.cpu at 20 ns: it has ended the run");
}

TEST_CASE("firmware that ends with an error is reported with its last output and its caller")
{
    KernelFixture kernel;
    Board board(program({{addi(ra, zero, 0x104)}, write(), exitWith(withAnError)}));
    kernel.run(1us);
    CHECK(board.fault() ==
          "firmware image \"test.elf\" on ssd.cpu at 55 ns: panic: out of spares\n  called by main+0x103");
}

TEST_CASE("without output, the error names the reason and the last trap")
{
    KernelFixture kernel;
    Board board(program({exitWith(withAnError)}));
    board.board.core().setCsr(csr::mcause, 5);
    board.board.core().setCsr(csr::mepc, 0x1234);
    board.board.core().setCsr(csr::mtval, 0xBAD);
    kernel.run(1us);
    CHECK(contains(board.fault(), "it has stopped itself (reason 0x20023, code 0; mcause 5, mepc "
                                  "0x00001234, mtval 0x00000bad)"));
}

TEST_CASE("a panic on the stack of the trap handler is reported with the place of the exception")
{
    const std::vector<test::ElfBuilder::Named> stacks{{"__trap_stack_top", 0x3000, 0, STT_NOTYPE},
                                                      {"__stack_limit", 0x2800, 0, STT_NOTYPE}};
    for (const auto& [address, isOverflow] : std::initializer_list<std::pair<std::uint32_t, bool>>{
             {0x27FC, true}, {0x1800, true}, {0x17FC, false}, {0x2800, false}}) {
        KernelFixture kernel;
        Board board(program({write(), exitWith(withAnError)}), stacks);
        board.board.core().setReg(2, 0x3000 - 64);
        board.board.core().setCsr(csr::mepc, 0x20);
        board.board.core().setCsr(csr::mtval, address);
        kernel.run(1us);
        CHECK(contains(board.fault(), "panic: out of spares\n  in main"));
        CHECK(contains(board.fault(), "the stack has overflowed") == isOverflow);
    }
}

TEST_CASE("an ebreak without the two shifts is firmware's own")
{
    KernelFixture kernel;
    Board board(program({{lui(t0, Rv32Board::handler >> 12), csrrw(zero, csr::mtvec, t0), ebreak()}}));
    board.board.put(Rv32Board::handler, {li(a2, 9), jal(zero, 0)});
    kernel.run(1us);
    CHECK(board.board.core().reg(12) == 9);
    CHECK(board.board.core().csr(csr::mcause) == 3U);
    CHECK(board.lines.empty());
}

TEST_CASE("cost points are observed in an image that contains them, and nowhere else")
{
    const auto mark = [](Word point) { return slti(zero, zero, static_cast<std::int32_t>(point)); };
    const std::vector<Word> words = program({{mark(0), nop(), nop(), mark(1), nop()}});
    {
        KernelFixture kernel;
        Board board(words);
        kernel.run(100ns);
        CHECK(board.firmware.costs().empty());
    }
    KernelFixture kernel;
    Board board(words, {{"hal_cost_markers", 0x10, 0, STT_NOTYPE}});
    kernel.run(100ns);
    REQUIRE(board.firmware.costs().size() > 1);
    CHECK(board.firmware.costs()[0].times == 1);
    CHECK(board.firmware.costs()[0].cycles == 2);
    board.firmware.resetCosts();
    CHECK(board.firmware.costs()[0].times == 0);
}
