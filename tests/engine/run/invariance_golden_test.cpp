// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The contract in numbers: a digest of every cell of a small run, for each weight format. It is the
// same in every process, on every machine, with every compiler and at every level of optimisation;
// tests/checks/portable_builds.sh runs this very test in builds with other compilers. A digest that
// changes is either a bug or a new contract, and then kContractVersion changes with it.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <string>

#include "engine/run/decoder.h"
#include "tests/engine/run/invariance_models.h"

namespace ulp {
namespace {

const std::map<std::string, std::uint64_t>& goldenDigests()
{
    static const std::map<std::string, std::uint64_t> digests{
#include "tests/engine/run/golden_digests.inc"
    };
    return digests;
}

std::uint64_t digestOf(const test::Ran& ran)
{
    std::vector<std::uint64_t> hashes;
    for (const auto& [key, hash] : ran.seen.cells) {
        hashes.push_back(hash);
    }
    for (const std::int32_t token : ran.result.tokens) {
        hashes.push_back(static_cast<std::uint64_t>(token));
    }
    return XXH3_64bits(hashes.data(), hashes.size() * sizeof(std::uint64_t));
}

class Golden : public testing::TestWithParam<numeric::WeightType> {};

TEST_P(Golden, CellsAreThoseOfTheContract)
{
    const auto model = test::loadTiny(test::oddShape(GetParam()));
    ASSERT_NE(model, nullptr);
    for (const Isa isa : kernels::availableIsas()) {
        RunSettings settings;
        settings.threads = 2;
        settings.steps = 6;
        settings.ignoreEos = true;
        settings.isa = isa;
        settings.prefillChunk = 32;
        const auto digest = digestOf(
            test::runAndCollect(model, settings, test::somePrompt(70, model->hyper().vocab)));
        const std::string name(numeric::weightTypeInfo(GetParam()).name);
        std::array<char, 64> line{};
        std::snprintf(line.data(), line.size(), "{\"%s\", 0x%016llx},", name.c_str(),
                      static_cast<unsigned long long>(digest));
        const auto known = goldenDigests().find(name);
        ASSERT_NE(known, goldenDigests().end()) << "a new format: add to golden_digests.inc\n"
                                                << line.data();
        EXPECT_EQ(digest, known->second) << toString(isa) << " gives\n" << line.data();
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, Golden, testing::ValuesIn(test::allFormats()),
                         [](const auto& param) {
                             return std::string(numeric::weightTypeInfo(param.param).name);
                         });

} // namespace
} // namespace ulp
