// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>
#include <map>
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

struct Finding {
    std::string op;
    std::string format;
    Isa isa = Isa::Portable;
    Policy policy = Policy::Ordered;
    int repeats = 0;
    int distinct = 0;
    bool variesByDesign = false;
    bool matchesReference = true; // looked at under `ordered` only
    [[nodiscard]] bool ok() const { return matchesReference && (variesByDesign || distinct == 1); }
};

constexpr int kRepeats = 100;

/// The policies that leave the order of merging to chance.
bool leavesOrderToChance(Policy policy)
{
    return policy == Policy::Atomic || policy == Policy::AtomicAdd || policy == Policy::Kahan;
}

std::string bitsOf(const std::vector<float>& values)
{
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

Finding check(const KernelCheck& kernel, Isa isa, Policy policy)
{
    const bool ordered = policy == Policy::Ordered;
    const int cores = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
    Finding finding{kernel.op, kernel.format, isa, policy};
    finding.variesByDesign = kernel.reduces && leavesOrderToChance(policy);
    std::set<std::string> seen;
    std::vector<float> out;
    for (; finding.repeats < kRepeats; ++finding.repeats) {
        kernels::ExecContext context;
        // The contract holds for every number of threads, the other policies for one at best.
        context.team = kernels::Team(ordered ? finding.repeats % 4 + 1 : std::min(cores, 4));
        context.isa = isa;
        context.chunk = kSelfcheckChunk;
        context.policy = policy;
        kernel.run(context, out);
        seen.insert(bitsOf(out));
    }
    finding.distinct = static_cast<int>(seen.size());
    if (ordered) {
        kernel.reference(out);
        finding.matchesReference = seen.contains(bitsOf(out));
    }
    return finding;
}

audit::JsonValue findingJson(const Finding& finding)
{
    audit::JsonValue entry{{"op", finding.op},
                           {"format", finding.format},
                           {"isa", toString(finding.isa)},
                           {"policy", toString(finding.policy)},
                           {"repeats", finding.repeats},
                           {"distinct", finding.distinct},
                           {"expected", finding.variesByDesign ? "varies" : "same"},
                           {"ok", finding.ok()}};
    if (finding.policy == Policy::Ordered) {
        entry["matches_reference"] = finding.matchesReference;
    }
    return entry;
}

std::string cellText(const Finding& finding)
{
    if (!finding.matchesReference) {
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
    std::vector<std::string> headings{"kernel", "format", "isa"};
    for (const Policy policy : supportedPolicies()) {
        headings.emplace_back(toString(policy));
    }
    TextTable table(headings);
    const std::size_t policies = supportedPolicies().size();
    for (std::size_t i = 0; i < findings.size(); i += policies) {
        const Finding& first = findings[i];
        std::vector<std::string> cells{first.op, first.format, std::string(toString(first.isa))};
        for (std::size_t p = 0; p < policies; ++p) {
            cells.push_back(cellText(findings[i + p]));
        }
        table.row(std::move(cells));
    }
    print(table.text() + "\n" + std::to_string(kRepeats) +
          " repeats each; ordered on 1 to 4 threads and against the reference.\n");
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
        for (const Isa isa : kernels::availableIsas()) {
            line.show("checking " + kernel.op + " " + kernel.format + ", " +
                      std::string(toString(isa)));
            for (const Policy policy : supportedPolicies()) {
                findings.push_back(check(kernel, isa, policy));
            }
        }
    }
    line.clear();
    const bool ok = std::all_of(findings.begin(), findings.end(),
                                [](const Finding& finding) { return finding.ok(); });
    if (output.json) {
        audit::JsonValue list = audit::JsonValue::array();
        for (const Finding& finding : findings) {
            list.push_back(findingJson(finding));
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
