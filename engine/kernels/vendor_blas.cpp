// SPDX-FileCopyrightText: 2026 Ulpscope contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/vendor_blas.h"

#include <mutex>
#include <string_view>

#include <dlfcn.h>

namespace ulp::kernels {
namespace {

/// The functions of cblas.h that we call, with its LP64 integers.
struct Library {
    using Gemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha,
                          const float* a, int lda, const float* b, int ldb, float beta, float* c,
                          int ldc);

    Gemm gemm = nullptr;
    void (*setThreads)(int) = nullptr;
    int (*threads)() = nullptr;
    int (*parallel)() = nullptr;
    char* (*config)() = nullptr;
    char* (*core)() = nullptr;

    std::mutex turn; // for the thread count and the product that relies on it
    std::string error;

    Library()
    {
        constexpr const char* kName = "libopenblas.so.0";
        void* handle = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            const char* why = dlerror();
            error = why != nullptr ? why : std::string(kName) + " cannot be loaded";
            return;
        }
        find(handle, "cblas_sgemm", gemm);
        find(handle, "openblas_set_num_threads", setThreads);
        find(handle, "openblas_get_num_threads", threads);
        find(handle, "openblas_get_parallel", parallel);
        find(handle, "openblas_get_config", config);
        find(handle, "openblas_get_corename", core);
    }

  private:
    template <typename F>
    void find(void* handle, const char* name, F& function)
    {
        function = reinterpret_cast<F>(dlsym(handle, name));
        if (function == nullptr && error.empty()) {
            error = std::string("its library has no ") + name;
        }
    }
};

std::once_flag loadOnce;
Library* library = nullptr; // never unloaded: its threads may outlive any order of destruction

} // namespace

Result<void> loadVendor()
{
    std::call_once(loadOnce, [] { library = new Library; });
    if (!library->error.empty()) {
        return makeError(ErrorCode::Unsupported,
                         "policy 'vendor' needs OpenBLAS, which is not here (" + library->error +
                             ")",
                         {}, "install it (Debian: libopenblas0), or use another policy");
    }
    return {};
}

std::map<std::string, std::string> vendorFacts()
{
    if (library == nullptr || !library->error.empty()) {
        return {};
    }
    const std::string config = library->config(); // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
    constexpr std::string_view kName = "OpenBLAS ";
    std::string version = config;
    if (version.rfind(kName, 0) == 0) {
        version = version.substr(kName.size());
    }
    version = version.substr(0, version.find(' '));
    const int parallel = library->parallel();
    return {{"library.openblas.version", version},
            {"library.openblas.config", config},
            {"library.openblas.core", library->core()},
            {"library.openblas.parallel",
             parallel == 0 ? "no" : (parallel == 1 ? "pthreads" : "openmp")}};
}

void vendorProduct(const float* a, int aStride, const float* b, float* c, int cStride, int m, int n,
                   int k, int threads)
{
    constexpr int kRowMajor = 101;
    constexpr int kPlain = 111;
    constexpr int kTransposed = 112;
    const std::lock_guard lock(library->turn);
    if (library->threads() != threads) {
        library->setThreads(threads);
    }
    library->gemm(kRowMajor, kPlain, kTransposed, m, n, k, 1.0F, a, aStride, b, k, 0.0F, c,
                  cStride);
}

} // namespace ulp::kernels
