# What `cmake --install` puts where: the program, the library with its headers, what both load at run time, and the package that
# find_package(umov) finds. Each part is a component, of which cmake/package.cmake makes packages.
include(CMakePackageConfigHelpers)

# Libraries that an archive brings along lie in lib/umov/needed. An old-style run path holds for what they need in turn, too.
set(UMOV_NEEDED lib/umov/needed)
foreach(target umov umov_library umov_cuda umov_gmsh)
  if(TARGET ${target})
    target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  endif()
endforeach()
set_target_properties(umov PROPERTIES INSTALL_RPATH "$ORIGIN/../${UMOV_NEEDED}")
set_target_properties(umov_library PROPERTIES INSTALL_RPATH "$ORIGIN/umov/needed")

install(TARGETS umov RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS umov_library EXPORT umov LIBRARY DESTINATION lib COMPONENT library NAMELINK_COMPONENT library)
foreach(module cuda gmsh openmpi mpich)
  if(TARGET umov_${module})
    set_target_properties(umov_${module} PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/needed")
    install(TARGETS umov_${module} LIBRARY DESTINATION lib/umov COMPONENT ${module})
  endif()
endforeach()
install(FILES LICENSE LICENSES.md CITATION.cff DESTINATION share/doc/umov COMPONENT program)
install(FILES page/LICENSES.txt DESTINATION share/doc/umov RENAME LICENSES-page.txt COMPONENT program)
install(DIRECTORY examples DESTINATION share/umov COMPONENT program PATTERN *.png EXCLUDE)
install(FILES examples/ring_coupler/ring.png DESTINATION share/umov/examples/ring_coupler COMPONENT program)

# The library's own header and all that it includes.
set(headers api/family.hpp api/files.hpp api/system.hpp core/error.hpp core/types.hpp parameters/parameters.hpp parameters/schema.hpp parameters/tree.hpp
  parameters/value.hpp parameters/value_list.hpp results/result.hpp)
install(CODE "set(source \"${CMAKE_SOURCE_DIR}/src\")\nset(headers \"${headers}\")" COMPONENT library)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake COMPONENT library)

target_include_directories(umov_library INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(umov_library INTERFACE cxx_std_20)
install(EXPORT umov FILE umovConfig.cmake NAMESPACE umov:: DESTINATION lib/cmake/umov COMPONENT library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/umovConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/umovConfigVersion.cmake DESTINATION lib/cmake/umov COMPONENT library)
