#ifndef DAYBOOK_SIMULATED_DISK_H
#define DAYBOOK_SIMULATED_DISK_H

#include <stdint.h>

// A disk that loses power, for SQLite databases below directories whose names begin with
// `daybook-world-`: a layer between SQLite, or the seal of a journal, and the system's files. It knows
// which writes have been synced. All other files pass. One thread uses it at a time.

// Makes all changes of files that begin with `prefix` fail from the change with this number on, counted from 1:
// writes, truncations, syncs and removals. The first one is left out, or, if `torn` is not 0, half done.
void daybook_disk_fail(const char *prefix, long change, int torn);

// Ends what daybook_disk_fail() began. Returns the number of changes since then.
long daybook_disk_heal(void);

// Whether a change has failed since daybook_disk_fail().
int daybook_disk_has_failed(void);

// Cuts the power of files that begin with `prefix`: each write that was not synced is there, is not there, or
// is there in part, as `seed` decides. Open connections can change nothing any more. Returns the number of
// writes that were lost.
long daybook_disk_cut(const char *prefix, uint64_t seed);

// Forgets all files.
void daybook_disk_forget(void);

#endif
