// SPDX-License-Identifier: Apache-2.0
#include "models/pins/pin_twin.h"

#include "models/nand/snap_read.h"

#include <algorithm>

namespace strobe::pins {

Tenure PinTwin::request(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable,
                        std::optional<std::uint32_t> bytes) const
{
    TenureWriter writer(model_, part_, op, bytes, waveform, start);
    Steps request = sequenceOf(op.form, op.opcode).request;
    if (nand::isSnapRead(part_, op))
        request.back() = snapConfirm();
    if (!op.pslc || !takesPrefix(op.form))
        return writer.write(request, chipEnable);
    Steps prefixed = request;
    const auto isFeature = [](const SequenceStep& step) { return step.act == Act::Tfeat; };
    const auto feature = std::find_if(prefixed.begin(), prefixed.end(), isFeature); // SET FEATURES comes first
    prefixed.insert(feature == prefixed.end() ? prefixed.begin() : feature + 1, prefixStep(part_.pslc.prefix));
    return writer.write(prefixed, chipEnable);
}

Tenure PinTwin::response(Waveform& waveform, const nand::Operation& op, Time start, std::uint32_t chipEnable,
                         std::optional<std::uint32_t> bytes) const
{
    if (op.outputCycle != Time{}) {
        nand::Operation plain = op;
        plain.outputCycle = {};
        return clockedAs(op).response(waveform, plain, start, chipEnable, bytes);
    }
    const Sequence& sequence = sequenceOf(op.form, op.opcode);
    const bool isLeftOut = sequence.isPolled && !model_.timing.statusAfterArray;
    TenureWriter writer(model_, part_, op, bytes, waveform, start);
    return writer.write(isLeftOut ? Steps{} : sequence.response, chipEnable);
}

Tenure PinTwin::cacheEnd(Waveform& waveform, Time start, std::uint32_t chipEnable) const
{
    const nand::Operation none;
    TenureWriter writer(model_, part_, none, {}, waveform, start);
    return writer.write(cacheEndSteps(), chipEnable);
}

// The same with the operation's clock of data out. Its bytes arrive at the latest time that their sampling allows.
PinTwin PinTwin::clockedAs(const nand::Operation& op) const
{
    constexpr std::int64_t wholePeriod = 1'000;
    PinTwin twin = *this;
    PinTiming& pins = twin.model_.pins;
    twin.model_.timing.dataOutCycle = op.outputCycle;
    pins.alphaPermille = wholePeriod;
    pins.tREA = std::max(op.sampleAt - pins.tOUT - pins.tIN - pins.tS, Time{});
    return twin;
}

void PinTwin::busy(Waveform& waveform, Time requestEnd, Time ready, std::uint32_t die) const
{
    const Time falls = requestEnd + model_.timing.tWB;
    if (falls >= ready)
        return;
    waveform.set(falls, {Pin::Ready, die}, 0);
    waveform.set(ready, {Pin::Ready, die}, 1);
}

} // namespace strobe::pins
