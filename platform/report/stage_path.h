#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// A way through the stages of a request (request_stage.h): a sequence of segments without gaps and without overlap, so
// that their lengths add up to its length exactly. A run makes several of them for each flash job, so they keep their
// memory when they begin anew, and whole parts of one are copied into another.

#include "platform/report/request_stage.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace strobe::platform {

struct StageSegment {
    Time end{};
    StageId stage = 0;
    StageId detail = noStage; // buffer wait: the stage in which the flash operation was that ended it
};

// The segments of a path, valid until it changes.
class StageSegments {
public:
    StageSegments(const StageSegment* first, std::uint32_t size, bool isCompacted)
        : first_(first), size_(size), isCompacted_(isCompacted)
    {
    }
    const StageSegment* begin() const { return first_; }
    const StageSegment* end() const { return first_ + size_; }
    std::uint32_t size() const { return size_; }
    bool isCompacted() const { return isCompacted_; } // so two neighbours may be of the same stage

private:
    const StageSegment* first_;
    std::uint32_t size_;
    bool isCompacted_;
};

// Segments are added in order of time. Memory is bounded: of more than 64 segments the earlier ones are put together.
class StagePath {
public:
    StagePath() = default;
    StagePath(const StagePath& other) { *this = other; }
    StagePath(StagePath&& other) noexcept { swap(other); }
    StagePath& operator=(const StagePath& other);
    StagePath& operator=(StagePath&& other) noexcept
    {
        swap(other);
        return *this;
    }
    ~StagePath() = default;
    void swap(StagePath& other) noexcept
    {
        std::swap(segments_, other.segments_);
        std::swap(start_, other.start_);
        std::swap(end_, other.end_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        std::swap(isCompacted_, other.isCompacted_);
    }

    void begin(Time at)
    {
        start_ = end_ = at;
        size_ = 0;
        isCompacted_ = false;
    }
    // The stage lasts until then; a time that is not later than the end changes nothing.
    void add(StageId stage, Time until, StageId detail = noStage)
    {
        if (until <= end_)
            return;
        end_ = until;
        if (size_ != 0) {
            StageSegment& last = segments_[size_ - 1];
            if (last.stage == stage && last.detail == detail) {
                last.end = until;
                return;
            }
        }
        if (size_ == capacity_)
            makeRoom();
        segments_[size_++] = {until, stage, detail};
    }
    void add(RequestStage stage, Time until) { add(idOf(stage), until); }
    // The part of the other way that lies after the end of this one and before `until`.
    void add(const StagePath& other, Time until) { add(other.segments(), until); }
    void add(const StageSegments& other, Time until);
    // The same as a wait for the buffer, with the stages of the other way behind it.
    void addBehindBuffer(const StageSegments& other, Time until);
    void cut(Time at); // what comes later goes away

    Time start() const { return start_; }
    Time end() const { return end_; }
    StageSegments segments() const { return {segments_.get(), size_, isCompacted_}; }
    std::array<Time, stageIds> sums() const;

private:
    static constexpr std::uint32_t most = 64; // segments; earlier ones then are put together by stage
    static constexpr std::uint32_t least = 16;
    void makeRoom();
    void allocate(std::uint32_t capacity);
    void compact();

    std::unique_ptr<StageSegment[]> segments_;
    Time start_{};
    Time end_{};
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0;
    bool isCompacted_ = false;
};

} // namespace strobe::platform
