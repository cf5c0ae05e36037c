#include "FuzzDriver.h"

#ifdef FUZZING

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*input)(const uint8_t *, size_t));

int fuzz_driver_run(int argc, char **argv, int (*input)(const uint8_t *, size_t)) {
  return LLVMFuzzerRunDriver(&argc, &argv, input);
}

#else

int fuzz_driver_run(int argc, char **argv, int (*input)(const uint8_t *, size_t)) {
  return -1;
}

#endif
