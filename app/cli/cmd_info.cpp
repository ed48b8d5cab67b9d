// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/run_options.h"
#include "app/cli/text_table.h"
#include "engine/audit/format.h"
#include "engine/base/sha256.h"
#include "engine/base/utf8.h"
#include "engine/model/model.h"
#include "engine/run/decoder.h"
#include "engine/trace/trace_file.h"

namespace ulp::cli {
namespace {

struct InfoCommand {
    std::string path;
    OutputOptions output;

    Exit execute() const;

  private:
    Exit model() const;
    Exit trace() const;
};

/// SHA-256 of a mapped file, giving its pages back as it goes.
std::string fileDigest(const model::GgufFile& file)
{
    constexpr std::size_t kPiece = 16U << 20U;
    Sha256 digest;
    for (auto rest : file.parts()) {
        while (!rest.empty()) {
            const auto piece = rest.first(std::min(kPiece, rest.size()));
            digest.update(piece.data(), piece.size());
            file.release(piece);
            rest = rest.subspan(piece.size());
        }
    }
    return digest.finish();
}

std::string tokenizerKind(const model::GgufFile& file)
{
    const auto tokenizer = model::Tokenizer::create(file);
    return tokenizer ? std::string((*tokenizer)->kind()) : std::string();
}

std::string ropeScaling(const model::GgufFile& file, const model::HyperParameters& hyper)
{
    if (hyper.parts == nullptr || hyper.parts->rope == model::RopeKind::None) {
        return "no RoPE";
    }
    if (hyper.rope.yarnFactor > 0.0F) {
        return "yarn";
    }
    if (hyper.originalContext > 0) {
        return "longrope";
    }
    if (file.findTensor("rope_freqs.weight") != nullptr) {
        return "llama3";
    }
    return hyper.rope.linearScale != 1.0F ? "linear" : "none";
}

audit::JsonValue modelJson(const model::GgufFile& file, const model::ModelDescription& description)
{
    const auto& hyper = description.hyper;
    const bool runs = description.problems.empty();
    audit::JsonValue types = audit::JsonValue::object();
    for (const auto& [type, count] : description.typeCounts) {
        types[type] = count;
    }
    audit::JsonValue problems = audit::JsonValue::array();
    for (const auto& problem : description.problems) {
        problems.push_back(audit::jsonText(problem.text()));
    }
    return {{"format", "gguf"},
            {"version", file.version()},
            {"path", audit::jsonText(file.path())},
            {"file_bytes", file.totalBytes()},
            {"files", file.parts().size()},
            {"architecture", audit::jsonText(hyper.architecture)},
            {"name", audit::jsonText(hyper.name)},
            {"parameters", description.parameters},
            {"context_length", hyper.context},
            {"vocab", hyper.vocab},
            {"layers", hyper.layers},
            {"width", hyper.width},
            {"ffn_width", hyper.ffnWidth},
            {"heads", hyper.heads},
            {"kv_heads", hyper.kvHeads},
            {"head_dim", hyper.headDim},
            {"window", hyper.window > 0 ? audit::JsonValue(hyper.window) : audit::JsonValue()},
            {"experts", hyper.experts > 0 ? audit::JsonValue(hyper.experts) : audit::JsonValue()},
            {"experts_used",
             hyper.experts > 0 ? audit::JsonValue(hyper.expertsUsed) : audit::JsonValue()},
            {"rope_scaling", ropeScaling(file, hyper)},
            {"ops", runs ? audit::JsonValue(run::opCatalogue(hyper).size()) : audit::JsonValue()},
            {"kv_cache_bytes_per_position",
             runs ? audit::JsonValue(run::kvCacheBytes(hyper, 1, 1)) : audit::JsonValue()},
            {"tokenizer", audit::jsonOptional(tokenizerKind(file))},
            {"tensors", file.tensors().size()},
            {"types", std::move(types)},
            {"sha256", fileDigest(file)},
            {"runs_here", runs},
            {"problems", std::move(problems)}};
}

std::string scalarText(const audit::JsonValue& value)
{
    if (value.is_string()) {
        return audit::visibleText(value.get<std::string>());
    }
    if (value.is_number_integer()) {
        return audit::formatCount(value.get<std::int64_t>());
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? "yes" : "no";
    }
    return value.is_null() ? "-" : value.dump();
}

std::string label(std::string key)
{
    std::replace(key.begin(), key.end(), '_', ' ');
    return key;
}

/// Every scalar on its own line; objects as `name value` pairs; lists indented below.
void printFacts(const audit::JsonValue& document)
{
    TextTable table({});
    for (const auto& [key, value] : document.items()) {
        if (value.is_object()) {
            std::vector<std::string> items;
            for (const auto& [name, count] : value.items()) {
                items.push_back(name + " " + scalarText(count));
            }
            table.row({label(key), audit::join(items, ", ")});
        } else if (!value.is_array()) {
            table.row({label(key), scalarText(value)});
        } else {
            for (const auto& item : value) {
                table.row({label(key), item.is_string() ? scalarText(item) : item.dump()});
            }
        }
    }
    print(table.text());
}

Exit InfoCommand::model() const
{
    const auto opened = model::GgufFile::open(path);
    if (!opened) {
        return fail(opened.error());
    }
    const auto description = model::Model::describe(**opened);
    if (!description) {
        return fail(description.error());
    }
    const auto document = modelJson(**opened, *description);
    if (output.json) {
        printJson(document);
    } else {
        printFacts(document);
    }
    return Exit::Done;
}

audit::JsonValue traceJson(const trace::Snapshot& snapshot)
{
    audit::JsonValue runs = audit::JsonValue::array();
    std::size_t columns = 0;
    for (const auto& run : snapshot.runs) {
        columns = std::max(columns, run->columnCount);
        audit::JsonValue entry{{"run", run->run},
                               {"status", trace::toString(run->status)},
                               {"columns", run->columnCount},
                               {"trace_hash", audit::jsonOptional(run->traceHash)}};
        entry.update(audit::settingsJson(run->settings));
        runs.push_back(std::move(entry));
    }
    audit::JsonValue fingerprint = audit::JsonValue::object();
    for (const auto& [key, value] : snapshot.fingerprint) {
        fingerprint[utf8::repaired(key)] = audit::jsonText(value);
    }
    return {{"format", "ulp"},
            {"path", audit::jsonText(snapshot.source)},
            {"created", audit::jsonText(snapshot.created)},
            {"incomplete", snapshot.incomplete},
            {"contract", snapshot.contract},
            {"model", audit::jsonText(snapshot.model.name)},
            {"model_sha256", audit::jsonText(snapshot.model.sha256)},
            {"parameters", snapshot.model.parameters},
            {"prompt", audit::jsonText(snapshot.prompt)},
            {"ops", snapshot.ops.size()},
            {"columns", columns},
            {"runs", std::move(runs)},
            {"fingerprint", std::move(fingerprint)}};
}

Exit InfoCommand::trace() const
{
    const auto opened = trace::openTrace(path);
    if (!opened) {
        return fail(opened.error());
    }
    auto document = traceJson(**opened);
    if (output.json) {
        printJson(document);
        return Exit::Done;
    }
    const audit::JsonValue runs = document["runs"];
    const audit::JsonValue fingerprint = document["fingerprint"];
    document.erase("runs");
    document.erase("fingerprint");
    printFacts(document);
    TextTable table({"#run", "status", "policy", "#threads", "#batch", "#columns", "trace hash"});
    for (const auto& run : runs) {
        table.row({scalarText(run["run"]), scalarText(run["status"]), scalarText(run["policy"]),
                   scalarText(run["threads"]), scalarText(run["batch"]), scalarText(run["columns"]),
                   scalarText(run["trace_hash"]).substr(0, 16)});
    }
    print("\n" + table.text() + "\n");
    printFacts(fingerprint);
    return Exit::Done;
}

Exit InfoCommand::execute() const
{
    const auto kind = fileKind(path);
    if (!kind) {
        return fail(kind.error());
    }
    switch (*kind) {
    case FileKind::Model:
        return model();
    case FileKind::Trace:
        return trace();
    case FileKind::Other:
        break;
    }
    return fail(makeError(ErrorCode::BadInput, "is neither a GGUF model nor a trace (offset 0)",
                          path, "name a .gguf or a .ulp file"));
}

} // namespace

Action configureInfo(CLI::App& app)
{
    auto command = std::make_shared<InfoCommand>();
    app.add_option("FILE", command->path, "A model (.gguf) or a trace (.ulp)")
        ->type_name("FILE")
        ->required();
    command->output.add(app, false);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
