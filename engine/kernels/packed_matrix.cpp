// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/packed_matrix.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "engine/kernels/packed_layout.h"
#include "engine/numeric/quant_blocks.h"

namespace ulp::kernels {
namespace {

using numeric::WeightType;

struct Source {
    const std::uint8_t* data; // [rows, k] in GGUF order
    std::int64_t rows;
    std::int64_t k;
    std::int64_t rowBytes;
};

/// Elements of one row of a float format into column `slot` of a panel with 32 elements for each k.
template <typename Element>
void scatterRow(const std::uint8_t* row, std::int64_t k, std::int64_t slot, std::byte* panel)
{
    for (std::int64_t i = 0; i < k; ++i) {
        std::memcpy(panel + (i * kPanelRows + slot) * static_cast<std::int64_t>(sizeof(Element)),
                    row + i * static_cast<std::int64_t>(sizeof(Element)), sizeof(Element));
    }
}

/// Float formats: a strip of elements at a time, so that the lines written stay in the cache while
/// all rows fill them.
template <typename Element>
void packFloatPanel(const Source& source, WeightType type, std::int64_t firstRow,
                    std::int64_t rowCount, std::byte* panel)
{
    constexpr std::int64_t kStrip = 64;
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(Element));
    for (std::int64_t begin = 0; begin < source.k; begin += kStrip) {
        const std::int64_t length = std::min(kStrip, source.k - begin);
        std::byte* strip = panel + begin * kPanelRows * kSize;
        for (std::int64_t r = 0; r < rowCount; ++r) {
            const std::int64_t slot =
                type == WeightType::Bf16 ? (r % kHalfRows) * 2 + r / kHalfRows : r;
            scatterRow<Element>(source.data + (firstRow + r) * source.rowBytes + begin * kSize,
                                length, slot, strip);
        }
    }
}

/// One part of a row's levels: bits [from, from + bits) of each byte of eight words, into its
/// lines.
template <int bits, int from>
void packPart(const std::uint32_t (&words)[kGroupWords], std::byte* lines, std::int64_t lane)
{
    constexpr std::uint32_t kMask = 0x01010101U * ((1U << bits) - 1U);
    for (int line = 0; line < bits; ++line) {
        std::uint32_t packed = 0;
        for (int field = 0; field < 8 / bits; ++field) {
            packed |= (words[line + field * bits] >> from & kMask) << (field * bits);
        }
        std::memcpy(lines + line * kLineBytes + lane * 4, &packed, 4);
    }
}

/// The factors of one row's group.
template <WeightType T>
void packFactors(const numeric::WeightGroup& group, std::int64_t row, std::byte* factors)
{
    using Block = PackedBlock<T>;
    const auto put = [&](int which, int value) {
        factors[which * kPanelRows + row] = static_cast<std::byte>(value);
    };
    if constexpr (Block::kSubScales == numeric::SubScales::Whole) {
        put(0, group.factor[0]);
        if constexpr (Block::kHasMinimum) {
            put(1, group.minimumFactor[0]);
        }
    } else if constexpr (Block::kSubScales == numeric::SubScales::Halves) {
        for (int half = 0; half < 2; ++half) {
            put(half, Block::kHasMinimum ? group.factor[half] | group.minimumFactor[half] << 4
                                         : group.factor[half]);
        }
    }
}

/// One row's group `index` into a block.
template <WeightType T>
void packGroup(const numeric::WeightGroup& group, std::int64_t index, std::int64_t row,
               std::byte* block)
{
    using Block = PackedBlock<T>;
    packFactors<T>(group, row, block + Block::kFactors + index * Block::kGroupFactors);
    std::byte* half =
        block + Block::kLevels + index * Block::kGroupBytes + row / kHalfRows * Block::kHalfBytes;
    std::uint32_t words[kGroupWords];
    static_assert(sizeof words == sizeof group.level);
    std::memcpy(words, group.level, sizeof words);
    packPart<Block::kLowBits, 0>(words, half, row % kHalfRows);
    if constexpr (Block::kHighBits != 0) {
        packPart<Block::kHighBits, Block::kLowBits>(words, half + Block::kHighLines,
                                                    row % kHalfRows);
    }
}

template <WeightType T>
void packQuantisedPanel(const Source& source, std::int64_t firstRow, std::int64_t rowCount,
                        std::byte* panel)
{
    using Block = PackedBlock<T>;
    using Traits = typename Block::Traits;
    numeric::WeightGroup group;
    for (std::int64_t b = 0; b < source.k / Traits::kElements; ++b) {
        std::byte* block = panel + b * Block::kBytes;
        for (std::int64_t r = 0; r < rowCount; ++r) {
            const std::uint8_t* from =
                source.data + (firstRow + r) * source.rowBytes + b * Traits::kBytes;
            for (int g = 0; g < Block::kGroups; ++g) {
                Traits::group(from, g, group);
                packGroup<T>(group, g, r, block);
            }
            std::memcpy(block + r * 2, &group.scaleBits, 2);
            if constexpr (Block::kHasMinimum) {
                std::memcpy(block + Block::kMinimums + r * 2, &group.minimumBits, 2);
            }
        }
    }
}

void packPanel(const Source& source, WeightType type, std::int64_t firstRow, std::byte* panel,
               std::int64_t panelBytes)
{
    const std::int64_t rowCount = std::min(kPanelRows, source.rows - firstRow);
    if (rowCount < kPanelRows) {
        std::memset(panel, 0, static_cast<std::size_t>(panelBytes));
    }
    if (type == WeightType::F32) {
        packFloatPanel<std::uint32_t>(source, type, firstRow, rowCount, panel);
        return;
    }
    const bool quantised = numeric::visitQuantised(
        type, [&]<WeightType T>() { packQuantisedPanel<T>(source, firstRow, rowCount, panel); });
    if (!quantised) {
        packFloatPanel<std::uint16_t>(source, type, firstRow, rowCount, panel);
    }
}

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Memory that matrices packed one after the other share, on huge pages: a matrix-vector product
/// walks every page of its weights once. Matrices with huge pages of their own would leave a third
/// of a model's memory unused at their ends. Freed when the last of its matrices goes.
class Slab {
  public:
    explicit Slab(std::size_t bytes)
        : m_size((bytes + kHugePage - 1) / kHugePage * kHugePage),
          m_data(static_cast<std::byte*>(std::aligned_alloc(kHugePage, m_size)))
    {
#if defined(__linux__)
        if (m_data != nullptr) {
            madvise(m_data, m_size, MADV_HUGEPAGE); // a wish; refusal changes nothing but speed
        }
#endif
    }
    ~Slab()
    {
        std::free(m_data);
    }
    Slab(const Slab&) = delete;
    Slab& operator=(const Slab&) = delete;

    /// The next bytes that nobody has, or null.
    std::byte* take(std::size_t bytes)
    {
        const std::size_t rounded = (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
        if (m_data == nullptr || rounded > m_size - m_used) {
            return nullptr;
        }
        m_used += rounded;
        return m_data + m_used - rounded;
    }

  private:
    std::size_t m_size;
    std::size_t m_used = 0;
    std::byte* m_data;
};

/// Null when there is no memory. Small matrices are left to the heap, the largest get a slab alone.
std::shared_ptr<std::byte> allocate(std::size_t bytes)
{
    constexpr std::size_t kSmall = std::size_t{64} << 10;
    constexpr std::size_t kShared = std::size_t{64} << 20;
    if (bytes < kSmall) {
        const std::size_t rounded = (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
        return {static_cast<std::byte*>(std::aligned_alloc(kLineBytes, rounded)), std::free};
    }
    const auto from = [bytes](const std::shared_ptr<Slab>& slab) {
        std::byte* memory = slab == nullptr ? nullptr : slab->take(bytes);
        return memory == nullptr ? nullptr : std::shared_ptr<std::byte>(slab, memory);
    };
    if (bytes > kShared / 2) {
        return from(std::make_shared<Slab>(bytes));
    }
    static std::mutex mutex;
    static std::weak_ptr<Slab> current;
    const std::lock_guard lock(mutex);
    if (auto memory = from(current.lock())) {
        return memory;
    }
    const auto fresh = std::make_shared<Slab>(kShared);
    current = fresh;
    return from(fresh);
}

Error sizeError(const numeric::WeightTypeInfo& info, std::int64_t rows, std::int64_t k,
                const std::string& what)
{
    return makeError(ErrorCode::BadInput, "a " + std::string(info.name) + " matrix of " +
                                              std::to_string(rows) + " x " + std::to_string(k) +
                                              " " + what);
}

/// Bytes of the source rows. Errors: BadInput.
Result<std::int64_t> sourceRowBytes(const numeric::WeightTypeInfo& info, std::size_t size,
                                    std::int64_t rows, std::int64_t k)
{
    if (rows < 1 || k < 1) {
        return sizeError(info, rows, k, "is empty");
    }
    if (k % info.blockElements != 0) {
        return sizeError(info, rows, k,
                         "does not have whole blocks of " + std::to_string(info.blockElements) +
                             " in a row");
    }
    std::int64_t rowBytes = 0;
    std::int64_t total = 0;
    if (__builtin_mul_overflow(k / info.blockElements, info.blockBytes, &rowBytes) ||
        __builtin_mul_overflow(rowBytes, rows, &total) ||
        static_cast<std::uint64_t>(total) != size) {
        return sizeError(info, rows, k,
                         "does not fit its " + std::to_string(size) + " bytes of data");
    }
    return rowBytes;
}

} // namespace

Result<PackedMatrix> PackedMatrix::pack(WeightType type, std::span<const std::byte> data,
                                        std::int64_t rows, std::int64_t k, const Team& team)
{
    const auto known = numeric::weightTypeInfo(static_cast<std::uint32_t>(type));
    if (!known) {
        return makeError(ErrorCode::Unsupported,
                         "weights of type " + std::to_string(static_cast<std::uint32_t>(type)));
    }
    const auto rowBytes = sourceRowBytes(*known, data.size(), rows, k);
    if (!rowBytes) {
        return rowBytes.error();
    }
    const std::int64_t panels = (rows - 1) / kPanelRows + 1;
    std::int64_t panelBytes = 0;
    std::int64_t total = 0;
    if (__builtin_mul_overflow(k / packedBlockElements(type), packedBlockBytes(type),
                               &panelBytes) ||
        __builtin_mul_overflow(panelBytes, panels, &total)) {
        return sizeError(*known, rows, k, "is too large");
    }

    const std::shared_ptr<std::byte> storage = allocate(static_cast<std::size_t>(total));
    std::byte* memory = storage.get();
    if (memory == nullptr) {
        return makeError(ErrorCode::Internal,
                         "no memory for " + std::to_string(total) + " bytes of packed weights", {},
                         "use a smaller model or free memory");
    }
    PackedMatrix matrix;
    matrix.m_type = type;
    matrix.m_rows = rows;
    matrix.m_k = k;
    matrix.m_bytes = static_cast<std::size_t>(total);
    matrix.m_data = storage;

    const Source source{reinterpret_cast<const std::uint8_t*>(data.data()), rows, k, *rowBytes};
    team.run([&](int thread, int threads) {
        for (std::int64_t p = panels * thread / threads; p < panels * (thread + 1) / threads; ++p) {
            packPanel(source, type, p * kPanelRows, memory + p * panelBytes, panelBytes);
        }
    });
    return matrix;
}

} // namespace ulp::kernels
