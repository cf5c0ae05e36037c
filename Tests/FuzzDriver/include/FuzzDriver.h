#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its command line, of which the first argument is the program's name.
///
/// It mostly ends the process itself. Only a build by `make fuzz` has libFuzzer; in any other the
/// result is -1 at once.
int fuzz_driver_run(int argc, char **argv, int (*input)(const uint8_t *bytes, size_t count));

#endif
