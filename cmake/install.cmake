# find_package(lissom), lissom::lissom, and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS lissom lissom_bridge EXPORT lissom ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(LISSOM_APPS)
  install(TARGETS lissom_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY lissom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN inside.h EXCLUDE
  PATTERN header_json.h EXCLUDE PATTERN crc.h EXCLUDE)
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/lissom FILES_MATCHING PATTERN "*.urdf" PATTERN "*.json")

install(EXPORT lissom NAMESPACE lissom:: FILE lissom-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lissom)
configure_package_config_file(cmake/lissom-config.cmake.in ${PROJECT_BINARY_DIR}/lissom-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lissom)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lissom-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lissom-config.cmake ${PROJECT_BINARY_DIR}/lissom-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lissom)
# Relative to where the file lies, so that the installed tree may be moved.
file(RELATIVE_PATH LISSOM_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/lissom.pc.in ${PROJECT_BINARY_DIR}/lissom.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/lissom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
