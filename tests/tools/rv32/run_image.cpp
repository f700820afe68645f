// SPDX-License-Identifier: Apache-2.0
//
// Runs a flat binary on the RV32 core until it writes its `tohost` word, for scripts/check-core:
//   rv32_run_image IMAGE LOAD_ADDRESS TOHOST_ADDRESS [plain|compiled|timed|observed] [BUDGET]
// Prints the word written, the counts and the speed. Exit code 0 if it is 1, which is how riscv-tests report
// success.
#include "models/cpu/rv32/core.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace strobe::rv32;

namespace {

class Board : public Environment {
public:
    explicit Board(std::uint32_t tohost) : tohost_(tohost) {}
    void attach(Core& core) { core_ = &core; }

    BusResult load(std::uint32_t address, unsigned /*bytes*/, std::uint32_t& value) override
    {
        value = 0;
        return isTohost(address) ? BusResult::Ok : BusResult::Fault;
    }
    BusResult store(std::uint32_t address, unsigned /*bytes*/, std::uint32_t value) override
    {
        if (!isTohost(address))
            return BusResult::Fault;
        if (address == tohost_) {
            result_ = value;
            core_->stop();
        }
        return BusResult::Ok;
    }
    std::uint32_t result() const { return result_; }

private:
    bool isTohost(std::uint32_t address) const { return address >= tohost_ && address < tohost_ + 128; }

    std::uint32_t tohost_;
    std::uint32_t result_ = 0;
    Core* core_ = nullptr;
};

} // namespace

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "usage: %s IMAGE LOAD_ADDRESS TOHOST_ADDRESS [plain|compiled|timed|observed] [BUDGET]\n",
                     argv[0]);
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", argv[1]);
        return 2;
    }
    const auto load = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 0));
    const auto tohost = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 0));
    const std::string mode = argc > 4 ? argv[4] : "plain";
    const std::int64_t budget = argc > 5 ? std::strtoll(argv[5], nullptr, 0) : 1'000'000;

    std::vector<char> memory{std::istreambuf_iterator<char>(file), {}};
    memory.resize(std::max<std::size_t>(memory.size(), 1U << 20));
    Board board(tohost);
    CoreConfig config;
    config.resetPc = load;
    config.compileAfter = mode == "compiled" ? 1 : 0;
    if (mode == "timed")
        config.cycles = CycleTable{{1, 3, 34, 2, 2, 1, 2, 4, 3}, 2, 4};
    Core core(config, board);
    board.attach(core);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(memory.data());
    const auto end = load + static_cast<std::uint32_t>(memory.size()) - 1;
    // The page of tohost stays on the bus, except for the parts before and after it.
    const std::uint32_t behind = tohost + 128;
    core.map({load, tohost - 1, bytes});
    core.map({behind, end, bytes + (behind - load)});
    Observer observer;
    if (mode == "observed")
        core.observe(&observer);

    const std::clock_t start = std::clock();
    const Stop why = core.run(budget);
    const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("stop %d result %u pc %08x instructions %llu cycles %llu traps %llu, %.0f MIPS\n",
                static_cast<int>(why), board.result(), core.pc(), static_cast<unsigned long long>(core.retired()),
                static_cast<unsigned long long>(core.executed()), static_cast<unsigned long long>(core.traps()),
                static_cast<double>(core.retired()) / took / 1e6);
    return board.result() == 1 ? 0 : 1;
}
