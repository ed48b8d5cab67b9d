// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which family a template belongs to is told by marks in it, as llama.cpp's llama-chat.cpp does;
// the texts around the messages are those that the published templates give (tests/data/chat).
// A template that has a family's marks and also does something that the family's texts do not,
// is refused.
#include "engine/model/chat_template.h"

#include <algorithm>
#include <array>
#include <span>

namespace ulp::model {
namespace {

using Words = std::array<std::string_view, 4>; // unused ones are empty

bool containsAll(std::string_view text, const Words& words)
{
    return std::ranges::all_of(
        words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool containsAny(std::string_view text, std::span<const std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) {
        return !word.empty() && text.find(word) != std::string_view::npos;
    });
}

/// As Python's str.strip() does for ASCII, U+0085 and U+00A0.
std::string_view trimmed(std::string_view text)
{
    const auto isSpace = [](std::string_view rest, bool front) -> std::size_t {
        const auto c = static_cast<unsigned char>(front ? rest.front() : rest.back());
        if (c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F)) {
            return 1;
        }
        const std::string_view two =
            front ? rest.substr(0, 2) : rest.substr(rest.size() < 2 ? 0 : rest.size() - 2);
        return two == "\xC2\x85" || two == "\xC2\xA0" ? 2 : 0;
    };
    for (std::size_t n = 0; !text.empty() && (n = isSpace(text, true)) > 0;) {
        text.remove_prefix(n);
    }
    for (std::size_t n = 0; !text.empty() && (n = isSpace(text, false)) > 0;) {
        text.remove_suffix(n);
    }
    return text;
}

/// The system text that a ChatML template gives when it is told none: what stands between the
/// turn's marks without an expression in it.
std::string ownSystemText(std::string_view text)
{
    constexpr std::string_view kBegin = "<|im_start|>system";
    for (std::size_t at = 0; (at = text.find(kBegin, at)) != std::string_view::npos;) {
        at += kBegin.size();
        std::string_view rest = text.substr(at);
        if (rest.starts_with("\\n") || rest.starts_with("\n")) {
            rest.remove_prefix(rest.starts_with("\n") ? 1 : 2);
            const std::string_view own = rest.substr(0, rest.find("<|im_end|>"));
            if (!own.empty() && own.size() < rest.size() &&
                own.find_first_of("'\"{}\\\n") == std::string_view::npos) {
                return std::string(own);
            }
        }
    }
    return {};
}

enum class SystemPlace { Turn, InUser, None };
/// Whose white space at the ends goes. AsOne: the two are joined first.
enum class Trim { None, User, Both, AsOne };

} // namespace

struct ChatTemplate::Family {
    std::string_view name;
    Words marks;
    Words others; // marks of templates that write something else
    SystemPlace place = SystemPlace::Turn;
    std::string_view beforeSystem; // "$EOS" stands for the end token's text
    std::string_view afterSystem;
    std::string_view beforeUser;
    std::string_view afterUser; // up to where the answer begins
    Trim trim = Trim::None;
    std::string_view withoutSystem = {}; // in place of the system's turn when there is none
};

namespace {

#define ULP_USER "<\xEF\xBD\x9CUser\xEF\xBD\x9C>"
#define ULP_ASSISTANT                                                                              \
    "<\xEF\xBD\x9C"                                                                                \
    "Assistant\xEF\xBD\x9C>"
#define ULP_LLAMA3(ROLE) "<|start_header_id|>" ROLE "<|end_header_id|>\n\n"
#define ULP_LLAMA3_END "<|eot_id|>" ULP_LLAMA3("assistant")
#define ULP_LLAMA31 "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n"

// What a template may do beside its family's texts: prompts that depend on the date, on tools that
// are always announced, or that begin the answer with a thought.
constexpr std::array<std::string_view, 19> kElsewhere{"strftime_now(\"%Y",
                                                      "strftime_now('%Y",
                                                      "strftime_now(\"%B",
                                                      "<tools> ' }}",
                                                      "## Metadata",
                                                      "recipient",
                                                      "{{ functions",
                                                      "assistant\\n<think>",
                                                      "assistant\n<think>",
                                                      "{{- '<think>\\n' }}",
                                                      "{{- '<think>\n' }}",
                                                      "<end_of_utterance>",
                                                      "<|tool_declare|>",
                                                      "# Safety Preamble",
                                                      "You are a function calling AI model",
                                                      "[BEGIN FINAL RESPONSE]",
                                                      "{% if not enable_thinking %}",
                                                      "endgeneration",
                                                      "<think>\\n</think>"};

} // namespace

// The first family whose marks are all there wins; narrower ones stand first.
struct ChatTemplate::Table {
    static constexpr std::array kFamilies{
        Family{"phi4",
               {"<|im_start|>", "<|im_sep|>"},
               {},
               SystemPlace::Turn,
               "<|im_start|>system<|im_sep|>",
               "<|im_end|>",
               "<|im_start|>user<|im_sep|>",
               "<|im_end|><|im_start|>assistant<|im_sep|>"},
        Family{"chatml",
               {"<|im_start|>", "<|im_end|>"},
               {},
               SystemPlace::Turn,
               "<|im_start|>system\n",
               "<|im_end|>\n",
               "<|im_start|>user\n",
               "<|im_end|>\n<|im_start|>assistant\n"},
        Family{"mistral-v7",
               {"[INST]", "[SYSTEM_PROMPT] "},
               {},
               SystemPlace::Turn,
               "[SYSTEM_PROMPT] ",
               "[/SYSTEM_PROMPT]",
               "[INST] ",
               "[/INST]"},
        Family{"mistral-v7-tekken",
               {"[INST]", "[SYSTEM_PROMPT]"},
               {"default_system_message", "[MODEL_SETTINGS]"},
               SystemPlace::Turn,
               "[SYSTEM_PROMPT]",
               "[/SYSTEM_PROMPT]",
               "[INST]",
               "[/INST]"},
        Family{"mistral-v1",
               {"[INST]", "' [INST] ' + system_message"},
               {},
               SystemPlace::InUser,
               " [INST] ",
               "\n\n",
               " [INST] ",
               " [/INST]"},
        Family{"mistral-v3",
               {"[INST] ", "[AVAILABLE_TOOLS]"},
               {"\"[INST]\""},
               SystemPlace::InUser,
               "[INST] ",
               "\n\n",
               "[INST] ",
               "[/INST]"},
        Family{"mistral-v3-tekken",
               {"\"[INST]\"", "[AVAILABLE_TOOLS]"},
               {},
               SystemPlace::InUser,
               "[INST]",
               "\n\n",
               "[INST]",
               "[/INST]"},
        Family{"llama2",
               {"[INST]", "<<SYS>>", "bos_token + '[INST] '", "strip()"},
               {"== false", "Vigogne"},
               SystemPlace::InUser,
               "[INST] <<SYS>>\n",
               "\n<</SYS>>\n\n",
               "[INST] ",
               " [/INST]",
               Trim::AsOne},
        Family{"mistral",
               {"'[INST] ' + message['content'] + ' [/INST]'"},
               {"<<SYS>>"},
               SystemPlace::None,
               "",
               "",
               "[INST] ",
               " [/INST]"},
        Family{"phi3",
               {"<|assistant|>", "<|end|>", "<|system|>"},
               {},
               SystemPlace::Turn,
               "<|system|>\n",
               "<|end|>\n",
               "<|user|>\n",
               "<|end|>\n<|assistant|>\n"},
        Family{"phi3",
               {"<|assistant|>", "<|end|>", "'<|' + message['role'] + '|>'"},
               {},
               SystemPlace::Turn,
               "<|system|>\n",
               "<|end|>\n",
               "<|user|>\n",
               "<|end|>\n<|assistant|>\n"},
        Family{"phi3",
               {"<|assistant|>", "<|end|>", "<|user|>"},
               {"<|begin_system|>"},
               SystemPlace::None,
               "",
               "",
               "<|user|>\n",
               "<|end|>\n<|assistant|>\n"},
        Family{"zephyr",
               {"<|user|>", "<|system|>", "<|assistant|>", "message['content'] + eos_token"},
               {"[gMASK]"},
               SystemPlace::Turn,
               "<|system|>\n",
               "$EOS\n",
               "<|user|>\n",
               "$EOS\n<|assistant|>\n"},
        Family{"gemma3",
               {"<start_of_turn>", "first_user_prefix"},
               {},
               SystemPlace::InUser,
               "<start_of_turn>user\n",
               "\n\n",
               "<start_of_turn>user\n",
               "<end_of_turn>\n<start_of_turn>model\n",
               Trim::User},
        Family{"gemma",
               {"<start_of_turn>", "System role not supported"},
               {},
               SystemPlace::None,
               "",
               "",
               "<start_of_turn>user\n",
               "<end_of_turn>\n<start_of_turn>model\n",
               Trim::User},
        Family{"command-r",
               {"<|START_OF_TURN_TOKEN|>", "<|USER_TOKEN|>"},
               {"<|START_TEXT|>", "<|START_THINKING|>", "# System Preamble"},
               SystemPlace::Turn,
               "<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>",
               "<|END_OF_TURN_TOKEN|>",
               "<|START_OF_TURN_TOKEN|><|USER_TOKEN|>",
               "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
               Trim::User},
        // Llama 3.1 to 3.3: a fixed date stands for one that the caller may give, so that the same
        // prompt gives the same bits tomorrow.
        Family{"llama3.1",
               {"<|start_header_id|>", "Cutting Knowledge Date: December 2023", "26 Jul 2024"},
               {},
               SystemPlace::Turn,
               ULP_LLAMA3("system") ULP_LLAMA31,
               "<|eot_id|>",
               ULP_LLAMA3("user"),
               ULP_LLAMA3_END,
               Trim::Both,
               ULP_LLAMA3("system") ULP_LLAMA31 "<|eot_id|>"},
        Family{"llama3",
               {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
               {"Cutting Knowledge", "functions"},
               SystemPlace::Turn,
               ULP_LLAMA3("system"),
               "<|eot_id|>",
               ULP_LLAMA3("user"),
               ULP_LLAMA3_END,
               Trim::Both},
        Family{"deepseek-r1",
               {ULP_USER, ULP_ASSISTANT, ULP_ASSISTANT "<think>\\n"},
               {"</think>' }}", "<think>\\n</think>", ULP_USER "' + message['content'] + '<"},
               SystemPlace::Turn,
               "",
               "",
               ULP_USER,
               ULP_ASSISTANT "<think>\n"},
        Family{"deepseek-v3",
               {ULP_USER, ULP_ASSISTANT},
               {"think"},
               SystemPlace::Turn,
               "",
               "",
               ULP_USER,
               ULP_ASSISTANT},
        Family{"deepseek-v2",
               {"'Assistant: ' + message['content'] + eos_token", "'User: '"},
               {},
               SystemPlace::Turn,
               "",
               "\n\n",
               "User: ",
               "\n\nAssistant:"},
        Family{"granite",
               {"<|start_of_role|>", "<|end_of_role|>"},
               {"strftime_now", "default_system_message", "documents"},
               SystemPlace::Turn,
               "<|start_of_role|>system<|end_of_role|>",
               "<|end_of_text|>\n",
               "<|start_of_role|>user<|end_of_role|>",
               "<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"},
    };
};

#undef ULP_USER
#undef ULP_ASSISTANT
#undef ULP_LLAMA3
#undef ULP_LLAMA3_END
#undef ULP_LLAMA31

namespace {

constexpr std::string_view kKey = "tokenizer.chat_template";

Error offerRaw(std::string message, std::string where)
{
    return makeError(ErrorCode::Unsupported, std::move(message), std::move(where),
                     "give a raw prompt, without --chat, that holds what the model expects");
}

/// The text of the end token; empty without one.
Result<std::string> endText(const GgufFile& file)
{
    constexpr std::uint32_t kNone = 0xFFFFFFFFU;
    const auto id = file.get<std::uint32_t>("tokenizer.ggml.eos_token_id", kNone);
    const auto texts = file.get<std::vector<std::string_view>>("tokenizer.ggml.tokens");
    if (!id || !texts) {
        return id ? texts.error() : id.error();
    }
    return *id < texts->size() ? std::string((*texts)[*id]) : std::string();
}

} // namespace

Result<ChatTemplate> ChatTemplate::of(const GgufFile& file)
{
    const std::string where = file.path() + ": " + std::string(kKey);
    if (!file.has(kKey)) {
        return offerRaw("the model has no chat template", where);
    }
    const auto text = file.get<std::string_view>(kKey);
    if (!text) {
        return text.error();
    }
    const auto end = endText(file);
    if (!end) {
        return end.error();
    }
    return fromText(*text, *end, where);
}

Result<ChatTemplate> ChatTemplate::fromText(std::string_view text, std::string endToken,
                                            const std::string& where)
{
    ChatTemplate result;
    const auto& families = Table::kFamilies;
    const auto* const found = std::ranges::find_if(families, [&](const Family& family) {
        return containsAll(text, family.marks) && !containsAny(text, family.others);
    });
    if (found == families.end() || containsAny(text, kElsewhere)) {
        return offerRaw("the model's chat template is of no family that this version knows", where);
    }
    result.m_family = found;
    result.m_endToken = std::move(endToken);
    result.m_writesBos = text.find("bos_token") != std::string_view::npos;
    if (found->name == "chatml") {
        result.m_ownSystem = ownSystemText(text);
    }
    return result;
}

std::string_view ChatTemplate::family() const
{
    return m_family->name;
}

Result<ChatPrompt> ChatTemplate::apply(const std::optional<std::string>& system,
                                       std::string_view user) const
{
    if (system && m_family->place == SystemPlace::None) {
        return makeError(ErrorCode::BadUsage,
                         "the model's chat template (" + std::string(family()) +
                             ") has no place for a system text",
                         {}, "leave it out, or write it into the prompt");
    }
    ChatPrompt prompt;
    const auto fixed = [&](std::string_view text) {
        constexpr std::string_view kEnd = "$EOS";
        if (text.starts_with(kEnd)) {
            prompt.text += m_endToken;
            text.remove_prefix(kEnd.size());
        }
        prompt.text += text;
    };
    const auto quoted = [&](std::string_view text) {
        if (!text.empty()) {
            prompt.quoted.push_back({prompt.text.size(), prompt.text.size() + text.size()});
            prompt.text += text;
        }
    };
    if (system) {
        fixed(m_family->beforeSystem);
        quoted(m_family->trim == Trim::Both ? trimmed(*system) : std::string_view(*system));
        fixed(m_family->afterSystem);
    } else if (!m_ownSystem.empty()) {
        fixed(m_family->beforeSystem);
        prompt.text += m_ownSystem;
        fixed(m_family->afterSystem);
    } else {
        fixed(m_family->withoutSystem);
    }
    if (!system || m_family->place != SystemPlace::InUser) {
        fixed(m_family->beforeUser);
    }
    if (m_family->trim == Trim::AsOne && system) {
        const std::string_view whole = trimmed(user); // its front is inside the joined text
        const auto front = whole.empty() ? 0 : static_cast<std::size_t>(whole.data() - user.data());
        quoted(user.substr(0, front + whole.size()));
    } else {
        quoted(m_family->trim == Trim::None ? user : trimmed(user));
    }
    fixed(m_family->afterUser);
    return prompt;
}

Result<std::vector<std::int32_t>> ChatTemplate::encode(const Tokenizer& tokenizer,
                                                       const std::optional<std::string>& system,
                                                       std::string_view user) const
{
    const auto prompt = apply(system, user);
    if (!prompt) {
        return prompt.error();
    }
    EncodeOptions options;
    options.parseSpecial = true;
    options.quoted = prompt->quoted;
    auto tokens = tokenizer.encode(prompt->text, options);
    const std::int32_t bos = tokenizer.bos();
    if (tokens && m_writesBos && bos >= 0 && (tokens->empty() || tokens->front() != bos)) {
        tokens->insert(tokens->begin(), bos);
    }
    return tokens;
}

} // namespace ulp::model
