// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who takes which chunk of a row reduction and in which order partials merge: one driver for every
// op whose result is a fold of chunk partials (norms, attention). The op supplies what a partial
// is; the policy is context.policy. Thread-safety: one call at a time for each Team; the op's
// members are called from all threads of the team. Ownership: the driver owns the states.
//
// An op has
//   Input, State                     default-constructible; State is movable
//   groups(), chunks(group)          independent reductions, and the partials of each (>= 1)
//   passRows()                       rows in the pass, what `batch-split` goes by
//   smallWork()                      true: not worth waking the team for, if the bits allow it
//   enter(group, Input&)             gathers what the partials of a group read
//   clear(group, State&)             makes a state empty
//   partial(Input, chunk, State&)    computes one partial
//   merge(Input, State& a, const State& b)   a, then b; an empty a becomes b
//   finish(Input, State&)            writes the output
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/kernels/batch_split.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/spin_lock.h"

namespace ulp::kernels {

namespace detail {

/// Each group by one thread, in the order that Fold gives its partials.
template <template <typename> typename Fold, typename Op>
void reduceAlone(const Op& op, const Team& team)
{
    std::atomic<std::int64_t> next{0};
    const std::int64_t groups = op.groups();
    const auto work = [&](int) {
        Fold<Op> fold{op}; // with the states that a thread keeps from group to group
        typename Op::Input input;
        typename Op::State total;
        for (std::int64_t g = next.fetch_add(1); g < groups; g = next.fetch_add(1)) {
            op.enter(g, input);
            op.clear(g, total);
            fold(g, input, total);
            op.finish(input, total);
        }
    };
    if (groups == 1 || op.smallWork()) {
        work(0);
    } else {
        team.run(work);
    }
}

/// The contract: the partials of a group ascending.
template <typename Op>
struct Ascending {
    const Op& op;
    typename Op::State partial{};

    void operator()(std::int64_t group, const typename Op::Input& input, typename Op::State& total)
    {
        fold(group, input, 0, op.chunks(group), total);
    }
    void fold(std::int64_t group, const typename Op::Input& input, std::int64_t begin,
              std::int64_t end, typename Op::State& total)
    {
        op.clear(group, partial);
        for (std::int64_t c = begin; c < end; ++c) {
            op.partial(input, c, partial);
            op.merge(input, total, partial);
        }
    }
};

/// `batch-split`: the chunks of a group cut into contiguous pieces, as many as the rows of the pass
/// say; each piece ascending, then the pieces ascending.
template <typename Op>
struct InPieces {
    const Op& op;
    Ascending<Op> ascending{op};
    typename Op::State piece{};

    void operator()(std::int64_t group, const typename Op::Input& input, typename Op::State& total)
    {
        const std::int64_t chunks = op.chunks(group);
        const std::int64_t pieces = std::min(chunks, batchSplitPieces(op.passRows()));
        for (std::int64_t p = 0; p < pieces; ++p) {
            op.clear(group, piece);
            ascending.fold(group, input, chunks * p / pieces, chunks * (p + 1) / pieces, piece);
            op.merge(input, total, piece);
        }
    }
};

/// What all threads add to, one for each group.
template <typename Op>
struct SharedSum {
    typename Op::State state;
    SpinLock lock;
    std::int64_t missing = 0; // partials that have not arrived, under lock
};

/// All (group, chunk) pairs in order, from an atomic counter. With `keepPrivate` a thread sums what
/// it takes of a group and merges that when it moves on (`atomic`); without, each partial is merged
/// as it comes (`atomic-add`). The order of arrival is the machine's own.
template <typename Op>
void reduceRacing(const Op& op, const Team& team, bool keepPrivate)
{
    const std::int64_t groups = op.groups();
    std::vector<std::int64_t> firstItem(static_cast<std::size_t>(groups) + 1, 0);
    const auto shared = std::make_unique<SharedSum<Op>[]>(static_cast<std::size_t>(groups));
    for (std::int64_t g = 0; g < groups; ++g) {
        SharedSum<Op>& sum = shared[static_cast<std::size_t>(g)];
        sum.missing = op.chunks(g);
        firstItem[static_cast<std::size_t>(g) + 1] =
            firstItem[static_cast<std::size_t>(g)] + sum.missing;
    }
    std::atomic<std::int64_t> next{0};
    team.run([&](int) {
        typename Op::Input input;
        typename Op::State own;
        typename Op::State partial;
        std::int64_t group = -1;
        std::int64_t taken = 0;
        const auto deliver = [&](const typename Op::State& state, std::int64_t count) {
            SharedSum<Op>& sum = shared[static_cast<std::size_t>(group)];
            sum.lock.lock();
            if (sum.missing == op.chunks(group)) {
                op.clear(group, sum.state);
            }
            op.merge(input, sum.state, state);
            sum.missing -= count;
            const bool last = sum.missing == 0;
            sum.lock.unlock();
            if (last) {
                op.finish(input, sum.state);
            }
        };
        for (;;) {
            const std::int64_t item = next.fetch_add(1);
            const bool more = item < firstItem.back();
            if (taken > 0 && (!more || item >= firstItem[static_cast<std::size_t>(group) + 1])) {
                deliver(own, taken);
                taken = 0;
            }
            if (!more) {
                return;
            }
            if (group < 0 || item >= firstItem[static_cast<std::size_t>(group) + 1]) {
                do {
                    ++group;
                } while (item >= firstItem[static_cast<std::size_t>(group) + 1]);
                op.enter(group, input);
                op.clear(group, own);
                op.clear(group, partial);
            }
            op.partial(input, item - firstItem[static_cast<std::size_t>(group)], partial);
            if (keepPrivate) {
                op.merge(input, own, partial);
                ++taken;
            } else {
                deliver(partial, 1);
            }
        }
    });
}

/// Each thread folds one contiguous piece of every group's chunks; whoever finishes a group's last
/// piece folds the pieces, ascending by thread.
template <typename Op>
void reduceThreadSplit(const Op& op, const Team& team)
{
    const std::int64_t groups = op.groups();
    const std::int64_t threads = team.size();
    std::vector<typename Op::State> pieces(static_cast<std::size_t>(groups * threads));
    std::vector<std::atomic<std::int64_t>> missing(static_cast<std::size_t>(groups));
    for (auto& count : missing) {
        count.store(threads, std::memory_order_relaxed);
    }
    team.run([&](int thread) {
        typename Op::Input input;
        typename Op::State partial;
        for (std::int64_t g = 0; g < groups; ++g) {
            typename Op::State* own = &pieces[static_cast<std::size_t>(g * threads)];
            op.enter(g, input);
            op.clear(g, own[thread]);
            op.clear(g, partial);
            const std::int64_t chunks = op.chunks(g);
            for (std::int64_t c = chunks * thread / threads; c < chunks * (thread + 1) / threads;
                 ++c) {
                op.partial(input, c, partial);
                op.merge(input, own[thread], partial);
            }
            if (missing[static_cast<std::size_t>(g)].fetch_sub(1, std::memory_order_acq_rel) == 1) {
                for (std::int64_t t = 1; t < threads; ++t) {
                    op.merge(input, own[0], own[t]);
                }
                op.finish(input, own[0]);
            }
        }
    });
}

} // namespace detail

/// Runs the reductions of `op` under the context's policy. For `kahan` the op's states carry error
/// terms and its merge is compensated; the race is that of `atomic`.
template <typename Op>
void reduceByPolicy(const Op& op, const ExecContext& context)
{
    if (op.groups() == 0) {
        return;
    }
    switch (context.policy) {
    case Policy::Atomic:
    case Policy::Kahan:
        detail::reduceRacing(op, context.team, true);
        return;
    case Policy::AtomicAdd:
        detail::reduceRacing(op, context.team, false);
        return;
    case Policy::ThreadSplit:
        detail::reduceThreadSplit(op, context.team);
        return;
    case Policy::BatchSplit:
        detail::reduceAlone<detail::InPieces>(op, context.team);
        return;
    case Policy::Ordered:
    case Policy::Exact:  // by the op itself, where its sums are
    case Policy::Vendor: // OpenBLAS has products of matrices only
        detail::reduceAlone<detail::Ascending>(op, context.team);
        return;
    }
}

} // namespace ulp::kernels
