string(FIND "${CMAKE_CXX_FLAGS}" "-fsanitize" STRATA_SANITIZED)
if(STRATA_SANITIZED EQUAL -1)
  set(STRATA_SANITIZED OFF)
else()
  set(STRATA_SANITIZED ON)
endif()

# What every target of ours is compiled with.
function(strata_target target)
  target_link_libraries(${target} PRIVATE strata)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fvisibility=hidden
    $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
endfunction()

# A library that is preloaded into somebody else's program: it may depend on libc only, must never be
# unloaded (threads return into it), and must not let the compiler reason about malloc.
function(strata_preloaded_library target)
  strata_target(${target})
  target_compile_options(${target} PRIVATE
    -fPIC -ftls-model=initial-exec -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-realloc -fno-builtin-free
    -fno-stack-protector
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-gnu-unique>)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  target_link_options(${target} PRIVATE -Wl,-z,nodelete -Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,--as-needed)
endfunction()
