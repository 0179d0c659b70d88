# What `cmake --install` puts where: the program, the library with its headers, what both load at run time, and the package that
# find_package(umov) finds.
include(CMakePackageConfigHelpers)

install(TARGETS umov RUNTIME DESTINATION bin)
install(TARGETS umov_library EXPORT umov LIBRARY DESTINATION lib)
foreach(module umov_cuda umov_gmsh umov_openmpi umov_mpich)
  if(TARGET ${module})
    install(TARGETS ${module} LIBRARY DESTINATION lib/umov)
  endif()
endforeach()

# The library's own header and all that it includes.
set(headers api/family.hpp api/files.hpp api/system.hpp core/error.hpp core/types.hpp parameters/parameters.hpp parameters/tree.hpp parameters/value.hpp parameters/value_list.hpp
  results/result.hpp)
install(CODE "set(source \"${CMAKE_SOURCE_DIR}/src\")\nset(headers \"${headers}\")")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake)

target_include_directories(umov_library INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(umov_library INTERFACE cxx_std_20)
install(EXPORT umov FILE umovConfig.cmake NAMESPACE umov:: DESTINATION lib/cmake/umov)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/umovConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/umovConfigVersion.cmake DESTINATION lib/cmake/umov)
