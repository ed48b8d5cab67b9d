// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes the weights of a checked file, tensor by tensor, with their digests and the progress of it
// all. Thread-safety: one thread. Ownership: borrows the file and the options.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/kernels/team.h"
#include "engine/model/file_digest.h"
#include "engine/model/model.h"
#include "engine/numeric/weight_type.h"

namespace ulp::model {

/// The digest of the file takes one of the threads.
class Packer {
  public:
    /// `digests`: of the tensors, in file order.
    Packer(const GgufFile& file, const LoadOptions& options, std::vector<std::uint64_t>& digests);

    /// Of the tensor `name` + ".weight" and, where the file has it, ".bias". What the file has not
    /// stays empty: checkTensors() has seen to it that this may be.
    Result<void> linear(const std::string& name, Linear& out);
    Result<void> norm(const std::string& name, Norm& out);
    /// Several matrices over each other in one tensor. rows: of each.
    struct Part {
        Linear* linear;
        std::int64_t rows;
    };
    Result<void> fused(const std::string& name, const std::vector<Part>& parts);
    Result<void> vector(const GgufTensor& tensor, std::vector<float>& out);

    /// Everything that remains for a tensor once its weights are taken.
    Result<void> finish(const GgufTensor& tensor);
    /// Waits for the digest of the file; empty when none was asked for.
    Result<std::string> sha256();

  private:
    Result<void> rowsOf(const GgufTensor& tensor, std::int64_t first, std::int64_t rows,
                        kernels::PackedMatrix& out);
    Result<kernels::PackedMatrix> packDequantised(const numeric::WeightTypeInfo& info,
                                                  std::span<const std::byte> data,
                                                  std::int64_t rows, std::int64_t k) const;
    Result<void> report() const;

    const GgufFile& m_file;
    const LoadOptions& m_options;
    kernels::Team m_team;
    std::vector<std::uint64_t>& m_digests;
    double m_total = 0.0;
    double m_done = 0.0;
    std::optional<FileDigest> m_fileDigest;
};

/// The weights of one layer.
Result<void> packLayer(const HyperParameters& hyper, int layer, Packer& packer, LayerWeights& out);

} // namespace ulp::model
