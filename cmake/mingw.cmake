# Cross-compiles the plugin and the examples for 64-bit Windows with Debian's MinGW-w64.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# No run time to ship: a plugin brings its own copy of the C++ library, and so do the examples.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -static)

# Boost's headers serve every target, but the directory they lie in holds this machine's C library too:
# show the compiler a directory with a link to boost alone.
set(DSH_BOOST_HEADERS /usr/include CACHE PATH "The directory with the boost directory in it")
set(_boost "${CMAKE_BINARY_DIR}/boost-headers")
if(NOT EXISTS "${_boost}/boost")
  file(MAKE_DIRECTORY "${_boost}")
  file(CREATE_LINK "${DSH_BOOST_HEADERS}/boost" "${_boost}/boost" SYMBOLIC)
endif()
set(Boost_NO_BOOST_CMAKE ON)
set(Boost_INCLUDE_DIR "${_boost}" CACHE PATH "")
