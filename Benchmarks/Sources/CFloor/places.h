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

struct sqlite3_stmt;

// Reads the row a statement stands on into one more place, its texts copied.
void floor_read_row(struct sqlite3_stmt *statement, floor_places *places);

// Binds a place to the parameters of an INSERT; its texts stay where they are.
void floor_bind_row(struct sqlite3_stmt *statement, const floor_place *place);
