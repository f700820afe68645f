#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// Reads the keys of one object of a paper.json. Errors: ConfigError with the object's place and what is allowed, for
// a value that is not an object, a key that is unknown or missing, and a value of the wrong kind.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace strobe::platform {

class JsonKeys {
public:
    // `place`: "paper.json: /statements/3".
    JsonKeys(const nlohmann::json& object, std::string place);

    void allowOnly(const std::vector<std::string>& keys) const;
    const nlohmann::json& at(const std::string& key) const;
    std::string text(const std::string& key) const;
    std::string textOr(const std::string& key, const std::string& otherwise) const;
    bool flagOr(const std::string& key, bool otherwise) const; // true or false

private:
    const nlohmann::json& object_;
    std::string place_;
};

} // namespace strobe::platform
