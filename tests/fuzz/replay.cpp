// SPDX-License-Identifier: Apache-2.0
//
// A fuzz target without a fuzzer, as a test with any compiler: every input of the corpus, then so many mutations of
// each, the same every time.
//
//   replay_<target> MUTATIONS FILE-OR-DIRECTORY…
#include "models/base/rng.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <vector>

namespace {

using strobe::Rng;

std::string contentsOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> inputsOf(int argc, char** argv)
{
    std::vector<std::filesystem::path> files;
    for (int i = 2; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) {
            files.emplace_back(argv[i]);
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            if (entry.is_regular_file())
                files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> inputs;
    for (const auto& file : files)
        inputs.push_back(contentsOf(file));
    return inputs;
}

// Bytes changed, removed, doubled and inserted; numbers at their limits; the end cut off.
std::string mutated(std::string text, Rng& rng)
{
    static constexpr std::string_view numbers[] = {"0", "-1", "18446744073709551615", "9223372036854775808", "1e308"};
    for (std::uint64_t changes = 1 + rng.below(4); changes > 0 && !text.empty(); --changes) {
        const std::size_t at = rng.below(text.size());
        switch (rng.below(7)) {
        case 0: text[at] = static_cast<char>(rng.below(256)); break;
        case 1: text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8))); break;
        case 2: text.erase(at, 1 + rng.below(16)); break;
        case 3: text.insert(at, text.substr(at, rng.below(64))); break;
        case 4: text.insert(at, numbers[rng.below(std::size(numbers))]); break;
        case 5: text.replace(at, std::min<std::size_t>(4, text.size() - at), 4, rng.chance(0.5) ? '\xFF' : '\0'); break;
        default: text.resize(at); break;
        }
    }
    return text;
}

void run(const std::string& input)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> inputs = inputsOf(argc, argv);
    if (inputs.empty()) {
        std::fputs("replay: no inputs\n", stderr);
        return 2;
    }
    const unsigned long mutations = std::strtoul(argv[1], nullptr, 10);
    Rng rng(1, "mutations");
    for (const std::string& input : inputs) {
        run(input);
        for (unsigned long i = 0; i < mutations; ++i)
            run(mutated(input, rng));
    }
    std::printf("%zu inputs, %lu mutations of each\n", inputs.size(), mutations);
    return 0;
}
