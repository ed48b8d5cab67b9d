// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/report.h"

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "engine/audit/format.h"
#include "engine/audit/outputs.h"
#include "engine/base/sha256.h"
#include "tests/engine/support/snapshot_maker.h"
#include "tests/engine/support/temporary_file.h"

namespace ulp::audit {
namespace {

using test::SessionOptions;

SessionOptions divergedOptions()
{
    SessionOptions options;
    options.runs = 3;
    options.divergences.push_back({1, 2, "ffn_out-1", 1, false});
    options.divergences.push_back({2, 4, "Qcur-2", 2, false});
    options.flips.push_back({2, 9, 1});
    return options;
}

compare::ComparisonPtr diverged()
{
    return compare::Comparison::compute(test::makeSession(divergedOptions()));
}

std::string jsonText(const compare::Comparison& comparison)
{
    std::string text;
    writeJson(comparison, [&](std::string_view bytes) { text += bytes; });
    return text;
}

std::vector<std::string> linesOf(const std::string& text, const std::string& end)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = text.find(end, at);
        lines.push_back(text.substr(at, next - at));
        at = next == std::string::npos ? text.size() : next + end.size();
    }
    return lines;
}

TEST(JsonReport, HoldsEveryKeyThatScriptsRelyOn)
{
    const auto document = reportJson(*diverged());
    for (const char* key :
         {"trace", "runs", "steps", "ops", "cells", "unique_outputs", "unique_traces",
          "divergent_cells", "first_divergence", "first_token_divergence", "fingerprint", "model",
          "not_checked", "divergent", "drift", "nonfinite", "digest"}) {
        EXPECT_TRUE(document.contains(key)) << key;
    }
    for (const char* key :
         {"run", "status", "policy", "threads", "batch", "prefill_chunk", "isa", "device",
          "prompt_tokens", "tokens", "text", "output_sha256", "trace_hash", "nonfinite_cells",
          "prefill_tokens_per_second", "decode_tokens_per_second"}) {
        EXPECT_TRUE(document["runs"][0].contains(key)) << key;
    }
    const auto& first = document["first_divergence"];
    EXPECT_EQ(first["op"], "ffn_out-1");
    EXPECT_EQ(first["step"], 2);
    EXPECT_EQ(first["kind"], "origin");
    EXPECT_EQ(first["classes"], JsonValue::parse("[[0,2],[1]]"));
    EXPECT_GE(first["magnitude"]["max_ulp"], 1);
    EXPECT_EQ(document["first_token_divergence"]["step"], 9);
    EXPECT_EQ(document["steps"], divergedOptions().steps);
    EXPECT_EQ(document["runs"][0]["tokens"].size(), divergedOptions().steps);
    EXPECT_EQ(document["runs"][0]["prompt_tokens"].size(), divergedOptions().promptTokens);
}

TEST(JsonReport, TheDigestIsThatOfAllLinesBefore)
{
    const std::string text = jsonText(*diverged());
    const std::size_t at = text.rfind("\"digest\": \"");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(text[at - 1], '\n');
    EXPECT_EQ(text.substr(at), "\"digest\": \"" + sha256Hex(text.substr(0, at)) + "\"\n}\n");
}

TEST(JsonReport, IsTheSameBytesEachTime)
{
    EXPECT_EQ(jsonText(*diverged()), jsonText(*diverged()));
}

TEST(JsonReport, ListsEveryDivergentCellOnceAndNoOther)
{
    const auto comparison = diverged();
    const auto document = reportJson(*comparison);
    const auto& rows = document["divergent"];
    EXPECT_EQ(static_cast<std::int64_t>(rows.size()),
              comparison->divergentCells() + comparison->divergentPrefillCells());
    std::int64_t origins = 0;
    for (const auto& row : rows) {
        const int op = test::opIndex(comparison->snapshot().ops, row["op"]);
        const auto state = comparison->cell(row["position"], op);
        EXPECT_EQ(state.classes, row["classes"].size());
        EXPECT_EQ(row["hashes"].size(), row["classes"].size());
        origins += row["kind"] == "origin" ? 1 : 0;
    }
    EXPECT_EQ(origins, comparison->originCells());
}

TEST(JsonReport, NumbersReadBackExactlyAndNonFiniteOnesAreSaid)
{
    EXPECT_EQ(jsonNumber(0.1).get<double>(), 0.1);
    EXPECT_EQ(jsonNumber(std::nan("")), "nan");
    EXPECT_EQ(jsonNumber(-std::numeric_limits<double>::infinity()), "-inf");
    const auto comparison = diverged();
    const auto document = reportJson(*comparison);
    const auto& first = *comparison->first();
    ASSERT_TRUE(first.magnitude.has_value());
    EXPECT_EQ(document["first_divergence"]["magnitude"]["relative_l2"].get<double>(),
              first.magnitude->relativeL2);
}

TEST(JsonReport, BytesThatAreNotUtf8DoNotBreakIt)
{
    auto session = std::make_shared<trace::Snapshot>(*test::makeSession(divergedOptions()));
    session->prompt = "bad \xFF\xC0 bytes";
    for (auto& [token, piece] : session->pieces) {
        piece = "\xE2\x82";
    }
    session->fingerprint["cpu.\xFF"] = "\xFE";
    session->model.name = "\xFF";
    const auto comparison = compare::Comparison::compute(session);
    EXPECT_EQ(reportJson(*comparison)["prompt"], "bad \uFFFD\uFFFD bytes");
    EXPECT_NE(reportHtml(*comparison).find("bad \uFFFD\uFFFD bytes"), std::string::npos);
}

TEST(Outputs, ARunCutShortIsNotAnotherOutput)
{
    auto options = divergedOptions();
    options.lastRunColumns = 8; // before its flip
    options.lastRunStatus = trace::RunStatus::Cancelled;
    const auto outputs = distinctOutputs(*compare::Comparison::compute(test::makeSession(options)));
    ASSERT_EQ(outputs.size(), 1U);
    EXPECT_EQ(outputs[0].runs, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(outputs[0].tokens.size(), static_cast<std::size_t>(options.steps));

    const auto parted = distinctOutputs(*diverged());
    ASSERT_EQ(parted.size(), 2U);
    EXPECT_EQ(parted[1].runs, std::vector<int>{2});
    EXPECT_EQ(parted[1].firstFlip, 9U);
}

TEST(CsvReport, HasARowForEachRecordedCell)
{
    const auto comparison = diverged();
    std::string text;
    writeCsv(*comparison, [&](std::string_view bytes) { text += bytes; });
    const auto lines = linesOf(text, "\r\n");
    std::size_t recorded = 0;
    for (const auto& run : comparison->snapshot().runs) {
        for (const std::uint64_t hash : run->cells()) {
            recorded += hash != trace::kNotRecorded ? 1U : 0U;
        }
    }
    ASSERT_EQ(lines.size(), recorded + 1);
    EXPECT_EQ(lines[0], "run,step,position,op,layer,hash,class,origin,differing,of,max_ulp,max_abs,"
                        "relative_l2");
    const std::set<std::size_t> commas = [&] {
        std::set<std::size_t> counts;
        for (const auto& line : lines) {
            counts.insert(static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')));
        }
        return counts;
    }();
    EXPECT_EQ(commas, std::set<std::size_t>{12});
    const auto& run = *comparison->snapshot().runs[1];
    const int op = test::opIndex(comparison->snapshot().ops, "ffn_out-1");
    const std::int64_t column = comparison->first()->column;
    const std::string wanted =
        "1,2," + std::to_string(column) + ",ffn_out-1,1," +
        formatHash(run.cell(static_cast<std::size_t>(column), static_cast<std::size_t>(op))) +
        ",B,1,";
    EXPECT_NE(text.find("\r\n" + wanted), std::string::npos) << wanted;
}

TEST(WriteReport, ReplacesAFileWholeOrLeavesItAlone)
{
    const auto comparison = diverged();
    const test::TemporaryFile target;
    std::ofstream(target.path()) << "old";
    ASSERT_TRUE(writeReport(*comparison, ReportFormat::Json, target.path()));
    std::stringstream content;
    content << std::ifstream(target.path()).rdbuf();
    EXPECT_EQ(content.str(), jsonText(*comparison));

    const auto refused = writeReport(*comparison, ReportFormat::Html, "/nonexistent/folder/r.html");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Io);
    EXPECT_EQ(refused.error().where, "/nonexistent/folder/r.html");
}

TEST(WriteReport, ReplacesFilesOnly)
{
    const auto folder =
        std::filesystem::temp_directory_path() / ("ulpscope-replace-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    const auto write = [&](const char* name) {
        return writeReport(*diverged(), ReportFormat::Csv, (folder / name).string());
    };
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(write("pipe").error().code, ErrorCode::BadUsage);
    EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
    // A link stays a link; what it points to is replaced.
    std::ofstream(folder / "real.csv") << "old";
    std::filesystem::create_symlink("real.csv", folder / "link.csv");
    ASSERT_TRUE(write("link.csv"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.csv"));
    EXPECT_GT(std::filesystem::file_size(folder / "real.csv"), 3U);
    std::filesystem::create_symlink("nothing.csv", folder / "dangling.csv");
    EXPECT_EQ(write("dangling.csv").error().code, ErrorCode::BadUsage);
    std::filesystem::remove_all(folder);
}

TEST(WriteReport, AFullDiskLeavesTheOldReport)
{
    const test::TemporaryFile target;
    std::ofstream(target.path()) << "old";
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN); // the write fails instead
    const struct rlimit small {
        4096, before.rlim_max
    };
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto written = writeReport(*diverged(), ReportFormat::Html, target.path());
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::Io);
    std::stringstream content;
    content << std::ifstream(target.path()).rdbuf();
    EXPECT_EQ(content.str(), "old");
}

TEST(WriteReport, LeavesNoTemporaryFileBehind)
{
    const auto folder =
        std::filesystem::temp_directory_path() / ("ulpscope-report-" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    ASSERT_TRUE(writeReport(*diverged(), ReportFormat::Csv, (folder / "r.csv").string()));
    // A folder in the way: the rename must fail and the temporary file must go.
    std::filesystem::create_directory(folder / "taken.csv");
    EXPECT_FALSE(writeReport(*diverged(), ReportFormat::Csv, (folder / "taken.csv").string()));
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    EXPECT_EQ(names, (std::set<std::string>{"r.csv", "taken.csv"}));
    std::filesystem::remove_all(folder);
}

TEST(ReportFormat, UnknownNamesAreRefused)
{
    EXPECT_EQ(*parseReportFormat("html"), ReportFormat::Html);
    EXPECT_EQ(parseReportFormat("xls").error().code, ErrorCode::BadUsage);
    const auto pdf = parseReportFormat("pdf"); // the inspector's, so the remedy says where
    ASSERT_FALSE(pdf);
    EXPECT_NE(pdf.error().remedy.find("--export-pdf"), std::string::npos) << pdf.error().remedy;
}

} // namespace
} // namespace ulp::audit
