# dsh_add_plugin(NAME SOURCE...): a plugin library as the contract wants it. The file is NAME.so (.dll,
# .dylib), exports the contract's symbols and nothing else, takes no symbol of the process in place of
# its own, carries no search path, leaves nothing unresolved, and lets itself be unmapped.
#
# Link what the plugin needs to the target as usual; prefer static libraries, so that no other version
# in the host's process gets in the way.
include_guard(GLOBAL)
set(DSH_PLUGIN_EXPORTS_DIR "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "Where the export lists of plugins are")

function(dsh_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  dsh_make_plugin(${name})
endfunction()

# dsh_make_plugin(TARGET): the same for a MODULE library that exists.
function(dsh_make_plugin name)
  target_link_libraries(${name} PRIVATE dsh::host-api)
  set_target_properties(${name} PROPERTIES
    PREFIX ""
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    SKIP_BUILD_RPATH ON
    INSTALL_RPATH "")
  if(WIN32)
    # dllexport on the contract's declarations is the export list, and nobody links a plugin.
    set_target_properties(${name} PROPERTIES ENABLE_EXPORTS OFF)
    if(NOT MSVC)
      target_link_options(${name} PRIVATE -static LINKER:--exclude-all-symbols)
    endif()
  elseif(APPLE)
    set(list "${DSH_PLUGIN_EXPORTS_DIR}/dsh-plugin.exports")
    target_link_options(${name} PRIVATE "LINKER:-exported_symbols_list,${list}")
    set_target_properties(${name} PROPERTIES LINK_DEPENDS "${list}")
  else()
    # Hidden visibility alone leaves symbols of the C++ library visible, and a unique one among them would
    # keep the library mapped for ever. The version script makes all of them local.
    set(list "${DSH_PLUGIN_EXPORTS_DIR}/dsh-plugin.map")
    target_link_options(${name} PRIVATE "LINKER:--version-script=${list}" LINKER:-Bsymbolic)
    get_target_property(options ${name} LINK_OPTIONS)
    get_directory_property(directory_options LINK_OPTIONS)
    if(NOT "${options};${directory_options};${CMAKE_C_FLAGS};${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
      target_link_options(${name} PRIVATE LINKER:-z,defs) # a sanitizer's symbols come from the program
    endif()
    set_target_properties(${name} PROPERTIES LINK_DEPENDS "${list}")
  endif()
endfunction()
