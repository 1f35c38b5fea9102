# `cmake --install` puts the header library, the drop-ins and the lab's tools where find_package and the
# command look for them; component "library" alone is the headers and their package.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/strata DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(TARGETS strata EXPORT strata-targets COMPONENT library)
install(EXPORT strata-targets NAMESPACE strata:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strata
        COMPONENT library)
configure_package_config_file(cmake/strata-config.cmake.in ${PROJECT_BINARY_DIR}/strata-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strata)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/strata-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/strata-config.cmake ${PROJECT_BINARY_DIR}/strata-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/strata COMPONENT library)
