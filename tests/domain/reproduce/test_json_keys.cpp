// SPDX-License-Identifier: Apache-2.0
#include "models/base/config_error.h"
#include "platform/reproduce/json_keys.h"
#include "tests/support/catch.h"

#include <functional>

using namespace strobe;
using namespace strobe::platform;
using nlohmann::json;

namespace {

std::string mistakeOf(const std::function<void()>& read)
{
    try {
        read();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "none";
}

} // namespace

TEST_CASE("keys of an object are read with the place of a mistake")
{
    const json object{{"name", "A"}, {"size", 3}, {"isNew", true}};
    const JsonKeys keys(object, "paper.json: /figures/0");
    CHECK(keys.text("name") == "A");
    CHECK(keys.textOr("title", "none") == "none");
    CHECK(keys.at("size") == 3);
    CHECK(mistakeOf([&] { keys.at("title"); }) == "paper.json: /figures/0/title: is missing");
    CHECK(mistakeOf([&] { keys.text("size"); }) == "paper.json: /figures/0/size: must be a text in quotes, not 3");
    CHECK(mistakeOf([&] { keys.textOr("size", ""); }) != "none");
    CHECK(mistakeOf([&] { keys.allowOnly({"name", "size", "isNew"}); }) == "none");
    CHECK(keys.flagOr("isNew", false));
    CHECK_FALSE(keys.flagOr("isOld", false));
    CHECK(mistakeOf([&] { keys.flagOr("size", false); }) ==
          "paper.json: /figures/0/size: must be true or false, not 3");
    CHECK(mistakeOf([&] {
              keys.allowOnly({"name", "title", "isNew"});
          }) == "paper.json: /figures/0/size: unknown key; allowed here: \"name\", \"title\", \"isNew\"");
}

TEST_CASE("what is no object is refused")
{
    const json list{1};
    CHECK(mistakeOf([&] { JsonKeys(list, "paper.json: /axes"); }) == "paper.json: /axes: must be an object, not [1]");
}
