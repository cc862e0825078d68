# A target `wane`: checks all C files of the project with the flags that they are compiled with.
#
#     set(CMAKE_EXPORT_COMPILE_COMMANDS ON)    # before the first target
#     include(wane.cmake)
#
# Then, where the project is built in the folder `build`:
#
#     cmake --build build --target wane
#
# Answers are kept in the folder of the build, so the next time only what has changed is asked
# again. What is set for the project stands in its wane.toml. The target fails where something is
# refuted; WANE_FAIL_ON says otherwise. WANE_FLAGS are further options of `wane check`.

if(NOT CMAKE_EXPORT_COMPILE_COMMANDS)
  message(WARNING "wane.cmake: set CMAKE_EXPORT_COMPILE_COMMANDS to ON before the first target")
endif()
if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
  message(WARNING "wane.cmake: ${CMAKE_GENERATOR} writes no compile_commands.json; use Ninja or make")
endif()

find_program(WANE_PROGRAM wane DOC "The program wane")
set(WANE_FAIL_ON refuted CACHE STRING "Which answers make the target fail: refuted, unknown, never")
set(WANE_FLAGS "" CACHE STRING "Further options of wane check, with semicolons between them")

if(WANE_PROGRAM)
  add_custom_target(
    wane
    COMMAND
      "${WANE_PROGRAM}" check --fail-on "${WANE_FAIL_ON}" --cache "${CMAKE_BINARY_DIR}/wane-cache"
      ${WANE_FLAGS} "${CMAKE_BINARY_DIR}/compile_commands.json"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    USES_TERMINAL
    VERBATIM
    COMMENT "wane: all files of compile_commands.json")
else()
  message(STATUS "wane.cmake: there is no program wane on the path, so there is no target for it")
endif()
