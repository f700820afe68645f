// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/block_thread.h"

#include <csignal>
#include <system_error>
#include <utility>

namespace strobe::platform {

namespace {

// Begins with the signal mask of the thread that starts it.
template <class Run>
std::thread withoutSignals(Run run)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const struct Restore {
        const sigset_t& mask;
        ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
    } restore{before};
    return std::thread(run);
}

} // namespace

BlockThread::BlockThread(std::size_t blockBytes, Handle handle) : blockBytes_(blockBytes), handle_(std::move(handle))
{
    memory_[0] = std::make_unique<std::byte[]>(blockBytes);
}

BlockThread::~BlockThread()
{
    if (!thread_.joinable())
        return;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        isOver_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void BlockThread::pass(const std::byte* end)
{
    std::unique_lock<std::mutex> lock(mutex_);
    ends_[passed_ % blocks] = end;
    ready_ = ++passed_;
    std::unique_ptr<std::byte[]>& next = memory_[passed_ % blocks];
    if (next == nullptr)
        next = std::make_unique<std::byte[]>(blockBytes_);
    if (isOneThread_) {
        handle(lock);
        return;
    }
    if (passed_ > 1 && !thread_.joinable() && !starts()) {
        isOneThread_ = true;
        while (ready_ != handled_)
            handle(lock);
        return;
    }
    changed_.notify_all();
    changed_.wait(lock, [this] { return ready_ - handled_ < blocks; });
}

bool BlockThread::starts()
{
    try {
        thread_ = withoutSignals([this] { run(); });
    } catch (const std::system_error&) { // a limit of threads
        return false;
    }
    return true;
}

void BlockThread::wait()
{
    {
        std::unique_lock<std::mutex> lock(mutex_);
        if (!thread_.joinable() && ready_ != handled_) // there is one block
            handle(lock);
        changed_.wait(lock, [this] { return ready_ == handled_; });
    }
    rethrow();
}

void BlockThread::rethrow()
{
    std::exception_ptr error;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        error = std::exchange(error_, nullptr);
    }
    if (error != nullptr)
        std::rethrow_exception(error);
}

void BlockThread::run()
{
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return isOver_ || ready_ != handled_; });
        if (isOver_)
            return;
        handle(lock);
        changed_.notify_all();
    }
}

void BlockThread::handle(std::unique_lock<std::mutex>& lock)
{
    const std::size_t number = handled_ % blocks;
    const std::byte* const end = ends_[number];
    const bool isDropped = hasFailed_;
    std::exception_ptr error;
    lock.unlock();
    try {
        if (!isDropped)
            handle_(memory_[number].get(), end);
    } catch (...) {
        error = std::current_exception();
    }
    lock.lock();
    ++handled_;
    if (error != nullptr) {
        error_ = error;
        hasFailed_ = true;
    }
}

} // namespace strobe::platform
