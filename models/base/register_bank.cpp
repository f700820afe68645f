// SPDX-License-Identifier: Apache-2.0
#include "models/base/register_bank.h"

namespace strobe {

RegisterBank::RegisterBank(const RegisterInfo* table, std::size_t rows, std::uint32_t sizeBytes) : slots_(sizeBytes / 4)
{
    for (std::size_t i = 0; i < rows; ++i) {
        const RegisterInfo& info = table[i];
        rows_.push_back({&info, {}, {}});
        for (std::uint32_t element = 0; element < info.count; ++element) {
            const std::uint32_t offset = info.offset + element * info.step;
            check(offset % 4 == 0 && offset / 4 < slots_.size(), "a register table row lies outside its bank");
            check(slots_[offset / 4].row < 0, "two rows of a register table overlap");
            slots_[offset / 4] = {info.reset, info.writable, info.clearOnWrite1, element, static_cast<std::int32_t>(i)};
        }
    }
}

RegisterBank::Row& RegisterBank::rowAt(std::uint32_t offset)
{
    checkMapped(offset);
    return rows_[static_cast<std::size_t>(slots_[offset / 4].row)];
}

void RegisterBank::onRead(std::uint32_t offset, ReadHook hook)
{
    rowAt(offset).read = std::move(hook);
}
void RegisterBank::onWrite(std::uint32_t offset, WriteHook hook)
{
    Row& row = rowAt(offset);
    row.write = std::move(hook);
    for (std::uint32_t element = 0; element < row.info->count; ++element)
        slots_[(offset + element * row.info->step) / 4].hasWriteHook = true;
}

Access RegisterBank::read(std::uint32_t offset, std::uint32_t& value)
{
    return view(offset, value);
}

Access RegisterBank::view(std::uint32_t offset, std::uint32_t& value) const
{
    if (offset % 4 != 0)
        return Access::Misaligned;
    if (offset / 4 >= slots_.size() || slots_[offset / 4].row < 0)
        return Access::Unmapped;
    const Slot& slot = slots_[offset / 4];
    const Row& row = rows_[static_cast<std::size_t>(slot.row)];
    value = row.read ? row.read(slot.element) : slot.value;
    return Access::Ok;
}

Access RegisterBank::write(std::uint32_t offset, std::uint32_t value)
{
    if (offset % 4 != 0)
        return Access::Misaligned;
    if (offset / 4 >= slots_.size() || slots_[offset / 4].row < 0)
        return Access::Unmapped;
    Slot& slot = slots_[offset / 4];
    const std::uint32_t kept = slot.value & ~slot.writable & ~(slot.clearOnWrite1 & value);
    slot.value = kept | (value & slot.writable);
    if (slot.hasWriteHook)
        rows_[static_cast<std::size_t>(slot.row)].write(slot.element, value);
    return Access::Ok;
}

void RegisterBank::reset()
{
    for (Slot& slot : slots_) {
        if (slot.row >= 0)
            slot.value = rows_[static_cast<std::size_t>(slot.row)].info->reset;
    }
}

} // namespace strobe
