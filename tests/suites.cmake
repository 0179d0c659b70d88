# Writes the suites of a test program as tests of ctest, each in one process: a process per test took longer than most tests.
# Those of quick.txt have the label quick.
# cmake -DPROGRAM=path -DWRITE=file -P suites.cmake
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/quick.txt quick)
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE code TIMEOUT 120)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} cannot list its tests (${code})")
endif()
string(REGEX MATCHALL "(^|\n)[^ \n#]+\\." suites "${listed}")
set(text)
foreach(suite ${suites})
  string(STRIP "${suite}" suite)
  set(label)
  # Suites named Validate*, or their instances so named, take minutes each: they run with `make validate`.
  if(suite MATCHES "(^|/)Validate")
    set(label "LABELS validate TIMEOUT 3600")
  else()
    set(label "TIMEOUT 1200")
  endif()
  string(REGEX REPLACE "\\.$" "" name "${suite}")
  if(name IN_LIST quick)
    string(PREPEND label "LABELS quick ")
  endif()
  # Ranks of mpirun yield the processor while they wait: beside other tests some take twenty times as long, up to their limits.
  if(name MATCHES "^Of/Rank(Faults|Phases)$")
    string(APPEND label " RUN_SERIAL TRUE")
  endif()
  string(APPEND text "add_test([=[${name}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}*]=] --gtest_brief=1)\n"
    "set_tests_properties([=[${name}]=] PROPERTIES ${label} ENVIRONMENT OMP_WAIT_POLICY=passive)\n")
endforeach()
file(WRITE ${WRITE} "${text}")
