# How every target of this tree is compiled: language level, warnings as errors, hidden symbols,
# hardening, and the sanitizer that a preset asks for.

set(DSH_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)

if(DSH_SANITIZE)
  add_compile_options(-fsanitize=${DSH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DSH_SANITIZE})
endif()

# dsh_target(NAME): warnings, visibility and hardening for a target of ours.
function(dsh_target target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
    # GCC 12 sees overlaps in std::string operator+ where there are none (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  set_target_properties(${target} PROPERTIES
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  if(DSH_SANITIZE)
    # Instrumented, parts of <regex> look uninitialised to GCC 12 (its bug 105593); release keeps the warning.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  elseif(NOT WIN32)
    target_compile_options(${target} PRIVATE
      -fstack-protector-strong
      $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>
      $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
    target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  endif()
endfunction()
