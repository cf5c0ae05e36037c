#ifndef DAYBOOK_CPICTURES_H
#define DAYBOOK_CPICTURES_H

#include <stddef.h>

// Decoding of a picture through libvips, loaded with dlopen on first use: it is optional, and linking it
// would bring a hundred libraries into every start. The few functions that are called are declared in
// picture.c, so that no header is needed to build.
//
// A decoder is where pictures harm programs. So it runs in a process of its own, which gives up files,
// programs, the network and most memory before it looks at the first byte.

// Whether libvips seems to be installed: looks for its file, and loads nothing.
int daybook_pictures_installed(void);

// Loads the library with everything that it would load later. Returns 0, or -1 with the reason.
int daybook_pictures_load(char *reason, size_t reason_size);

// Gives up, for ever, all that decoding does not need: the process may then compute, allocate memory up to
// a limit, start threads, write to the descriptors 1 and 2, and exit. Every other call fails; an executable
// page, a new program or process, a file, a socket and a key of the keyring are among them.
//
// Returns 0, or -1 with errno: ENOSYS on a kernel or processor without the filter.
int daybook_confine(void);

// The most pixels of a picture that is decoded: more than a camera makes.
enum { DAYBOOK_MOST_PIXELS = 100000000 };

// Decodes a picture, turns it upright, and shrinks it to at most a width and a height; a smaller one keeps
// its size. The type is what its bytes show: JPEG, PNG, WebP, GIF, TIFF, HEIC or AVIF.
//
// Returns the pixels in rows, each as red, green, blue and alpha, allocated for the rest of the process; or
// NULL with the reason.
unsigned char *daybook_picture_decode(const void *bytes, size_t size, int *width, int *height,
                                      char *reason, size_t reason_size);

#endif
