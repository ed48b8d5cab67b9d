// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/fingerprint.h"

#include <sys/utsname.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <omp.h>
#include <openssl/crypto.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <xxhash.h>

#include "engine/base/build_info.h"
#include "engine/base/settings.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/vendor_blas.h"

namespace ulp::run {
namespace {

using Facts = std::map<std::string, std::string>;

void addProgram(Facts& facts)
{
    const BuildInfo& build = buildInfo();
    facts["program.name"] = "ulpscope";
    facts["program.version"] = build.version;
    facts["program.contract"] = std::to_string(kContractVersion);
    facts["build.id"] = build.id;
    facts["build.compiler"] = build.compiler;
    facts["build.flags"] = build.flags;
    facts["build.type"] = build.type;
    std::string isas;
    for (const Isa isa : kernels::availableIsas()) {
        isas += (isas.empty() ? "" : " ") + std::string(toString(isa));
    }
    facts["cpu.isas"] = isas;
}

/// "key : value" lines of the first processor.
void addProcessor(Facts& facts)
{
    std::ifstream in("/proc/cpuinfo");
    std::string line;
    while (std::getline(in, line) && !line.empty()) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || colon + 2 > line.size()) {
            continue;
        }
        std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        const std::string value = line.substr(std::min(colon + 2, line.size()));
        if (key == "model name") {
            facts["cpu.model"] = value;
        } else if (key == "microcode") {
            facts["cpu.microcode"] = value;
        } else if (key == "flags") {
            facts["cpu.features"] = value;
        }
    }
    facts["cpu.cores"] = std::to_string(std::thread::hardware_concurrency());
}

void addSystem(Facts& facts)
{
    utsname name{};
    if (uname(&name) == 0) {
        facts["os.kernel"] = std::string(name.sysname) + " " + name.release;
        facts["os.machine"] = name.machine;
    }
    std::ifstream in("/etc/os-release");
    std::string line;
    while (std::getline(in, line)) {
        constexpr std::string_view kKey = "PRETTY_NAME=";
        if (line.rfind(kKey, 0) == 0) {
            std::string value = line.substr(kKey.size());
            if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
                value = value.substr(1, value.size() - 2);
            }
            facts["os.name"] = value;
        }
    }
    // A driver that is loaded, whether or not this program uses it.
    std::ifstream driver("/proc/driver/nvidia/version");
    if (driver && std::getline(driver, line)) {
        facts["gpu.driver"] = line;
    }
}

void addThreads(Facts& facts)
{
    constexpr std::array kVariables = {
        "OMP_NUM_THREADS",     "OMP_PROC_BIND",        "OMP_PLACES",      "OMP_WAIT_POLICY",
        "OMP_DYNAMIC",         "OMP_SCHEDULE",         "GOMP_SPINCOUNT",  "GOMP_CPU_AFFINITY",
        "OMP_THREAD_LIMIT",    "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "CUBLAS_WORKSPACE_CONFIG",
        "CUDA_LAUNCH_BLOCKING"};
    for (const char* variable : kVariables) {
        if (const char* value = std::getenv(variable)) {
            facts[std::string("env.") + variable] = value;
        }
    }
    facts["openmp.version"] = std::to_string(_OPENMP);
    facts["openmp.max_threads"] = std::to_string(omp_get_max_threads());
    facts["openmp.dynamic"] = omp_get_dynamic() != 0 ? "true" : "false";
}

void addLibraries(Facts& facts)
{
    facts["library.openssl"] = OpenSSL_version(OPENSSL_VERSION);
    facts["library.xxhash"] = std::to_string(XXH_versionNumber());
    std::array<char, 64> text{};
    if (pcre2_config(PCRE2_CONFIG_VERSION, nullptr) <= static_cast<int>(text.size()) &&
        pcre2_config(PCRE2_CONFIG_VERSION, text.data()) > 0) {
        facts["library.pcre2"] = text.data();
    }
    facts.merge(kernels::vendorFacts()); // only where a run has asked for it
#ifdef __GLIBC__
    facts["library.glibc"] = std::to_string(__GLIBC__) + "." + std::to_string(__GLIBC_MINOR__);
#endif
}

} // namespace

Facts environmentFingerprint()
{
    Facts facts;
    addProgram(facts);
    addProcessor(facts);
    addSystem(facts);
    addThreads(facts);
    addLibraries(facts);
    return facts;
}

} // namespace ulp::run
