// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/session_head.h"

#include <array>
#include <ctime>

#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <zstd.h>

#include "engine/numeric/weight_type.h"
#include "engine/run/fingerprint.h"
#include "engine/run/op_catalogue.h"

namespace ulp::worker {
namespace {

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

} // namespace

trace::ModelIdentity identityOf(const model::Model& model)
{
    trace::ModelIdentity identity;
    identity.path = model.path();
    identity.name = model.hyper().name;
    identity.architecture = model.hyper().architecture;
    identity.sha256 = model.sha256();
    identity.parameters = model.parameters();
    identity.fileBytes = static_cast<std::int64_t>(model.file().totalBytes());
    const auto& tensors = model.file().tensors();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        trace::TensorDigest digest;
        digest.name = tensors[i].name;
        digest.type = std::string(numeric::ggufTypeName(tensors[i].type));
        digest.shape.assign(tensors[i].dims.begin(), tensors[i].dims.end());
        digest.xxh3 = i < model.tensorDigests().size() ? model.tensorDigests()[i] : 0;
        identity.tensors.push_back(std::move(digest));
    }
    return identity;
}

trace::Snapshot sessionHead(const model::Model& model, const std::string& prompt)
{
    trace::Snapshot head;
    head.created = utcNow();
    head.prompt = prompt;
    head.model = identityOf(model);
    head.fingerprint = run::environmentFingerprint();
    head.fingerprint["library.sqlite"] = sqlite3_libversion();
    head.fingerprint["library.zstd"] = ZSTD_versionString();
    head.fingerprint["library.nlohmann-json"] = std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                                                std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                                                std::to_string(NLOHMANN_JSON_VERSION_PATCH);
    head.ops = run::opCatalogue(model.hyper());
    if (model.tiedOutput()) {
        head.ops.back().weight = "token_embd.weight";
    }
    return head;
}

} // namespace ulp::worker
