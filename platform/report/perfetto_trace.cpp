// SPDX-License-Identifier: Apache-2.0
#include "platform/report/perfetto_trace.h"

#include <protozero/pbf_builder.hpp>

namespace strobe::platform {

namespace {

// Field numbers of perfetto/trace/trace.proto and the messages in it.
enum class Trace : protozero::pbf_tag_type { packet = 1 };
enum class Packet : protozero::pbf_tag_type {
    timestamp = 8,
    sequenceId = 10,
    trackEvent = 11,
    internedData = 12,
    sequenceFlags = 13,
    trackDescriptor = 60
};
enum class Descriptor : protozero::pbf_tag_type {
    uuid = 1,
    name = 2,
    parent = 5,
    childOrdering = 11,
    siblingRank = 12
};
enum class Event : protozero::pbf_tag_type { debugAnnotations = 4, type = 9, nameId = 10, track = 11, flowIds = 47 };
enum class Annotation : protozero::pbf_tag_type { nameId = 1, intValue = 4 };
enum class Interned : protozero::pbf_tag_type { eventNames = 2, debugAnnotationNames = 3 };
enum class InternedName : protozero::pbf_tag_type { id = 1, name = 2 };

using Builder = protozero::pbf_builder<Packet>;

constexpr std::uint32_t sequence = 1;
constexpr std::uint32_t namesAreCleared = 1;
constexpr std::uint32_t needsNames = 2;
constexpr std::int32_t explicitOrder = 3;
constexpr std::int32_t eventBegin = 1;
constexpr std::int32_t eventEnd = 2;

std::uint64_t nanoseconds(Time time)
{
    return static_cast<std::uint64_t>(time.count()) / 1000;
}

} // namespace

PerfettoTrace::Track PerfettoTrace::track(std::string_view name, Track parent, std::uint32_t rank)
{
    const Track number = ++tracks_;
    protozero::pbf_builder<Trace> trace(bytes_);
    Builder packet(trace, Trace::packet);
    packet.add_uint32(Packet::sequenceId, sequence);
    protozero::pbf_builder<Descriptor> descriptor(packet, Packet::trackDescriptor);
    descriptor.add_uint64(Descriptor::uuid, number);
    descriptor.add_string(Descriptor::name, name.data(), name.size());
    if (parent != 0)
        descriptor.add_uint64(Descriptor::parent, parent);
    descriptor.add_enum(Descriptor::childOrdering, explicitOrder);
    descriptor.add_int32(Descriptor::siblingRank, static_cast<std::int32_t>(rank));
    return number;
}

template <class Field>
std::uint64_t PerfettoTrace::idOf(std::string_view name, Names& names, Field field)
{
    const auto known = names.ids.find(name);
    if (known != names.ids.end())
        return known->second;
    const std::uint64_t id = names.ids.size() + 1;
    names.ids.emplace(names.kept.emplace_back(name), id);
    protozero::pbf_builder<Interned> data(interned_);
    protozero::pbf_builder<InternedName> entry(data, field);
    entry.add_uint64(InternedName::id, id);
    entry.add_string(InternedName::name, name.data(), name.size());
    return id;
}

void PerfettoTrace::begin(const Slice& slice, Track track)
{
    interned_.clear();
    ids_.clear();
    const std::uint64_t name = idOf(slice.name, names_, Interned::eventNames);
    for (const auto& [key, value] : slice.arguments)
        ids_.push_back(idOf(key, keys_, Interned::debugAnnotationNames));
    protozero::pbf_builder<Trace> trace(bytes_);
    Builder packet(trace, Trace::packet);
    packet.add_uint64(Packet::timestamp, nanoseconds(slice.start));
    packet.add_uint32(Packet::sequenceId, sequence);
    packet.add_uint32(Packet::sequenceFlags, isStarted_ ? needsNames : namesAreCleared | needsNames);
    isStarted_ = true;
    if (!interned_.empty())
        packet.add_message(Packet::internedData, interned_);
    protozero::pbf_builder<Event> event(packet, Packet::trackEvent);
    event.add_enum(Event::type, eventBegin);
    event.add_uint64(Event::track, track);
    event.add_uint64(Event::nameId, name);
    for (const std::uint64_t flow : slice.flows)
        event.add_fixed64(Event::flowIds, flow);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        protozero::pbf_builder<Annotation> annotation(event, Event::debugAnnotations);
        annotation.add_uint64(Annotation::nameId, ids_[i]);
        annotation.add_int64(Annotation::intValue, slice.arguments[i].second);
    }
}

void PerfettoTrace::end(Time at, Track track)
{
    protozero::pbf_builder<Trace> trace(bytes_);
    Builder packet(trace, Trace::packet);
    packet.add_uint64(Packet::timestamp, nanoseconds(at));
    packet.add_uint32(Packet::sequenceId, sequence);
    packet.add_uint32(Packet::sequenceFlags, needsNames);
    protozero::pbf_builder<Event> event(packet, Packet::trackEvent);
    event.add_enum(Event::type, eventEnd);
    event.add_uint64(Event::track, track);
}

void PerfettoTrace::slice(const Slice& slice, const std::vector<Slice>& inside)
{
    begin(slice, slice.track);
    for (const Slice& part : inside) {
        begin(part, slice.track);
        end(part.end, slice.track);
    }
    end(slice.end, slice.track);
}

} // namespace strobe::platform
