// SPDX-License-Identifier: Apache-2.0
#include "models/base/ids.h"
#include "tests/support/catch.h"

#include <type_traits>

using namespace strobe;

template <class Vector, class Index, class = void>
struct IsIndexable : std::false_type {
};
template <class Vector, class Index>
struct IsIndexable<Vector, Index, std::void_t<decltype(std::declval<Vector&>()[std::declval<Index>()])>>
    : std::true_type {
};

TEST_CASE("an id vector is indexed by its own id and by nothing else")
{
    IdVector<DieId, int> perDie(4, 7);
    perDie[DieId{2}] = 9;
    CHECK(perDie[DieId{1}] == 7);
    CHECK(perDie[DieId{2}] == 9);
    CHECK(perDie.size() == 4);
    STATIC_REQUIRE(IsIndexable<IdVector<DieId, int>, DieId>::value);
    STATIC_REQUIRE_FALSE(IsIndexable<IdVector<DieId, int>, ChannelId>::value);
    STATIC_REQUIRE_FALSE(IsIndexable<IdVector<DieId, int>, int>::value);
}

TEST_CASE("a bus address moves by bytes")
{
    CHECK(BusAddress{0x1000} + 0x20 == BusAddress{0x1020});
}
