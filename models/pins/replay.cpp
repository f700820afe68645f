// SPDX-License-Identifier: Apache-2.0
#include "models/pins/replay.h"

#include "models/nand/snap_read.h"

#include <algorithm>

namespace strobe::pins {

using nand::Form;
using nand::Opcode;

Replay::Replay(const PinTwin& twin, std::optional<std::uint32_t> bytes)
    : twin_(twin), bytes_(bytes), waveform_(twin.model().signalling)
{
}

// Effect of an operation on the cells.
Replay::Work Replay::cellsOf(const nand::Operation& op) const
{
    const nand::Part& part = twin_.part();
    switch (op.opcode) {
    case Opcode::Read: return {"tR", nand::readTime(part, op)};
    case Opcode::CopyBack:
    case Opcode::Program: return {"tPROG", part.tPROG(op.target.page, op.pslc)};
    case Opcode::Erase: return {"tBERS", part.tBERS(op.pslc)};
    case Opcode::Reset: return {"tRST", part.times.tRstIdle};
    default: return {};
    }
}

// Why R/B# is low after a request, the page before it apart.
Replay::Work Replay::busyOf(const nand::Operation& op) const
{
    const nand::ArrayTimes& t = twin_.part().times;
    const bool isErase = op.opcode == Opcode::Erase;
    switch (op.form) {
    case Form::Plane:
    case Form::WordLinePlane: return {"tDBSY", t.tDBSY};
    case Form::WordLinePage: return {"tPBSY", t.tPBSY};
    case Form::LastPlaneCache: return {"tCBSY", t.tCBSY};
    case Form::Cache: return op.opcode == Opcode::Read ? Work{"tRCBSY", t.tRCBSY} : Work{"tCBSY", t.tCBSY};
    case Form::Suspend: return isErase ? Work{"tESUSP", t.tESUSP} : Work{"tPSUSP", t.tPSUSP};
    case Form::Resume: return isErase ? Work{"tERSM", t.tERSM} : Work{"tPRSM", t.tPRSM};
    case Form::CopyOut: return {"tR", twin_.part().tR(op.source.page, op.pslc)};
    default: return cellsOf(op);
    }
}

void Replay::pass(const char* label, Time duration)
{
    if (duration <= Time{})
        return;
    waveform_.add(Stretch{label, label, at_, at_ + duration, false});
    at_ += duration;
}

void Replay::request(const nand::Operation& op)
{
    asked_ = at_ = twin_.request(waveform_, op, at_, 0, bytes_).end;
}

// The array still executes the previous page.
void Replay::finishBackgroundWork()
{
    pass(arrayWork_.label, arrayFree_ - at_);
}

// R/B# has risen, and the controller samples it: not before tWB.
void Replay::lookAgain(const nand::Operation& op)
{
    const Sequence& sequence = sequenceOf(op.form, op.opcode);
    const channel::InterfaceTiming& timing = twin_.model().timing;
    twin_.busy(waveform_, asked_, at_);
    if (sequence.isBusy)
        pass("tWB", asked_ + timing.tWB - at_);
    if (sequence.gap == Gap::Trr)
        pass("tRR", timing.tRR);
    else if (sequence.gap == Gap::Poll)
        pass("poll delay", timing.statusPollDelay);
}

void Replay::ask(const nand::Operation& op)
{
    request(op);
    if (op.form != Form::Plane) // which is latched while the array works
        finishBackgroundWork();
    if (op.form == Form::Alone && op.opcode == Opcode::CopyBack)
        pass("tR", twin_.part().tR(op.source.page, op.pslc));
    pass(busyOf(op));
    if (op.form == Form::Cache || op.form == Form::LastPlaneCache) {
        arrayWork_ = cellsOf(op);
        arrayFree_ = at_ + arrayWork_.duration;
    }
    lookAgain(op);
}

void Replay::answer(const nand::Operation& op)
{
    at_ = twin_.response(waveform_, op, at_, 0, bytes_).end;
}

void Replay::endCacheRead()
{
    asked_ = at_ = twin_.cacheEnd(waveform_, at_).end;
    finishBackgroundWork();
    nand::Operation last;
    last.form = Form::Cache;
    pass(busyOf(last));
    lookAgain(last);
}

void Replay::askAndSuspend(const nand::Operation& op, Time after)
{
    const Work whole = cellsOf(op);
    request(op);
    const Time begun = asked_;
    pass(whole.label, after);

    const nand::Operation suspend = inForm(Form::Suspend, op);
    request(suspend);
    suspended_ = {whole.label, whole.duration - (asked_ - begun)};
    pass(busyOf(suspend));
    twin_.busy(waveform_, begun, at_); // R/B# has been low all the time
    lookAgain(suspend);
}

void Replay::resume(const nand::Operation& op)
{
    const nand::Operation resume = inForm(Form::Resume, op);
    request(resume);
    pass(busyOf(resume));
    pass(suspended_);
    lookAgain(resume);
}

Waveform Replay::finish()
{
    waveform_.finish();
    return std::move(waveform_);
}

Waveform replayOf(const PinTwin& twin, const nand::Operation& op, std::optional<std::uint32_t> bytes)
{
    Replay replay(twin, bytes);
    replay.ask(op);
    replay.answer(op);
    return replay.finish();
}

} // namespace strobe::pins
