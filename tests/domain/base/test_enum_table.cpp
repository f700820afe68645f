// SPDX-License-Identifier: Apache-2.0
#include "models/base/enum_table.h"
#include "tests/support/catch.h"

#include <array>

namespace {

enum class Fruit { Apple, Pear, Plum, Unlisted };
constexpr std::array<strobe::EnumRow<Fruit>, 3> fruitTable{
    {{Fruit::Apple, "apple", ""}, {Fruit::Pear, "pear", ""}, {Fruit::Plum, "plum", ""}}};
constexpr const auto& enumTable(Fruit)
{
    return fruitTable;
}

enum class Single { Only };
constexpr std::array<strobe::EnumRow<Single>, 1> singleTable{{{Single::Only, "only", ""}}};
constexpr const auto& enumTable(Single)
{
    return singleTable;
}

} // namespace

using namespace strobe;

TEST_CASE("names and values of an enum come from its one table")
{
    CHECK(enumName(Fruit::Pear) == "pear");
    CHECK(enumName(Fruit::Unlisted) == "?");
    CHECK(enumValue<Fruit>("plum") == Fruit::Plum);
    CHECK(enumValue<Fruit>("Plum") == std::nullopt);
    CHECK(enumValue<Fruit>("") == std::nullopt);
}

TEST_CASE("the choices of an enum read as a sentence")
{
    CHECK(enumChoices<Fruit>() == R"("apple", "pear" or "plum")");
    CHECK(enumChoices<Single>() == R"("only")");
}
