# What differs between the packages: Debian's have no libraries of others, the archive is one and has no MPI.
if(CPACK_GENERATOR STREQUAL "DEB")
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL needed)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL openmpi mpich)
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
endif()
