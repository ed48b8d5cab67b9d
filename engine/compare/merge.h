// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the runs of several snapshots into one session, so that traces from different machines or
// builds are compared like runs of one. Thread-safety: pure function. Ownership: the result shares
// the storage of the snapshots wherever nothing had to change.
#pragma once

#include <vector>

#include "engine/base/result.h"
#include "engine/trace/snapshot.h"

namespace ulp::compare {

/// Refuses (BadInput, naming the two sources and what differs) snapshots of different contracts,
/// models (SHA-256), op lists or prompt tokens. The first snapshot gives the reference run and
/// everything that a session has once; fingerprint entries of the others that differ are kept as
/// "trace2.KEY", ... A magnitude survives where it is exact against the new reference too: where
/// the run it was recorded against has the same bits as the new reference in that cell.
Result<trace::SnapshotPtr> mergeSnapshots(const std::vector<trace::SnapshotPtr>& snapshots);

} // namespace ulp::compare
