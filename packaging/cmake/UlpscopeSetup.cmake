# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compiler settings that the arithmetic contract depends on, the libraries we stand on, and the
# one function that declares an engine library.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(ULPSCOPE_CCACHE ccache)
if(ULPSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ULPSCOPE_CCACHE}")
endif()

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)

add_library(ulp_options INTERFACE)
target_include_directories(ulp_options INTERFACE "${CMAKE_SOURCE_DIR}")
# The contract forbids contraction, reassociation and flush-to-zero: said once, for every file.
target_compile_options(ulp_options INTERFACE
  -ffp-contract=off -fno-fast-math -fno-unsafe-math-optimizations -fno-associative-math
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align -Wformat=2 -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # A false positive on std::string concatenation (gcc bug 105651).
  target_compile_options(ulp_options INTERFACE -Wno-restrict)
endif()
if(ULPSCOPE_WERROR)
  target_compile_options(ulp_options INTERFACE -Werror)
endif()
if(ULPSCOPE_SANITIZE)
  target_compile_options(ulp_options INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    # The instrumentation hides initialisation from gcc's flow analysis, as its manual says.
    -Wno-maybe-uninitialized)
  target_link_options(ulp_options INTERFACE -fsanitize=address,undefined)
endif()
target_link_libraries(ulp_options INTERFACE Threads::Threads)

# ulp_engine_library(NAME FOLDER... [LINK targets]): a static library from the sources of folders
# (not recursive). The dependency arrows of the architecture are the LINK lists.
function(ulp_engine_library name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;LINK" ${ARGN})
  set(sources)
  foreach(folder IN LISTS ARG_FOLDERS)
    file(GLOB found CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*.h")
    list(APPEND sources ${found})
  endforeach()
  list(FILTER sources INCLUDE REGEX "\\.(cpp|h)$")
  set(compiled ${sources})
  list(FILTER compiled INCLUDE REGEX "\\.cpp$")
  if(compiled)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC ulp_options ${ARG_LINK})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ulp_options ${ARG_LINK})
  endif()
endfunction()
