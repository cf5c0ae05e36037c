#define _GNU_SOURCE
#include "CPictures.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What libvips declares, the same since version 8.13, which is the first that can block loaders.
typedef struct daybook_vips_image *image;

#define FUNCTIONS(F)                                                                               \
  F(vips_init, int, (const char *))                                                                \
  F(vips_concurrency_set, void, (int))                                                             \
  F(vips_cache_set_max, void, (int))                                                               \
  F(vips_vector_set_enabled, void, (int))                                                          \
  F(vips_block_untrusted_set, void, (int))                                                         \
  F(vips_operation_block_set, void, (const char *, int))                                           \
  F(vips_error_buffer, const char *, (void))                                                       \
  F(vips_image_new_from_buffer, image, (const void *, size_t, const char *, ...))                  \
  F(vips_image_get_width, int, (image))                                                            \
  F(vips_image_get_height, int, (image))                                                           \
  F(vips_image_get_bands, int, (image))                                                            \
  F(vips_thumbnail_buffer, int, (const void *, size_t, image *, int, ...))                         \
  F(vips_colourspace, int, (image, image *, int, ...))                                             \
  F(vips_cast_uchar, int, (image, image *, ...))                                                   \
  F(vips_addalpha, int, (image, image *, ...))                                                     \
  F(vips_image_write_to_memory, void *, (image, size_t *))

static struct {
#define FUNCTION(name, result, parameters) result(*name) parameters;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
} library;

static const char name_of_library[] = "libvips.so.42";

// Of VipsInterpretation and VipsSize.
enum { SRGB = 22, SIZE_DOWN = 2, FAIL_ON_ERROR = 2 };

// The loaders of pictures as cameras and browsers make them; those of SVG, PDF, text and whatever reads other
// files stay off.
static const char *const loaders[] = {"VipsForeignLoadJpeg", "VipsForeignLoadPng",
                                      "VipsForeignLoadWebp", "VipsForeignLoadNsgif",
                                      "VipsForeignLoadTiff", "VipsForeignLoadHeif"};

int daybook_pictures_installed(void) {
  static const char *const directories[] = {
      "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
      "/usr/local/lib", "/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib/aarch64-linux-gnu"};
  char path[512];
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
    snprintf(path, sizeof path, "%s/%s", directories[i], name_of_library);
    if (access(path, R_OK) == 0) return 1;
  }
  const char *own = getenv("LD_LIBRARY_PATH");
  while (own != NULL && *own != '\0') {
    size_t length = strcspn(own, ":");
    snprintf(path, sizeof path, "%.*s/%s", (int)length, own, name_of_library);
    if (length > 0 && access(path, R_OK) == 0) return 1;
    own += length + (own[length] == ':');
  }
  return 0;
}

int daybook_pictures_load(char *reason, size_t reason_size) {
  void *handle = dlopen(name_of_library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    snprintf(reason, reason_size,
             "pictures need libvips, which is not installed (on Debian: apt install libvips42t64, or "
             "libvips42 before Debian 13)");
    return -1;
  }
#define FUNCTION(name, result, parameters)                                                         \
  library.name = (result(*) parameters)dlsym(handle, #name);                                       \
  if (library.name == NULL) {                                                                      \
    snprintf(reason, reason_size, "libvips has no %s: install version 8.13 or newer", #name);      \
    return -1;                                                                                     \
  }
  FUNCTIONS(FUNCTION)
#undef FUNCTION
  // What it warns of is in no format of ours; what fails has a reason.
  setenv("VIPS_WARNING", "0", 1);
  if (library.vips_init("daybook") != 0) {
    snprintf(reason, reason_size, "libvips: %s", library.vips_error_buffer());
    return -1;
  }
  // The decoders of HEIC and AVIF are plug-ins of a plug-in, and no file can be opened later.
  void *heif = dlopen("libheif.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (heif != NULL) {
    struct heif_failure {
      int code, detail;
      const char *message;
    } (*start)(void *) = (struct heif_failure(*)(void *))dlsym(heif, "heif_init");
    if (start != NULL) start(NULL);
  }
  library.vips_concurrency_set(1);
  library.vips_cache_set_max(0);
  // Machine code made at run time would need executable pages.
  library.vips_vector_set_enabled(0);
  library.vips_block_untrusted_set(1);
  library.vips_operation_block_set("VipsForeignLoad", 1);
  for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++)
    library.vips_operation_block_set(loaders[i], 0);
  return 0;
}

static void *failed(char *reason, size_t reason_size, const char *words) {
  // Some loaders fail without a word.
  snprintf(reason, reason_size, "%s", words[0] == '\0' ? "the picture cannot be read" : words);
  return NULL;
}

// Whether a picture can be read to its end.
static int is_sound(const void *bytes, size_t size, int width, int height) {
  image strict;
  size_t count = 0;
  return library.vips_thumbnail_buffer(bytes, size, &strict, width, "height", height, "size",
                                       (int)SIZE_DOWN, "fail_on", (int)FAIL_ON_ERROR, NULL) == 0 &&
         library.vips_image_write_to_memory(strict, &count) != NULL;
}

unsigned char *daybook_picture_decode(const void *bytes, size_t size, int *width, int *height,
                                      char *reason, size_t reason_size) {
  // The header says the number of pixels; nothing is decoded for it.
  image whole = library.vips_image_new_from_buffer(bytes, size, "", NULL);
  if (whole == NULL) return failed(reason, reason_size, library.vips_error_buffer());
  uint64_t pixels = (uint64_t)library.vips_image_get_width(whole) *
                    (uint64_t)library.vips_image_get_height(whole);
  if (pixels > DAYBOOK_MOST_PIXELS)
    return failed(reason, reason_size, "the picture has more than 100 million pixels");
  image small, colored, plain;
  if (library.vips_thumbnail_buffer(bytes, size, &small, *width, "height", *height, "size",
                                    (int)SIZE_DOWN, NULL) != 0 ||
      library.vips_colourspace(small, &colored, SRGB, NULL) != 0 ||
      library.vips_cast_uchar(colored, &plain, NULL) != 0)
    return failed(reason, reason_size, library.vips_error_buffer());
  if (library.vips_image_get_bands(plain) == 3) {
    image opaque;
    if (library.vips_addalpha(plain, &opaque, NULL) != 0)
      return failed(reason, reason_size, library.vips_error_buffer());
    plain = opaque;
  }
  int columns = library.vips_image_get_width(plain), rows = library.vips_image_get_height(plain);
  if (library.vips_image_get_bands(plain) != 4 || columns < 1 || columns > *width || rows < 1 ||
      rows > *height)
    return failed(reason, reason_size, "the picture has no shape that can be drawn");
  size_t count = 0;
  unsigned char *found = library.vips_image_write_to_memory(plain, &count);
  if (found == NULL) return failed(reason, reason_size, library.vips_error_buffer());
  if (count != (size_t)columns * (size_t)rows * 4)
    return failed(reason, reason_size, "the picture has no shape that can be drawn");
  // What cannot be read is painted in one colour: a picture of which that is all is no picture. The reader of
  // PNG paints it black, and calls the file sound.
  if (count > 4 && memcmp(found, found + 4, count - 4) == 0 &&
      ((found[0] | found[1] | found[2]) == 0 || !is_sound(bytes, size, *width, *height)))
    return failed(reason, reason_size, library.vips_error_buffer());
  *width = columns;
  *height = rows;
  return found;
}
