// SPDX-License-Identifier: Apache-2.0
#include "platform/app/output_file.h"

#include "models/base/config_error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace strobe::platform {

namespace fs = std::filesystem;

namespace {

// Where a path leads, whether there is a file yet or not.
fs::path placeOf(const std::string& path)
{
    constexpr int mostLinks = 40;
    std::error_code error;
    fs::path place = fs::absolute(path);
    for (int i = 0; i < mostLinks && fs::is_symlink(place, error); ++i)
        place = place.parent_path() / fs::read_symlink(place, error);
    return fs::weakly_canonical(place, error);
}

OutputFile* firstOfAll = nullptr;

bool areSame(const std::string& a, const std::string& b)
{
    if (a == "-" || b == "-")
        return a == b;
    std::error_code error;
    const fs::file_status status = fs::status(a, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
        return false;
    if (fs::exists(status) && fs::exists(b, error))
        return fs::equivalent(a, b, error);
    return placeOf(a) == placeOf(b);
}

} // namespace

void requireSafeOutputs(const std::vector<std::string>& inputs, std::initializer_list<NamedOutput> outputs)
{
    const auto isInput = [&inputs](const std::string& path) {
        std::error_code error;
        return path != "-" && fs::exists(path, error) &&
               std::any_of(inputs.begin(), inputs.end(),
                           [&path](const std::string& input) { return areSame(path, input); });
    };
    for (const NamedOutput* one = outputs.begin(); one != outputs.end(); ++one) {
        if (one->path.empty())
            continue;
        if (isInput(one->path))
            throw ConfigError(std::string(one->option) + ": " + one->path +
                              " is read by this command; name another file");
        for (const NamedOutput* other = outputs.begin(); other != one; ++other) {
            if (other->path.empty() || !areSame(one->path, other->path))
                continue;
            throw ConfigError(std::string(other->option) + " and " + one->option +
                              (one->path == "-" ? ": standard output takes one of them; name a file for the other"
                                                : ": both name " + one->path + "; each needs a separate file"));
        }
    }
}

std::vector<std::string> filesIn(const std::string& directory)
{
    std::vector<std::string> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->is_regular_file(error))
            files.push_back(entry->path().string());
    }
    return files;
}

OutputFile::OutputFile(const std::string& path) : path_(path)
{
    std::error_code ignored;
    struct stat info {};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        fail(EISDIR);
    if (exists && !S_ISREG(info.st_mode)) { // by this path: /dev/stdout leads to a pipe without a name
        descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0)
            fail(errno);
        return;
    }
    target_ = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored).string() : path;
    if (exists && ::access(target_.c_str(), W_OK) != 0)
        fail(errno);
    temporary_ = target_ + ".XXXXXX";
    descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
        const int error = errno;
        temporary_.clear();
        fail(error);
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t everyone = 0666;
    ::fchmod(descriptor_, exists ? info.st_mode & 0777U : everyone & ~mask); // mkstemp gives 0600
    next_ = firstOfAll;
    firstOfAll = this;
}

OutputFile::~OutputFile()
{
    for (OutputFile** file = &firstOfAll; *file != nullptr; file = &(*file)->next_) {
        if (*file == this) {
            *file = next_;
            break;
        }
    }
    if (descriptor_ >= 0)
        ::close(descriptor_);
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view content)
{
    for (std::size_t done = 0; done < content.size();) {
        const ssize_t written = ::write(descriptor_, content.data() + done, content.size() - done);
        if (written < 0 && errno != EINTR)
            fail(errno);
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
}

void OutputFile::commit(std::string_view last)
{
    write(last);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0)
        fail(errno);
    if (!temporary_.empty() && ::rename(temporary_.c_str(), target_.c_str()) != 0)
        fail(errno);
    temporary_.clear();
}

void OutputFile::abandonAll()
{
    for (const OutputFile* file = firstOfAll; file != nullptr; file = file->next_) {
        if (!file->temporary_.empty())
            ::unlink(file->temporary_.c_str());
    }
}

void OutputFile::fail(int error) const
{
    throw ConfigError(path_ + ": cannot be written: " + std::strerror(error));
}

} // namespace strobe::platform
