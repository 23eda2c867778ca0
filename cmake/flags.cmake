# g++ makes no faster code of our algorithms with -O3 than with -O2, and takes a fifth longer. (Of quadratic programs it does: lissom/CMakeLists.txt.)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  string(REPLACE -O3 -O2 CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()

# Flags of everything we compile ourselves.
add_library(lissom_flags INTERFACE)
target_compile_options(lissom_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wno-psabi)
# g++ 12 sees overlaps in std::string where there are none (its bug 105651).
target_compile_options(lissom_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Where files are compiled together, g++ takes a type of one of them for a header's, which must not be in an anonymous namespace.
if(LISSOM_UNITY)
  target_compile_options(lissom_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
# clang sees deprecated functions inside libstdc++'s own std::stable_partition.
target_compile_options(lissom_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# g++ collects its garbage less often, which saves a twentieth of the time and takes a few hundred megabytes.
target_compile_options(lissom_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
if(LISSOM_WERROR)
  target_compile_options(lissom_flags INTERFACE -Werror)
endif()
if(LISSOM_SANITIZE)
  target_compile_options(lissom_flags INTERFACE -fsanitize=${LISSOM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lissom_flags INTERFACE -fsanitize=${LISSOM_SANITIZE})
  target_compile_definitions(lissom_flags INTERFACE LISSOM_NO_FORCED_INLINING)
endif()
if(LISSOM_FUZZ)
  # By convention; checksums are then not compared (recording/crc.h).
  target_compile_definitions(lissom_flags INTERFACE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
endif()
# For what is not sanitized. Linked after lissom_flags, so that its option comes last.
add_library(lissom_unsanitized INTERFACE)
target_compile_options(lissom_unsanitized INTERFACE -fno-sanitize=all)
# lissom_sanitize(TARGET FOLDER): leaves the sanitizers out where LISSOM_SANITIZE_FOLDERS does not name the folder.
# Folders that compute much are optimized a little even where nothing else is (./test).
function(lissom_sanitize target folder)
  if(LISSOM_SANITIZE AND folder MATCHES "^(geometry|mesh|qp|world)$")
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(LISSOM_SANITIZE AND LISSOM_SANITIZE_FOLDERS AND NOT folder IN_LIST LISSOM_SANITIZE_FOLDERS)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:lissom_unsanitized>)
  endif()
endfunction()
# lissom_is_prebuilt(RESULT FOLDER): whether the objects of this folder come from the library of LISSOM_UNSANITIZED_FROM.
function(lissom_is_prebuilt result folder)
  set(${result} OFF PARENT_SCOPE)
  if(LISSOM_UNSANITIZED_FROM AND LISSOM_SANITIZE AND LISSOM_SANITIZE_FOLDERS AND NOT folder IN_LIST LISSOM_SANITIZE_FOLDERS)
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()
if(LISSOM_TARGET STREQUAL native)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm)")
    target_compile_options(lissom_flags INTERFACE -mcpu=native)
  else()
    target_compile_options(lissom_flags INTERFACE -march=native)
  endif()
endif()
# Multiply and add in one step wherever the processor can, also across inlined operators. (g++'s default; clang has to be told.)
# g++ does it from -O2 on; with -O1 it has to be told to, because sine and cosine count on it (math/sincos.h).
target_compile_options(lissom_flags INTERFACE -ffp-contract=fast $<$<CXX_COMPILER_ID:GNU>:-fexpensive-optimizations>)

# Flags of the algorithms. The SLP vectorizer makes scalar code of this kind slower, and jump tables make its speed flip from run to run. Functions
# begin with a cache line: else the derivatives of an arm take up to 18 % longer, as the linker happens to place them.
add_library(lissom_kernel_flags INTERFACE)
target_link_libraries(lissom_kernel_flags INTERFACE lissom_flags)
target_compile_options(lissom_kernel_flags INTERFACE
  -fno-jump-tables -falign-functions=64
  "$<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize;-fno-gcse>"
  $<$<CXX_COMPILER_ID:Clang>:-fno-slp-vectorize>)

# For what does not have to be fast: less optimization takes a quarter less time to compile (of clang a third, where it inlines only what is small),
# and forced inlining would take minutes where algorithms run on other scalars than numbers.
add_library(lissom_light INTERFACE)
target_compile_options(lissom_light INTERFACE $<$<CONFIG:Release>:-O1> "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:Clang>>:SHELL:-mllvm -inline-threshold=25>")
target_compile_definitions(lissom_light INTERFACE LISSOM_NO_FORCED_INLINING)

# g++ 12 thinks that its own AVX-512 intrinsics, which Eigen calls, read what was never written or lies outside (its bug 105593).
add_library(lissom_eigen_warnings INTERFACE)
target_compile_options(lissom_eigen_warnings INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized;-Wno-maybe-uninitialized;-Wno-array-bounds>")

# For what handles files of other people: the command, and the folders that read and write. Kernels do without; they see checked numbers only.
# (Not with sanitizers, which check more.)
add_library(lissom_hardening INTERFACE)
if(NOT LISSOM_SANITIZE)
  set(fortify $<IF:$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,12>,3,2>)
  target_compile_options(lissom_hardening INTERFACE
    "$<$<CONFIG:Release,RelWithDebInfo>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify};-D_GLIBCXX_ASSERTIONS>")
endif()
target_link_options(lissom_hardening INTERFACE -Wl,-z,relro,-z,now)
