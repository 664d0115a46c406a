#ifndef HOLDFAST_SAMPLES_H
#define HOLDFAST_SAMPLES_H

#include <stddef.h>

/// A file of the sample feed, which is part of the program.
struct holdfast_sample {
  const char *name;
  const unsigned char *bytes;
  size_t size;
};

/// The number of files in the feed of Port Merrow.
size_t holdfast_port_merrow_count(void);

/// Returns a file of the feed of Port Merrow; the index is less than the count.
struct holdfast_sample holdfast_port_merrow(size_t index);

#endif
