// SPDX-License-Identifier: Apache-2.0
#include "platform/app/firmware_trace.h"

#include "models/base/config_error.h"
#include "models/cpu/debug/trace_text.h"
#include "platform/app/commands.h"
#include "platform/app/exit_codes.h"
#include "platform/app/option_values.h"
#include "platform/assembly/digest.h"
#include "platform/assembly/firmware_image.h"
#include "platform/config/walkers.h"
#include "platform/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace strobe::platform {

namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20U; // of text

std::optional<std::uint32_t> addressOf(std::string_view text)
{
    constexpr std::string_view hexadecimal = "0x";
    const bool isHexadecimal = text.substr(0, hexadecimal.size()) == hexadecimal;
    text.remove_prefix(isHexadecimal ? hexadecimal.size() : 0);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, isHexadecimal ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// A symbol without a size, as assembly has them, reaches to the next one.
cpu::TraceFilter::Range rangeOf(const cpu::ElfImage& image, const cpu::ElfImage::Symbol& symbol)
{
    if (symbol.size > 0)
        return {symbol.address, symbol.address + (symbol.size - 1)};
    const auto& all = image.symbols();
    const auto next = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.address > symbol.address; });
    return {symbol.address, next == all.end() ? symbol.address : next->address - 1};
}

cpu::TraceFilter::Range rangeOf(const std::string& option, const std::string& text, const cpu::ElfImage* image)
{
    const cpu::ElfImage::Symbol* symbol = image == nullptr || text.empty() ? nullptr : image->find(text);
    if (symbol != nullptr)
        return rangeOf(*image, *symbol);
    const std::size_t dash = text.find('-');
    const auto first = addressOf(std::string_view(text).substr(0, dash));
    const auto last = dash == std::string::npos ? first : addressOf(std::string_view(text).substr(dash + 1));
    if (first && last && *first > *last)
        throw ConfigError(fmt::format("{} {}: its first address must not be above its last", option, text));
    if (first && last)
        return {*first, *last};
    std::vector<std::string> names;
    if (image != nullptr) {
        for (const auto& s : image->symbols())
            names.push_back(s.name);
    }
    const std::string nearest = nearestName(text, names);
    throw ConfigError(
        fmt::format("{}: \"{}\" must be an address like 0x40000000, two of them like "
                    "0x1000-0x1fff, or {}{}",
                    option, text,
                    image != nullptr ? "a symbol of the firmware image" : "with --firmware FILE a symbol of that image",
                    nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

TraceForm formOf(const std::string& name)
{
    const std::optional<TraceForm> form = enumValue<TraceForm>(name);
    if (!form)
        throw ConfigError(fmt::format("--trace-form: \"{}\" must be {}", name, enumChoices<TraceForm>()));
    return *form;
}

FirmwareTraceOrigin originOf(const std::string& image, std::uint32_t cores)
{
    return {static_cast<std::uint8_t>(cores), std::filesystem::path(image).filename().string(), digestOfFile(image)};
}

} // namespace

cpu::TraceFilter traceFilter(const TraceChoiceCommand& choice, const std::string& prefix, const cpu::ElfImage* image)
{
    cpu::TraceFilter filter;
    filter.from = timeOf(prefix + "from", choice.from);
    if (!choice.to.empty())
        filter.to = timeOf(prefix + "to", choice.to);
    if (filter.to <= filter.from)
        throw ConfigError(fmt::format("{}to {}: must be after {}from {}", prefix, choice.to, prefix, choice.from));
    for (const std::string& range : choice.ranges)
        filter.ranges.push_back(rangeOf(prefix + "range", range, image));
    if (!choice.kinds.empty())
        filter.kinds.reset();
    for (const std::string& name : choice.kinds) {
        const std::optional<cpu::TraceKind> kind = enumValue<cpu::TraceKind>(name);
        if (!kind)
            throw ConfigError(fmt::format("{}kinds: \"{}\" must be {}", prefix, name, enumChoices<cpu::TraceKind>()));
        filter.kinds.set(static_cast<std::size_t>(*kind));
    }
    return filter;
}

void traceAsText(FirmwareTraceReader& trace, const cpu::CodePlaces* places, const cpu::TraceFilter& filter,
                 const std::function<void(std::string_view text)>& write)
{
    cpu::TraceText lines(places, trace.origin().cores);
    std::string text;
    while (const std::optional<cpu::TraceEntry> entry = trace.next()) {
        if (!filter.takes(*entry))
            continue;
        text += lines.of(*entry);
        if (text.size() >= pieceBytes) {
            write(text);
            text.clear();
        }
    }
    write(text);
}

FirmwareTraceOutput::FirmwareTraceOutput(const FirmwareTraceCommand& command, const FirmwareConfig& firmware)
    : command_(command), form_(formOf(command.form)), places_(cpu::ElfImage::load(findFirmwareImage(firmware))),
      filter_(traceFilter(command.choice, "--trace-", &places_.image())),
      entries_(originOf(places_.image().name(), firmware.cores), command.limit), file_(command.file)
{
}

void FirmwareTraceOutput::commit()
{
    const std::uint64_t kept = entries_.kept();
    const std::uint64_t leftOut = entries_.leftOut();
    const std::string bytes = std::move(entries_).file();
    if (form_ == TraceForm::Text) {
        FirmwareTraceReader trace(bytes);
        traceAsText(trace, &places_, filter_, [this](std::string_view text) { file_.write(text); });
        file_.commit();
    } else {
        file_.commit(bytes);
    }
    if (kept == 0)
        fmt::print(stderr, "{}: it has no entry: firmware did nothing that was chosen\n", command_.file);
    if (leftOut > 0)
        fmt::print(stderr,
                   "{}: {} more entries are not in it; --trace-limit {} holds them, or a choice of fewer "
                   "(--trace-from, --trace-to, --trace-range, --trace-kinds)\n",
                   command_.file, grouped(leftOut), kept + leftOut);
}

int inspectFirmwareTrace(const InspectFirmwareTraceCommand& command)
{
    std::optional<cpu::CodePlaces> places;
    if (!command.image.empty()) {
        try {
            places.emplace(cpu::ElfImage::load(command.image));
        } catch (const ConfigError& problem) {
            throw ConfigError(fmt::format("--firmware {}: {}", command.image, problem.what()));
        }
    }
    const cpu::TraceFilter filter = traceFilter(command.choice, "--", places ? &places->image() : nullptr);
    try {
        const std::string bytes = contentsOfFile(command.file);
        FirmwareTraceReader trace(bytes);
        if (places && digestOfFile(command.image) != trace.origin().digest)
            throw ConfigError(fmt::format("--firmware: {} is not the image that {} was recorded with, {}",
                                          command.image, command.file, trace.origin().image));
        traceAsText(trace, places ? &*places : nullptr, filter,
                    [](std::string_view text) { printOut(std::string(text)); });
    } catch (const DamagedBytes& damage) {
        throw ConfigError(command.file + ": " + damage.what());
    } catch (const UnreadableFile& problem) {
        throw ConfigError(command.file + ": " + problem.what());
    }
    return exitOk;
}

} // namespace strobe::platform
