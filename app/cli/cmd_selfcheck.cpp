// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <set>
#include <thread>

#include "app/cli/command.h"
#include "app/cli/run_options.h"
#include "app/cli/selfcheck_kernels.h"
#include "app/cli/text_table.h"
#include "engine/audit/format.h"

namespace ulp::cli {
namespace {

using Floats = std::vector<float>;

struct Finding {
    std::string op;
    std::string format;
    Isa isa = Isa::Portable;
    Policy policy = Policy::Ordered;
    int shapes = 0;
    int repeats = 0; // of the first shape
    int distinct = 0;
    bool served = true; // the policy has this kernel
    bool variesByDesign = false;
    bool promisesBits = false; // the reference's, on any threads and instruction set
    std::string wrongAt;       // the first shape with bits or numbers that it must not have
    [[nodiscard]] bool ok() const { return wrongAt.empty() && (variesByDesign || distinct <= 1); }
};

constexpr int kChanceRepeats = 100;
constexpr int kSureRepeats = 12;
/// The farthest that another order of the same sum may be from the reference, as relative L2: many
/// times what the longest sum here can be off, and far below what a missed element makes.
constexpr double kClose = 1e-4;

/// The policies that leave the order of merging to chance.
bool leavesOrderToChance(Policy policy)
{
    return policy == Policy::Atomic || policy == Policy::AtomicAdd || policy == Policy::Kahan;
}

std::string bitsOf(const Floats& values)
{
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

bool isClose(const Floats& values, const Floats& reference)
{
    double difference = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double r = static_cast<double>(reference[i]);
        const double d = static_cast<double>(values[i]) - r;
        difference += d * d;
        size += r * r;
    }
    return values.size() == reference.size() && difference <= kClose * kClose * size;
}

kernels::ExecContext contextOf(const KernelCase& one, Isa isa, Policy policy, int threads)
{
    kernels::ExecContext context;
    context.team = kernels::Team(threads);
    context.isa = isa;
    context.chunk = one.chunk;
    context.policy = policy;
    return context;
}

/// What each shape of a kernel must give: under `ordered` the reference's bits, under `exact` those
/// of one thread without vector instructions.
struct Truth {
    std::vector<Floats> reference;
    std::vector<Floats> exact;

    explicit Truth(const KernelCheck& kernel)
    {
        for (const KernelCase& one : kernel.cases) {
            reference.emplace_back();
            one.reference(reference.back());
            exact.emplace_back();
            one.run(contextOf(one, Isa::Portable, Policy::Exact, 1), exact.back());
        }
    }
};

/// Every shape, for the bits or at least the numbers.
void checkShapes(const KernelCheck& kernel, const Truth& truth, Finding& finding)
{
    const bool exact = finding.policy == Policy::Exact;
    Floats out;
    for (std::size_t i = 0; i < kernel.cases.size() && finding.wrongAt.empty(); ++i) {
        const KernelCase& one = kernel.cases[i];
        const Floats& expected = exact ? truth.exact[i] : truth.reference[i];
        ++finding.shapes;
        for (const int threads : {1, 2, 3, 4}) {
            one.run(contextOf(one, finding.isa, finding.policy, threads), out);
            const bool right =
                finding.promisesBits ? bitsOf(out) == bitsOf(expected) : isClose(out, expected);
            if (!right) {
                finding.wrongAt = one.shape + ", threads " + std::to_string(threads);
                break;
            }
        }
    }
}

Finding check(const KernelCheck& kernel, const Truth& truth, Isa isa, Policy policy)
{
    Finding finding;
    finding.op = kernel.op;
    finding.format = kernel.format;
    finding.isa = isa;
    finding.policy = policy;
    finding.served = kernel.serves(policy);
    if (!finding.served) {
        return finding;
    }
    const bool chance = kernel.reduces && leavesOrderToChance(policy);
    finding.variesByDesign = chance;
    // What sums nothing has one answer under every policy.
    finding.promisesBits = policy == Policy::Ordered || policy == Policy::Exact || !kernel.reduces;
    checkShapes(kernel, truth, finding);
    const int cores = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
    std::set<std::string> seen;
    Floats out;
    const KernelCase& one = kernel.cases.front();
    for (; finding.repeats < (chance ? kChanceRepeats : kSureRepeats); ++finding.repeats) {
        one.run(contextOf(one, isa, policy, std::min(cores, 4)), out);
        seen.insert(bitsOf(out));
    }
    finding.distinct = static_cast<int>(seen.size());
    return finding;
}

audit::JsonValue findingJson(const Finding& finding)
{
    audit::JsonValue entry{{"op", finding.op},
                           {"format", finding.format},
                           {"isa", toString(finding.isa)},
                           {"policy", toString(finding.policy)},
                           {"shapes", finding.shapes},
                           {"repeats", finding.repeats},
                           {"distinct", finding.distinct},
                           {"expected", finding.variesByDesign ? "varies" : "same"},
                           {"seen", finding.distinct > 1 ? "varies" : "same"},
                           {"ok", finding.ok()}};
    if (finding.promisesBits) {
        entry["matches_reference"] = finding.wrongAt.empty();
    }
    if (!finding.wrongAt.empty()) {
        entry["wrong_at"] = finding.wrongAt;
    }
    return entry;
}

std::string cellText(const Finding& finding)
{
    if (!finding.served) {
        return "-";
    }
    if (!finding.wrongAt.empty()) {
        return "WRONG";
    }
    if (finding.distinct == 1) {
        return "same";
    }
    return std::to_string(finding.distinct) + (finding.variesByDesign ? " variants" : " VARIANTS");
}

/// A row for each kernel and instruction set, a column for each policy.
void show(const std::vector<Finding>& findings, bool ok)
{
    std::vector<std::string> headings{"kernel", "format", "isa", "#shapes"};
    for (const Policy policy : supportedPolicies()) {
        headings.emplace_back(toString(policy));
    }
    TextTable table(headings);
    const std::size_t policies = supportedPolicies().size();
    for (std::size_t i = 0; i < findings.size(); i += policies) {
        const Finding& first = findings[i];
        std::vector<std::string> cells{first.op, first.format, std::string(toString(first.isa)),
                                       std::to_string(first.shapes)};
        for (std::size_t p = 0; p < policies; ++p) {
            cells.push_back(cellText(findings[i + p]));
        }
        table.row(std::move(cells));
    }
    print(table.text() +
          "\nEvery shape on 1 to 4 threads: ordered against the bits of the "
          "reference, exact against its own on\none thread without vector "
          "instructions, the others against the reference's numbers. " +
          std::to_string(kChanceRepeats) + " repeats where\nchance decides, " +
          std::to_string(kSureRepeats) + " elsewhere.\n");
    for (const Finding& finding : findings) {
        if (!finding.wrongAt.empty()) {
            print(finding.op + " " + finding.format + ", " + std::string(toString(finding.isa)) +
                  ", " + std::string(toString(finding.policy)) + ": wrong at " + finding.wrongAt +
                  "\n");
        }
    }
    print(ok ? toned("As promised", Tone::Good) +
                   ": what must repeat does, and ordered gives the reference's bits.\n"
             : toned("Not as promised", Tone::Bad) + ": see the words in capitals.\n");
}

Exit selfcheck(const OutputOptions& output)
{
    const auto kernels = kernelChecks();
    if (!kernels) {
        return fail(kernels.error());
    }
    std::vector<Finding> findings;
    ProgressLine line(output.progress);
    for (const KernelCheck& kernel : *kernels) {
        const Truth truth(kernel);
        for (const Isa isa : kernels::availableIsas()) {
            line.show("checking " + kernel.op + " " + kernel.format + ", " +
                      std::string(toString(isa)));
            for (const Policy policy : supportedPolicies()) {
                findings.push_back(check(kernel, truth, isa, policy));
            }
        }
    }
    line.clear();
    const bool ok = std::all_of(findings.begin(), findings.end(),
                                [](const Finding& finding) { return finding.ok(); });
    if (output.json) {
        audit::JsonValue list = audit::JsonValue::array();
        for (const Finding& finding : findings) {
            if (finding.served) {
                list.push_back(findingJson(finding));
            }
        }
        printJson({{"kernels", std::move(list)}, {"ok", ok}});
    } else {
        show(findings, ok);
    }
    return ok ? Exit::Done : Exit::Differs;
}

} // namespace

Action configureSelfcheck(CLI::App& app)
{
    auto output = std::make_shared<OutputOptions>();
    output->add(app, true);
    return [output] { return selfcheck(*output); };
}

} // namespace ulp::cli
