// SPDX-License-Identifier: Apache-2.0
//
// Contents files and drive images. Input: the file; a die as it is in the file when its sections are unpacked; and
// changes of a sound die, three bytes each (place, value), because checksums protect what is in a file.
#include "models/base/bytes.h"
#include "models/base/config_error.h"
#include "platform/assembly/drive_file.h"
#include "tests/fuzz/target.h"

using namespace strobe;
using namespace strobe::platform;

namespace {

Scenario smallDrive()
{
    Scenario s;
    s.name = "two dies";
    s.nand.part.name = "part";
    s.nand.part.geometry = {2, 4, 4, 2048, 64};
    s.nand.array = {1, 2, 1};
    return s;
}

void restore(nand::Die& die, std::string_view contents)
{
    try {
        ByteReader body(contents);
        die.restore(body);
    } catch (const DamagedBytes&) {
    }
}

void load(const Scenario& scenario)
{
    DieArray dies = makeDies(scenario);
    UserRecord known;
    try {
        loadDriveFile(scenario, DriveUser::Operations, dies, known);
    } catch (const ConfigError&) {
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const fuzz::InputFile file(".contents");
    static const Scenario scenario = [] {
        Scenario s = smallDrive();
        s.nand.contents = {file.name(), ContentsMode::Load};
        return s;
    }();
    const std::string_view input = fuzz::textOf(data, size);
    file.write(input);
    load(scenario);

    restore(*makeDies(scenario).begin()->get(), input);

    const DieArray dies = makeDies(scenario);
    nand::Die& die = **dies.begin();
    ByteWriter saved;
    die.save(saved);
    std::string changed(saved.bytes());
    for (std::size_t i = 0; i + 2 < input.size(); i += 3) {
        const std::size_t place =
            static_cast<unsigned char>(input[i]) * std::size_t{256} + static_cast<unsigned char>(input[i + 1]);
        changed[place % changed.size()] = input[i + 2];
    }
    restore(*makeDies(scenario).begin()->get(), changed);
    return 0;
}
