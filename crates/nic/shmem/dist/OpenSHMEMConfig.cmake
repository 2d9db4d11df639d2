# find_package(OpenSHMEM CONFIG): the target OpenSHMEM::OpenSHMEM, and OpenSHMEM_LAUNCHER, which
# starts programs.
get_filename_component(OpenSHMEM_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(OpenSHMEM_LAUNCHER "${OpenSHMEM_PREFIX}/bin/oshrun")
if(NOT TARGET OpenSHMEM::OpenSHMEM)
  add_library(OpenSHMEM::OpenSHMEM SHARED IMPORTED)
  set_target_properties(OpenSHMEM::OpenSHMEM PROPERTIES
    IMPORTED_LOCATION "${OpenSHMEM_PREFIX}/lib/libphilae_shmem.so"
    IMPORTED_SONAME "libphilae_shmem.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenSHMEM_PREFIX}/include")
endif()
set(OpenSHMEM_FOUND TRUE)
