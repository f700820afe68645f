// SPDX-License-Identifier: Apache-2.0
#include "platform/app/bench.h"

#include "models/base/check.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <systemc>

namespace strobe::platform {

namespace {

constexpr std::size_t methods = 100;

// Wakes itself repeatedly, at times that do not coincide for long.
class PeriodicMethod : public sc_core::sc_module {
public:
    PeriodicMethod(const sc_core::sc_module_name& name, std::uint64_t& activations, std::uint32_t seed)
        : sc_module(name), activations_(activations), state_(seed)
    {
        SC_HAS_PROCESS(PeriodicMethod);
        SC_METHOD(tick);
    }

private:
    void tick()
    {
        ++activations_;
        state_ = state_ * 1664525U + 1013904223U;
        next_trigger(sc_core::sc_time::from_value(1000 + (state_ >> 16)));
    }

    std::uint64_t& activations_;
    std::uint32_t state_;
};

} // namespace

double cpuSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double activationCost(bool quick)
{
    const std::size_t repetitions = 7;
    const std::uint64_t wanted = quick ? 50'000 : 500'000;
    std::uint64_t activations = 0;
    std::vector<std::unique_ptr<PeriodicMethod>> processes;
    for (std::size_t i = 0; i < methods; ++i) {
        const std::string name = "process" + std::to_string(i);
        processes.push_back(
            std::make_unique<PeriodicMethod>(name.c_str(), activations, static_cast<std::uint32_t>(i) * 7919U));
    }
    constexpr double meanPeriod = 1000 + 32768; // picoseconds
    const auto length = sc_core::sc_time::from_value(
        static_cast<std::uint64_t>(meanPeriod * static_cast<double>(wanted) / static_cast<double>(methods)));
    std::vector<double> costs;
    for (std::size_t i = 0; i < repetitions; ++i) {
        activations = 0;
        const double start = cpuSeconds();
        sc_core::sc_start(length);
        costs.push_back((cpuSeconds() - start) * 1e9 / static_cast<double>(activations));
    }
    std::nth_element(costs.begin(), costs.begin() + repetitions / 2, costs.end());
    return costs[repetitions / 2];
}

} // namespace strobe::platform
