# find_package(lissom), lissom::lissom, and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS lissom lissom_bridge lissom_view lissom_gpu EXPORT lissom ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(LISSOM_APPS)
  install(TARGETS lissom_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Made with the command (apps/lissom/CMakeLists.txt); absent where it could not be run.
  set(generated ${PROJECT_BINARY_DIR}/apps/lissom/generated)
  install(DIRECTORY ${generated}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
  install(FILES ${generated}/lissom.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME lissom OPTIONAL)
  install(FILES ${generated}/_lissom DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions OPTIONAL)
  install(FILES ${generated}/lissom.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endif()
# The documents keep their places, so that their links to each other lead somewhere.
install(FILES README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES bench/README.md bench/RESULTS.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(FILES models/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/models)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(CODE "set(LISSOM_SOURCE \"${PROJECT_SOURCE_DIR}\")
set(LISSOM_DOCDIR \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
set(LISSOM_INCLUDEDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake)
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_documents.cmake)
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
