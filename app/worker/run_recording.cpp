// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/run_recording.h"

#include <utility>

#include "engine/compare/row_magnitude.h"

namespace ulp::worker {

RunRecording::RunRecording(RecordingTarget target) : m_target(std::move(target))
{
    if (m_target.run > 0) {
        m_referenceRun = m_target.builder->run(0);
    }
    trace::Recorder::RowSink sink;
    if (m_target.reference != nullptr) {
        sink = [this](int op, std::int32_t position, std::span<const float> row,
                      std::uint64_t hash) { onRow(op, position, row, hash); };
    }
    m_recorder = std::make_unique<trace::Recorder>(*m_target.builder, m_target.run, m_target.ops,
                                                   m_target.topLogits, std::move(sink));
    m_recorder->keepLogits(m_target.keepLogits);
    m_recorder->setThreads(m_target.builder->run(m_target.run)->settings.threads);
}

RunRecording::~RunRecording() = default;

void RunRecording::onOp(const run::OpOutput& output)
{
    m_recorder->onOp(output);
}

/// Run 0 keeps its rows; the others measure a row only where its hash says that it differs.
void RunRecording::onRow(int op, std::int32_t position, std::span<const float> row,
                         std::uint64_t hash)
{
    const auto column = static_cast<std::size_t>(position);
    const auto index = static_cast<std::size_t>(op);
    if (m_referenceRun == nullptr) {
        if (m_warning.empty()) {
            if (auto kept = m_target.reference->keep(column, index, row); !kept) {
                m_warning = kept.error().text();
            }
        }
        return;
    }
    if (column >= m_referenceRun->columnCount || m_referenceRun->cell(column, index) == hash) {
        return;
    }
    const std::span<const float> reference = m_target.reference->row(column, index);
    if (reference.size() == row.size()) {
        m_recorder->addMagnitude(position,
                                 compare::rowMagnitude(op, row.data(), reference.data(),
                                                       static_cast<std::int64_t>(row.size())));
    }
}

void RunRecording::onColumn(std::int32_t position, std::int32_t token, std::int32_t chosen,
                            std::span<const float> logits)
{
    if (!m_failure) {
        return; // the trace is broken already: the run is on its way out
    }
    m_recorder->completeColumn(position, token, chosen,
                               m_target.hash ? logits : std::span<const float>());
    const auto run = m_target.builder->run(m_target.run);
    m_tokens.assign({token, chosen});
    for (const trace::TopLogit& top : run->columns().back().top) {
        m_tokens.push_back(top.token);
    }
    m_target.addPieces(m_tokens);
    if (m_target.writer != nullptr) {
        m_failure = m_target.writer->appendColumns(*run);
        if (!m_failure) {
            m_target.cancel->store(true);
        }
    }
    m_target.onColumn(position + 1);
}

} // namespace ulp::worker
