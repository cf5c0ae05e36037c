#include "Sodium.h"
#include "CSeal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct daybook_sodium daybook_sodium;

static char load_failure[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libsodium.so.23", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("libsodium.so.26", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(load_failure, sizeof load_failure,
             "a sealed journal needs libsodium, which is not installed (on Debian: apt install"
             " libsodium23)");
    return;
  }
#define LOAD(name)                                                                                 \
  if (!(*(void **)&daybook_sodium.name = dlsym(handle, #name))) {                                  \
    snprintf(load_failure, sizeof load_failure, "libsodium has no %s; it is too old", #name);      \
    return;                                                                                        \
  }
  DAYBOOK_SODIUM_FUNCTIONS(LOAD)
#undef LOAD
  if (daybook_sodium.sodium_init() < 0)
    snprintf(load_failure, sizeof load_failure, "libsodium cannot be started");
}

int daybook_seal_load(char *reason, size_t reason_size) {
  pthread_once(&load_once, load);
  if (!load_failure[0]) return 0;
  snprintf(reason, reason_size, "%s", load_failure);
  return -1;
}

void daybook_seal_random(void *bytes, size_t count) { daybook_sodium.randombytes_buf(bytes, count); }

void daybook_seal_wipe(void *bytes, size_t count) { daybook_sodium.sodium_memzero(bytes, count); }
