// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/companions.h"

#include <algorithm>
#include <limits>

#include "engine/numeric/random.h"

namespace ulp::run {
namespace {

constexpr std::uint64_t kGuestsOfAPlace = 1U << 20U;
constexpr std::int64_t kLongestStay = 12;
constexpr std::int64_t kLongestGap = 3;

/// Draws for the schedule: prompts take stream `guest`, so that these never meet them.
enum Draw : std::uint64_t { Arrival = 1, Length, Gap, PromptLength };

std::int64_t draw(const RunSettings& settings, std::uint64_t guest, Draw what, std::int64_t count)
{
    constexpr std::uint64_t kScheduleStreams = std::uint64_t{1} << 63U;
    const float u = numeric::uniformFloat(settings.seed, kScheduleStreams | guest, what);
    return std::min(static_cast<std::int64_t>(u * static_cast<float>(count)), count - 1);
}

std::uint64_t guestOf(int place, std::uint64_t visit)
{
    return static_cast<std::uint64_t>(place) + visit * kGuestsOfAPlace;
}

Stay stayFrom(const RunSettings& settings, std::int64_t begin, std::uint64_t guest)
{
    return {begin, begin + 1 + draw(settings, guest, Length, kLongestStay), guest};
}

} // namespace

Stay firstStay(const RunSettings& settings, int place)
{
    const std::uint64_t guest = guestOf(place, 0);
    if (settings.companions == Companions::Steady) {
        return {0, std::numeric_limits<std::int64_t>::max(), guest};
    }
    return stayFrom(settings, draw(settings, guest, Arrival, kLongestGap + 1), guest);
}

Stay nextStay(const RunSettings& settings, int place, const Stay& previous)
{
    const std::uint64_t guest = guestOf(place, previous.guest / kGuestsOfAPlace + 1);
    return stayFrom(settings, previous.end + draw(settings, guest, Gap, kLongestGap + 1), guest);
}

std::vector<std::int32_t> companionPrompt(const RunSettings& settings, std::uint64_t guest,
                                          std::size_t mainLength, std::int64_t vocab)
{
    std::size_t length = std::max<std::size_t>(1, mainLength - mainLength / 4);
    if (settings.companions == Companions::Joining) {
        length = 1 + static_cast<std::size_t>(draw(settings, guest, PromptLength,
                                                   static_cast<std::int64_t>(mainLength)));
    }
    std::vector<std::int32_t> tokens(length);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const float u = numeric::uniformFloat(settings.seed, guest, static_cast<std::uint64_t>(i));
        const auto token = static_cast<std::int64_t>(u * static_cast<float>(vocab));
        tokens[i] = static_cast<std::int32_t>(std::min(token, vocab - 1));
    }
    return tokens;
}

} // namespace ulp::run
