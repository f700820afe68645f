#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Ids are types: a channel number cannot be passed for a die number, and an IdVector is indexed only by its own id.
// BusAddress is an address on the device's 32-bit system bus; nothing that the device sees is a host pointer.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace strobe {

enum class ChannelId : std::uint16_t {};
enum class WayId : std::uint16_t {};  // chip enable on a channel
enum class DieId : std::uint16_t {};  // flat over the array: (channel * ways + way) * luns + lun
enum class UnitId : std::uint16_t {}; // flash unit of the controller
enum class CpuId : std::uint8_t {};
enum class BusAddress : std::uint32_t {};

template <class Id, class = std::enable_if_t<std::is_enum_v<Id>>>
constexpr auto raw(Id id)
{
    return static_cast<std::underlying_type_t<Id>>(id);
}

constexpr BusAddress operator+(BusAddress base, std::uint32_t offset)
{
    return BusAddress{raw(base) + offset};
}

template <class Id, class T>
class IdVector {
public:
    IdVector() = default;
    explicit IdVector(std::size_t size) : items_(size) {}
    IdVector(std::size_t size, const T& value) : items_(size, value) {}

    T& operator[](Id id) { return items_[static_cast<std::size_t>(raw(id))]; }
    const T& operator[](Id id) const { return items_[static_cast<std::size_t>(raw(id))]; }
    std::size_t size() const { return items_.size(); }
    bool empty() const { return items_.empty(); }
    auto begin() { return items_.begin(); }
    auto end() { return items_.end(); }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }
    void push_back(T value) { items_.push_back(std::move(value)); }
    template <class... Args>
    T& emplace_back(Args&&... args)
    {
        return items_.emplace_back(std::forward<Args>(args)...);
    }
    void reserve(std::size_t size) { items_.reserve(size); }

private:
    std::vector<T> items_;
};

} // namespace strobe
