#ifndef INSPECTOR_PAGE_H
#define INSPECTOR_PAGE_H

#include <stddef.h>

/// A file of the inspector's page, which is part of the program.
struct inspector_page_file {
  const char *name;
  const unsigned char *bytes;
  size_t size;
};

/// The number of files.
size_t inspector_page_count(void);

/// Returns a file; the index is less than the count.
struct inspector_page_file inspector_page(size_t index);

#endif
