#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The way of a flash job, or of an operation of it, through the stages: like a StagePath
// (platform/report/stage_path.h), but in eight bytes per segment and in one piece, because a run makes several of them
// for each job.

#include "platform/report/stage_path.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace strobe::platform {

class JobSegment {
public:
    JobSegment() = default;
    JobSegment(Time length, StageId stage) : bits_(static_cast<std::uint64_t>(length.count()) << 8U | stage) {}
    StageId stage() const { return static_cast<StageId>(bits_); }
    Time length() const { return Time{static_cast<std::int64_t>(bits_ >> 8U)}; } // from the path's start to its end
    void lengthen(Time by) { bits_ += static_cast<std::uint64_t>(by.count()) << 8U; } // by may be negative

private:
    std::uint64_t bits_ = 0;
};

// The segments of a path, valid until it changes.
class JobSegments {
public:
    class Iterator {
    public:
        Iterator(Time start, const JobSegment* at) : start_(start), at_(at) {}
        StageSegment operator*() const { return {start_ + at_->length(), at_->stage()}; }
        Iterator& operator++()
        {
            ++at_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }

    private:
        Time start_;
        const JobSegment* at_;
    };
    JobSegments(Time start, const JobSegment* first, std::uint32_t size) : start_(start), first_(first), size_(size) {}
    Iterator begin() const { return {start_, first_}; }
    Iterator end() const { return {start_, first_ + size_}; }
    Time start() const { return start_; }
    Time last() const { return size_ == 0 ? start_ : start_ + first_[size_ - 1].length(); } // where they end
    const JobSegment* data() const { return first_; }
    std::uint32_t size() const { return size_; }

private:
    Time start_;
    const JobSegment* first_;
    std::uint32_t size_;
};

class JobPath {
public:
    JobPath() = default;
    JobPath(const JobPath& other) { *this = other; }
    JobPath& operator=(const JobPath& other);
    ~JobPath() = default;

    void begin(Time at)
    {
        start_ = end_ = at;
        size_ = 0;
        isCompacted_ = false;
    }
    // The stage lasts until then; a time that is not later than the end changes nothing.
    void add(StageId stage, Time until)
    {
        if (until <= end_)
            return;
        end_ = until;
        const JobSegment segment{until - start_, stage};
        if (places_[size_].stage() == stage) {
            places_[size_] = segment;
            return;
        }
        if (size_ == StagePath::most)
            compact();
        places_[++size_] = segment;
    }
    void add(RequestStage stage, Time until) { add(idOf(stage), until); }
    void add(const JobPath& other, Time until); // what lies after the end of this one and before `until`
    void cut(Time at);                          // what comes later goes away

    Time start() const { return start_; }
    Time end() const { return end_; }
    JobSegments segments() const { return {start_, places_.data() + 1, size_}; }

private:
    JobSegment* first() { return places_.data() + 1; }
    [[gnu::noinline]] void compact();

    Time start_{};
    Time end_{};
    std::uint32_t size_ = 0;
    bool isCompacted_ = false; // so two neighbours may be of the same stage

    // places_[0] belongs to no stage, so that add() needs no test for an empty path; the segments follow it.
    std::array<JobSegment, StagePath::most + 1> places_{{{Time{}, noStage}}};
};

} // namespace strobe::platform
