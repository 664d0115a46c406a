#pragma once

#include "floor.h"

#include <stddef.h>

struct floor_places {
  floor_place *rows;
  size_t count;
  size_t capacity;
};

// The place of one more row, its fields not set.
floor_place *floor_places_next(floor_places *places);
