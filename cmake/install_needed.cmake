# The libraries of others that an archive brings along, with their licences, and the fonts of pictures.
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")

# Of the system: the C and C++ libraries with their loader. All other libraries may be missing elsewhere, or be of another version.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${with_needs} RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^libumov" "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|stdc\\+\\+|gcc_s)\\.so" "^libcuda\\.so")
if(missing)
  message(FATAL_ERROR "libraries that are not here: ${missing}")
endif()
foreach(library ${found})
  file(INSTALL ${library} DESTINATION "${root}/${needed}" FOLLOW_SYMLINK_CHAIN)
endforeach()

# Each comes from a package, whose terms lie beside it; so do those of what is compiled in.
find_program(DPKG dpkg-query)
if(DPKG)
  set(owners)
  foreach(file ${found} ${inside})
    file(REAL_PATH ${file} real)
    foreach(path ${file} ${real})
      string(REGEX REPLACE "^/(lib|bin)/" "/usr/\\1/" usr ${path})
      string(REGEX REPLACE "^/usr/lib/" "/lib/" plain ${path})
      execute_process(COMMAND ${DPKG} -S ${usr} ${plain} OUTPUT_VARIABLE said ERROR_QUIET)
      string(REGEX MATCH "^[a-z0-9.+-]+" owner "${said}")
      if(owner)
        list(APPEND owners ${owner})
        break()
      endif()
    endforeach()
    if(NOT owner)
      message(FATAL_ERROR "no package owns ${file}, so that its licence is not known")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES owners)
  foreach(owner ${owners})
    file(COPY_FILE /usr/share/doc/${owner}/copyright "${root}/share/doc/umov/licences-${owner}.txt")
  endforeach()
  file(INSTALL /usr/share/common-licenses/ DESTINATION "${root}/share/doc/umov/common-licenses" FOLLOW_SYMLINK_CHAIN)
else()
  message(FATAL_ERROR "dpkg is not here: licences of the libraries in the archive cannot be collected")
endif()

set(fonts /usr/share/fonts/truetype/dejavu)
file(INSTALL ${fonts}/DejaVuSans.ttf ${fonts}/DejaVuSans-Bold.ttf /usr/share/doc/fonts-dejavu-core/copyright
  DESTINATION "${root}/share/umov/fonts")
file(WRITE "${root}/share/umov/fonts/fonts.conf" "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>
  <dir prefix=\"relative\">.</dir>\n  <cachedir prefix=\"xdg\">fontconfig</cachedir>\n</fontconfig>\n")
