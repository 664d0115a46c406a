#ifndef HOLDFAST_SAMPLES_H
#define HOLDFAST_SAMPLES_H

#include <stddef.h>

/// A file of a sample, which is part of the program.
struct holdfast_sample {
  const char *name;
  const unsigned char *bytes;
  size_t size;
};

/// The number of files in the feed of Port Merrow.
size_t holdfast_port_merrow_count(void);

/// Returns a file of the feed of Port Merrow; the index is less than the count.
struct holdfast_sample holdfast_port_merrow(size_t index);

/// The number of files in each version of the pack of the Lantern Fair.
size_t holdfast_lantern_fair_count(void);

/// Returns a file of the pack of the Lantern Fair; the version is 0 for 1.0 and 1 for 1.1, and the index
/// is less than the count.
struct holdfast_sample holdfast_lantern_fair(size_t version, size_t index);

#endif
