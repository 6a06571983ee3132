# Three packages, one a component: the SDK (headers, CMake and pkg-config files, examples), the plugin,
# the sample host. `cpack --config build/release/CPackConfig.cmake` writes a .deb of each.
set(CPACK_PACKAGE_NAME "${PROJECT_NAME}")
# The project has no mailbox, so the packages name none.
set(CPACK_PACKAGE_VENDOR "The dsh-tool-todo authors")
set(CPACK_PACKAGE_CONTACT "The dsh-tool-todo authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL sdk plugin loader)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_SDK_PACKAGE_NAME dsh-host-api-dev)
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SDK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SDK_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_SDK_DESCRIPTION "The contract between agent hosts and their plugins: C headers
 Headers, CMake package, pkg-config file, and a minimal plugin and host in plain C.")

set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME dsh-tool-todo)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_PLUGIN_DESCRIPTION "The todo_write tool for AI agents, as a plugin
 A shared library that any host of dsh plugins loads.")

set(CPACK_DEBIAN_LOADER_PACKAGE_NAME dsh-loader-sample)
set(CPACK_DEBIAN_LOADER_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_LOADER_PACKAGE_RECOMMENDS "dsh-tool-todo (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_LOADER_DESCRIPTION "Sample host of dsh plugins
 Loads plugins from a YAML composition, keeps durable sessions, serves tools over MCP, and checks
 whether a plugin keeps the contract.")

include(CPack)
