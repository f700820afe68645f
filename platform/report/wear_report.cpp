// SPDX-License-Identifier: Apache-2.0
#include "platform/report/wear_report.h"

namespace strobe::platform {

namespace {

StatisticValue orNone(const std::optional<double>& value)
{
    return value ? StatisticValue{*value} : StatisticValue{std::monostate{}};
}

} // namespace

double WearReport::Overwrites::mean() const
{
    return pages == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(pages);
}

void WearReport::Overwrites::declare(Statistics& stats) const
{
    stats.derive("pages", Unit::Count, "pages of the drive", pages);
    stats.derive("min", Unit::Count, "programs of the least programmed page", std::uint64_t{minimum});
    stats.derive("mean", Unit::Ratio, "programs of a page on average", mean());
    stats.derive("max", Unit::Count, "programs of the most programmed page", std::uint64_t{maximum});
}

void WearReport::declare(Statistics& stats) const
{
    stats.derive("blocks", Unit::Count, "blocks of the drive", blocks);
    stats.derive("factory_bad", Unit::Count, "of these, bad from the factory; the others are good", factoryBad);
    stats.derive("failed", Unit::Count, "good blocks of which a program or an erase has failed", failed);
    stats.derive("min_erases", Unit::Count, "erases of the least worn good block", std::uint64_t{minimum});
    stats.derive("mean_erases", Unit::Ratio, "erases of a good block on average", meanErases(*this));
    stats.derive("max_erases", Unit::Count, "erases of the most worn good block", std::uint64_t{maximum});
    stats.derive("erases", Unit::Count, "sum over all good blocks", erases);
    stats.derive("rated_endurance", Unit::Count,
                 "program/erase cycles that the part is rated for; null if it has no rating",
                 endurance == 0 ? StatisticValue{std::monostate{}} : StatisticValue{std::uint64_t{endurance}});
    stats.derive("mean_life_used", Unit::Ratio,
                 "share of the rated cycles that a block has used on average, earlier wear included (without erases: a "
                 "page); null without a rating",
                 orNone(lifeUsed(*this, meanCycles(*this))));
    stats.derive("max_life_used", Unit::Ratio, "the same of the most worn block or page",
                 orNone(lifeUsed(*this, mostCycles(*this))));
}

void WearReport::declarePreAge(Statistics& stats) const
{
    stats.derive("pre_aged", Unit::Ratio, "share of the rated cycles that was used before the run", preAged);
}

double meanErases(const WearReport& wear)
{
    const std::uint64_t good = wear.blocks - wear.factoryBad;
    return good == 0 ? 0 : static_cast<double>(wear.erases) / static_cast<double>(good);
}

double meanCycles(const WearReport& wear)
{
    return wear.overwrites ? wear.overwrites->mean() : meanErases(wear);
}

double mostCycles(const WearReport& wear)
{
    return wear.overwrites ? wear.overwrites->maximum : wear.maximum;
}

std::optional<double> lifeUsed(const WearReport& wear, double cycles)
{
    if (wear.endurance == 0)
        return std::nullopt;
    return wear.preAged + cycles / wear.endurance;
}

} // namespace strobe::platform
