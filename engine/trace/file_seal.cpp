// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/file_seal.h"

#include <cerrno>
#include <cstring>
#include <random>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "engine/base/bytes.h"
#include "engine/base/mapped_file.h"
#include "engine/base/sha256.h"
#include "engine/trace/trace_schema.h"

namespace ulp::trace {
namespace {

/// The digest of the file with zeros at `at`.
std::string digestWithout(std::string_view bytes, std::size_t at)
{
    Sha256 digest;
    digest.update(bytes.substr(0, at));
    digest.update(std::string(kDigestLength, '0'));
    digest.update(bytes.substr(at + kDigestLength));
    return digest.finish();
}

Error systemError(const std::string& name)
{
    const int code = errno;
    return makeError(ErrorCode::Io, std::string("cannot be sealed: ") + std::strerror(code), name,
                     code == ENOSPC ? "free space on that disk, or choose a folder on another one"
                                    : "check that you may write there and the disk has space");
}

} // namespace

std::string randomNonce()
{
    std::random_device source;
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string nonce;
    while (nonce.size() < 32) {
        nonce += kHex[source() % 16];
    }
    return nonce;
}

Result<void> stampSeal(const std::string& file, const std::string& name, const std::string& prefix)
{
    std::size_t at = 0;
    std::string digest;
    {
        auto mapped = MappedFile::open(file);
        if (!mapped) {
            return mapped.error();
        }
        const std::string_view bytes = asText(mapped->bytes());
        const std::size_t found = bytes.find(prefix + std::string(kDigestLength, '0'));
        if (found == std::string_view::npos) {
            return makeError(ErrorCode::Internal, "the seal is not where it was written", name,
                             "record again");
        }
        at = found + prefix.size();
        digest = digestWithout(bytes, at);
    }
    const int handle = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (handle < 0) {
        return systemError(name);
    }
    const ssize_t written = ::pwrite(handle, digest.data(), digest.size(), static_cast<off_t>(at));
    const bool fine = written == static_cast<ssize_t>(digest.size()) && ::fsync(handle) == 0;
    const Error error = systemError(name);
    ::close(handle);
    return fine ? Result<void>() : error;
}

Result<std::string> checkSeal(const std::string& file, const std::string& seal)
{
    if (seal.size() != kSealLength) {
        return std::string("the seal is malformed");
    }
    auto mapped = MappedFile::open(file);
    if (!mapped) {
        return mapped.error();
    }
    const std::string_view bytes = asText(mapped->bytes());
    const std::string prefix = seal.substr(0, kSealLength - kDigestLength);
    const std::size_t found = bytes.find(seal);
    if (found == std::string_view::npos ||
        bytes.find(prefix, found + 1) != std::string_view::npos) {
        return std::string("the seal is not in the file exactly once");
    }
    if (digestWithout(bytes, found + prefix.size()) != seal.substr(prefix.size())) {
        return std::string("the file's bytes are not those that were sealed");
    }
    return std::string();
}

} // namespace ulp::trace
