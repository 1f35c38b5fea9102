# Installs the header library alone into a scratch prefix, and builds and runs a consumer that knows only that prefix.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
    -DSTRATA_PRELOAD=OFF -DSTRATA_LAB=OFF)
run(${CMAKE_COMMAND} --install ${SCRATCH}/build --prefix ${SCRATCH}/prefix)
if(EXISTS ${SCRATCH}/prefix/bin OR EXISTS ${SCRATCH}/prefix/lib/libstrata-kingsley.so)
  message(FATAL_ERROR "the library alone installed more than the library")
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install/consumer -B ${SCRATCH}/consumer -G Ninja
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --build ${SCRATCH}/consumer)
run(${SCRATCH}/consumer/consumer)
