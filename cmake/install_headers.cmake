# Headers for programs of others: they include each other as "umov/...", as a folder named core or results may be theirs, too.
function(install_header from to)
  file(READ ${source}/${from} text)
  string(REGEX REPLACE "#include \"([a-z_/]+[.]hpp)\"" "#include \"umov/\\1\"" text "${text}")
  set(file "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/include/umov/${to}")
  message(STATUS "Installing: ${file}")
  file(WRITE "${file}" "${text}")
endfunction()

foreach(header ${headers})
  install_header(${header} ${header})
endforeach()
install_header(api/umov.hpp umov.hpp)
