// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/cli/command.h"
#include "app/cli/input.h"
#include "app/cli/run_options.h"
#include "app/cli/text_table.h"
#include "engine/audit/format.h"
#include "engine/model/tokenizer.h"

namespace ulp::cli {
namespace {

struct TokenizeCommand {
    std::string model;
    std::string text;
    std::string file;
    bool noBos = false;
    bool special = false;
    OutputOptions output;

    Exit execute();
};

Exit TokenizeCommand::execute()
{
    if (!file.empty()) {
        auto content = readText(file);
        if (!content) {
            return fail(content.error());
        }
        text = std::move(*content);
    }
    const auto opened = model::GgufFile::open(modelPath(model));
    if (!opened) {
        return fail(opened.error());
    }
    const auto tokenizer = model::Tokenizer::create(**opened);
    if (!tokenizer) {
        return fail(tokenizer.error());
    }
    model::EncodeOptions options;
    options.addBos = !noBos;
    options.parseSpecial = special;
    const auto tokens = (*tokenizer)->encode(text, options);
    if (!tokens) {
        return fail(tokens.error());
    }
    audit::JsonValue pieces = audit::JsonValue::array();
    TextTable table({"#id", "piece", "kind"});
    for (const std::int32_t token : *tokens) {
        const std::string piece = (*tokenizer)->piece(token, true);
        pieces.push_back(audit::jsonText(piece));
        const bool hidden = (*tokenizer)->piece(token, false).empty() && !piece.empty();
        table.row({std::to_string(token), "\"" + audit::visibleText(piece) + "\"",
                   (*tokenizer)->endsGeneration(token) ? "ends a text"
                   : hidden                            ? "special"
                                                       : ""});
    }
    if (output.json) {
        printJson({{"tokens", *tokens}, {"pieces", std::move(pieces)}});
    } else {
        print(table.text() + "\n" +
              audit::formatPlural(static_cast<std::int64_t>(tokens->size()), "token", "tokens") +
              ", " + std::string((*tokenizer)->kind()) + "\n");
    }
    return Exit::Done;
}

} // namespace

Action configureTokenize(CLI::App& app)
{
    auto command = std::make_shared<TokenizeCommand>();
    addModelOption(app, command->model);
    auto* group = app.add_option_group("Text", "Exactly one of these is needed");
    group->add_option("--text", command->text, "The text")->type_name("TEXT");
    group->add_option("--file", command->file, "Read the text from a file; - is standard input")
        ->type_name("FILE");
    group->require_option(1);
    app.add_flag("--no-bos", command->noBos, "Do not add the beginning-of-text token");
    app.add_flag("--special", command->special, "Parse special tokens written in the text");
    command->output.add(app, false);
    return [command] { return command->execute(); };
}

} // namespace ulp::cli
