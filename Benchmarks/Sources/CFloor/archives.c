#include "floor.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

// The number of a tile along the curve of Hilbert, after those of all levels above.
static uint64_t tile_id(int64_t zoom, int64_t x, int64_t y) {
  uint64_t id = ((UINT64_C(1) << (2 * zoom)) - 1) / 3;
  for (int64_t side = zoom > 0 ? INT64_C(1) << (zoom - 1) : 0; side > 0; side /= 2) {
    int64_t east = (x & side) != 0, south = (y & side) != 0;
    id += (uint64_t)(side * side) * (uint64_t)((3 * east) ^ south);
    x &= side - 1;
    y &= side - 1;
    if (!south) {
      if (east) {
        x = side - 1 - x;
        y = side - 1 - y;
      }
      int64_t swapped = x;
      x = y;
      y = swapped;
    }
  }
  return id;
}

int floor_tile_archive_open(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

void floor_tile_archive_close(int file) { close(file); }

uint64_t floor_tile_archive_read(
    int file, const uint64_t *ids, const uint64_t *offsets, const uint64_t *sizes, int64_t entries,
    const int64_t *places, int64_t count) {
  uint64_t sum = 0;
  for (int64_t index = 0; index < count; index++) {
    uint64_t id = tile_id(places[index * 3], places[index * 3 + 1], places[index * 3 + 2]);
    int64_t low = 0, high = entries;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (ids[middle] <= id) low = middle + 1;
      else high = middle;
    }
    if (low == 0 || ids[low - 1] != id) continue;
    size_t size = (size_t)sizes[low - 1];
    unsigned char *tile = malloc(size);
    if (pread(file, tile, size, (off_t)offsets[low - 1]) == (ssize_t)size)
      sum += size + tile[0] + tile[size / 2] + tile[size - 1];
    free(tile);
  }
  return sum;
}
