// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed of matrix products beside the limits of the machine, all measured in one interleaved loop:
// fused multiply-adds and dpbusd from registers, and a plain read of as many bytes.
//
//   matmul_bench [--rounds N] [--threads N] [--isa NAME] [--policy NAME] [--type NAME]
//                [--tokens N] [--shape ROWSxK] [--cpu-time]
//
// First a line for each format, shape and number of tokens, then the share of the peak of all
// formats in one table (the peak is the instruction set's multiply-add of float or of bytes), and
// for one token the share of a plain read. Best of all rounds. --cpu-time takes the calling
// thread's processor time instead of wall time: on a busy machine the better measure of a kernel on
// one thread, and meaningless on several.
#include <immintrin.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/kernels/matmul.h"
#include "engine/numeric/float_format.h"
#include "tests/engine/support/quant_fields.h"

namespace ulp::kernels {
namespace {

using numeric::WeightType;

struct Shape {
    std::int64_t rows;
    std::int64_t k;
};

struct Options {
    int rounds = 5;
    std::vector<int> threads{1, 2};
    Isa isa = bestIsa();
    Policy policy = Policy::Ordered;
    std::string type;
    std::vector<std::int64_t> tokens{1, 2, 4, 8, 512};
    std::vector<Shape> shapes{{2048, 2048}};
    bool cpuTime = false;
};

double now(const Options& options)
{
    timespec t{};
    clock_gettime(options.cpuTime ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1.0e-9 * static_cast<double>(t.tv_nsec);
}

/// The fastest of several runs of f, in seconds; stops after about 60 ms.
template <typename F>
double fastest(const Options& options, F&& f)
{
    double best = 1.0e9;
    double total = 0.0;
    for (int i = 0; i < 2 || (total < 0.06 && i < 1000); ++i) {
        const double begin = now(options);
        f();
        const double seconds = now(options) - begin;
        best = std::min(best, seconds);
        total += seconds;
    }
    return best;
}

volatile std::int64_t g_sinkInt;

#define ULP_BENCH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
#define ULP_BENCH_AVX2 __attribute__((target("avx2,fma")))

// Enough independent chains for two ports of latency 5.
constexpr int kChains = 12;
constexpr std::int64_t kPeakSteps = 200000;

ULP_BENCH_AVX512 void fma512()
{
    __m512 sums[kChains] = {};
    const __m512 a = _mm512_set1_ps(1.0001F);
    for (std::int64_t i = 0; i < kPeakSteps; ++i) {
#pragma GCC unroll 12
        for (int c = 0; c < kChains; ++c) {
            asm volatile("vfmadd231ps %1, %1, %0" : "+v"(sums[c]) : "v"(a));
        }
    }
}

ULP_BENCH_AVX512 void dot512()
{
    __m512i sums[kChains] = {};
    const __m512i a = _mm512_set1_epi32(0x01020304);
    for (std::int64_t i = 0; i < kPeakSteps; ++i) {
#pragma GCC unroll 12
        for (int c = 0; c < kChains; ++c) {
            asm volatile("vpdpbusd %1, %1, %0" : "+v"(sums[c]) : "v"(a));
        }
    }
}

ULP_BENCH_AVX2 void fma256()
{
    __m256 sums[kChains] = {};
    const __m256 a = _mm256_set1_ps(1.0001F);
    for (std::int64_t i = 0; i < kPeakSteps; ++i) {
#pragma GCC unroll 12
        for (int c = 0; c < kChains; ++c) {
            asm volatile("vfmadd231ps %1, %1, %0" : "+x"(sums[c]) : "x"(a));
        }
    }
}

/// vpmaddubsw and vpaddw: the multiply-add of bytes that AVX2 has.
ULP_BENCH_AVX2 void dot256()
{
    __m256i sums[kChains] = {};
    const __m256i a = _mm256_set1_epi32(0x01020304);
    for (std::int64_t i = 0; i < kPeakSteps; ++i) {
#pragma GCC unroll 12
        for (int c = 0; c < kChains; ++c) {
            __m256i pairs;
            asm volatile("vpmaddubsw %1, %1, %0" : "=x"(pairs) : "x"(a));
            asm volatile("vpaddw %1, %0, %0" : "+x"(sums[c]) : "x"(pairs));
        }
    }
}

ULP_BENCH_AVX2 void readBytes(const std::byte* data, std::size_t bytes)
{
    __m256i sums[8] = {};
    for (std::size_t i = 0; i + 256 <= bytes; i += 256) {
#pragma GCC unroll 8
        for (std::size_t c = 0; c < 8; ++c) {
            sums[c] = _mm256_xor_si256(
                sums[c], _mm256_load_si256(reinterpret_cast<const __m256i*>(data + i + c * 32)));
        }
    }
    for (int c = 1; c < 8; ++c) {
        sums[0] = _mm256_xor_si256(sums[0], sums[c]);
    }
    g_sinkInt = _mm_cvtsi128_si32(_mm256_castsi256_si128(sums[0]));
}

/// Random weights of a format that stay numbers.
std::vector<std::uint8_t> randomWeights(WeightType type, const Shape& shape)
{
    const auto& info = numeric::weightTypeInfo(type);
    const std::int64_t blocks = shape.rows * shape.k / info.blockElements;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(blocks * info.blockBytes));
    std::mt19937 random(1);
    for (auto& byte : bytes) {
        byte = static_cast<std::uint8_t>(random());
    }
    for (std::int64_t b = 0; b < blocks; ++b) {
        std::uint8_t* block = bytes.data() + b * info.blockBytes;
        const float x = static_cast<float>(random() % 1000) * 1.0e-4F;
        const std::uint16_t half =
            type == WeightType::Bf16 ? numeric::floatToBf16(x) : numeric::floatToF16(x);
        if (!info.quantised) {
            std::memcpy(block, type == WeightType::F32 ? static_cast<const void*>(&x) : &half,
                        static_cast<std::size_t>(info.blockBytes));
        } else if (type == WeightType::Mxfp4) {
            block[0] = 120;
        }
        for (const ulp::test::HalfField& field : ulp::test::halfFields(type)) {
            std::memcpy(block + field.offset, &half, 2);
        }
    }
    return bytes;
}

/// Best seconds by label, over all rounds.
class Table {
  public:
    void add(const std::string& label, double seconds)
    {
        const auto [at, isNew] = m_best.try_emplace(label, seconds);
        at->second = isNew ? seconds : std::min(at->second, seconds);
    }
    [[nodiscard]] double best(const std::string& label) const { return m_best.at(label); }

  private:
    std::map<std::string, double> m_best;
};

constexpr std::size_t kColdBytes = std::size_t{256} << 20;

struct Bench {
    const Options& options;
    Table table;

    [[nodiscard]] ExecContext context(int threads, const Shape& shape) const
    {
        return ExecContext{Team(threads), options.isa, shape.k >= 2048 ? 256 : 64, options.policy};
    }

    void peaks(int threads, const std::vector<std::byte>& memory)
    {
        const Team team(threads);
        const bool wide = options.isa == Isa::Avx512;
        const std::string suffix = "/" + std::to_string(threads);
        table.add("fma" + suffix,
                  fastest(options, [&] { team.run([&](int) { wide ? fma512() : fma256(); }); }));
        table.add("dot" + suffix,
                  fastest(options, [&] { team.run([&](int) { wide ? dot512() : dot256(); }); }));
        table.add("read" + suffix, fastest(options, [&] {
                      team.run([&](int thread) {
                          const std::size_t share = memory.size() / threads / 64 * 64;
                          const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
                          readBytes(memory.data() + (64 - at % 64) % 64 + share * thread,
                                    share - 64);
                      });
                  }));
    }

    /// Tokens over copies of one matrix that together exceed the caches if `cold`.
    void product(WeightType type, const Shape& shape, std::int64_t tokens, int threads,
                 const std::string& label)
    {
        const auto source = randomWeights(type, shape);
        const bool cold = tokens <= 8 && shape.k >= 2048;
        const std::size_t copies = cold ? kColdBytes / source.size() : 1;
        std::vector<PackedMatrix> matrices;
        for (std::size_t i = 0; i < copies; ++i) {
            matrices.push_back(*PackedMatrix::pack(type, std::as_bytes(std::span(source)),
                                                   shape.rows, shape.k, Team(1)));
        }
        std::vector<float> x(static_cast<std::size_t>(tokens * shape.k));
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<float>(i % 97) * 0.01F - 0.4F;
        }
        std::vector<float> out(static_cast<std::size_t>(tokens * shape.rows));
        Activations input;
        const ExecContext exec = context(threads, shape);
        const bool quantised = numeric::weightTypeInfo(type).quantised;
        const double seconds = fastest(options, [&] {
            input.set(x.data(), tokens, shape.k, shape.k, quantised, exec);
            for (const auto& matrix : matrices) {
                matmul(matrix, input, out.data(), shape.rows, exec);
            }
        });
        table.add(label, seconds / static_cast<double>(copies));
    }
};

struct Line {
    WeightType type;
    Shape shape;
    std::int64_t tokens;
    int threads;

    [[nodiscard]] std::string label() const
    {
        char text[96];
        std::snprintf(text, sizeof text, "%-5s %5lld x %-5lld %4lld tokens, %d thread%s",
                      std::string(numeric::weightTypeInfo(type).name).c_str(),
                      static_cast<long long>(shape.rows), static_cast<long long>(shape.k),
                      static_cast<long long>(tokens), threads, threads == 1 ? " " : "s");
        return text;
    }
};

double lanes(const Options& options)
{
    return options.isa == Isa::Avx512 ? 16.0 : 8.0;
}

double operations(const Line& line)
{
    return 2.0 * static_cast<double>(line.shape.rows * line.shape.k * line.tokens);
}

double fileBytes(const Line& line)
{
    const auto& info = numeric::weightTypeInfo(line.type);
    return static_cast<double>(line.shape.rows * line.shape.k) /
           static_cast<double>(info.blockElements) * static_cast<double>(info.blockBytes);
}

double shareOfPeak(const Bench& bench, const Line& line)
{
    const bool quantised = numeric::weightTypeInfo(line.type).quantised;
    const std::string suffix = "/" + std::to_string(line.threads);
    const double peak = static_cast<double>(kPeakSteps * kChains * line.threads) *
                        lanes(bench.options) * (quantised ? 8.0 : 2.0) /
                        bench.table.best((quantised ? "dot" : "fma") + suffix);
    return operations(line) / bench.table.best(line.label()) / peak;
}

double shareOfRead(const Bench& bench, const Line& line)
{
    const double read =
        static_cast<double>(kColdBytes) / bench.table.best("read/" + std::to_string(line.threads));
    return fileBytes(line) / bench.table.best(line.label()) / read;
}

void print(const Bench& bench, const Line& line)
{
    const double seconds = bench.table.best(line.label());
    std::printf("%s  %8.1f G%s/s  %5.1f %% of peak   %8.2f us  %6.1f GB/s of weights, %4.2f of a "
                "plain read\n",
                line.label().c_str(), operations(line) / seconds * 1.0e-9,
                numeric::weightTypeInfo(line.type).quantised ? "op" : "FLOP",
                100.0 * shareOfPeak(bench, line), seconds * 1.0e6,
                fileBytes(line) / seconds * 1.0e-9, shareOfRead(bench, line));
}

void printTable(const Bench& bench, const std::vector<Line>& lines, int threads, const Shape& shape)
{
    std::printf("\n%d thread%s, %lld x %lld, share of peak in %%\n%-8s", threads,
                threads == 1 ? "" : "s", static_cast<long long>(shape.rows),
                static_cast<long long>(shape.k), "tokens");
    for (const std::int64_t tokens : bench.options.tokens) {
        std::printf("%8lld", static_cast<long long>(tokens));
    }
    std::printf("\n");
    const Line* previous = nullptr;
    for (const Line& line : lines) {
        if (line.threads != threads || line.shape.rows != shape.rows || line.shape.k != shape.k) {
            continue;
        }
        if (previous == nullptr || previous->type != line.type) {
            std::printf("%s%-8s", previous == nullptr ? "" : "\n",
                        std::string(numeric::weightTypeInfo(line.type).name).c_str());
        }
        std::printf("%8.1f", 100.0 * shareOfPeak(bench, line));
        previous = &line;
    }
    std::printf("\n");
    for (const Line& line : lines) {
        if (line.tokens == 1 && line.threads == threads && line.shape.rows == shape.rows &&
            line.shape.k == shape.k) {
            std::printf("%-8s %5.2f of a plain read\n",
                        std::string(numeric::weightTypeInfo(line.type).name).c_str(),
                        shareOfRead(bench, line));
        }
    }
}

std::vector<WeightType> typesToMeasure(const std::string& only)
{
    std::vector<WeightType> types;
    for (std::uint32_t number = 0; number < 64; ++number) {
        const auto info = numeric::weightTypeInfo(number);
        if (info && (only.empty() || info->name == only)) {
            types.push_back(info->type);
        }
    }
    return types;
}

int run(const Options& options)
{
    std::vector<Line> lines;
    for (const WeightType type : typesToMeasure(options.type)) {
        for (const Shape& shape : options.shapes) {
            for (const std::int64_t tokens : options.tokens) {
                for (const int threads : options.threads) {
                    lines.push_back({type, shape, tokens, threads});
                }
            }
        }
    }
    Bench bench{options, {}};
    const std::vector<std::byte> memory(kColdBytes, std::byte{1});
    for (int round = 0; round < options.rounds; ++round) {
        for (const int threads : options.threads) {
            bench.peaks(threads, memory);
        }
        for (const auto& line : lines) {
            bench.product(line.type, line.shape, line.tokens, line.threads, line.label());
        }
    }
    std::printf("%s, policy %s, best of %d rounds\n", std::string(toString(options.isa)).c_str(),
                std::string(toString(options.policy)).c_str(), options.rounds);
    for (const int threads : options.threads) {
        const std::string suffix = "/" + std::to_string(threads);
        const double steps =
            static_cast<double>(kPeakSteps * kChains * threads) * lanes(options) * 1e-9;
        std::printf("%d threads: FMA peak %.1f GFLOP/s, byte dot peak %.1f Gop/s, read %.1f GB/s\n",
                    threads, steps * 2.0 / bench.table.best("fma" + suffix),
                    steps * 8.0 / bench.table.best("dot" + suffix),
                    static_cast<double>(kColdBytes) * 1e-9 / bench.table.best("read" + suffix));
    }
    for (const auto& line : lines) {
        print(bench, line);
    }
    for (const int threads : options.threads) {
        for (const Shape& shape : options.shapes) {
            printTable(bench, lines, threads, shape);
        }
    }
    return 0;
}

bool parse(int argc, char** argv, Options& options)
{
    for (int i = 1; i < argc; ++i) {
        const std::string flag = argv[i];
        if (flag == "--cpu-time") {
            options.cpuTime = true;
            continue;
        }
        if (i + 1 == argc) {
            return false;
        }
        const std::string value = argv[++i];
        if (flag == "--rounds") {
            options.rounds = std::max(1, std::atoi(value.c_str()));
        } else if (flag == "--threads") {
            options.threads = {std::max(1, std::atoi(value.c_str()))};
        } else if (flag == "--tokens") {
            options.tokens = {std::max(1, std::atoi(value.c_str()))};
        } else if (flag == "--shape") {
            Shape shape{};
            if (std::sscanf(value.c_str(), "%ldx%ld", &shape.rows, &shape.k) != 2 ||
                shape.rows < 1 || shape.k < 256 || shape.k % 256 != 0) {
                return false;
            }
            options.shapes = {shape};
        } else if (flag == "--type") {
            options.type = value;
        } else if (flag == "--isa" && parseIsa(value).ok()) {
            options.isa = *parseIsa(value);
        } else if (flag == "--policy" && parsePolicy(value).ok()) {
            options.policy = *parsePolicy(value);
        } else {
            return false;
        }
    }
    return options.isa != Isa::Auto && isaAvailable(options.isa);
}

} // namespace
} // namespace ulp::kernels

int main(int argc, char** argv)
{
    ulp::kernels::Options options;
    if (!ulp::kernels::parse(argc, argv, options)) {
        std::fprintf(stderr, "usage: matmul_bench [--rounds N] [--threads N] [--isa NAME] "
                             "[--policy NAME] [--type NAME] [--tokens N] [--shape ROWSxK] "
                             "[--cpu-time]\n");
        return 2;
    }
    return ulp::kernels::run(options);
}
