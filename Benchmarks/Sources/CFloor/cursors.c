#include "places.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct floor_reading {
  sqlite3 *handle;
};

floor_reading *floor_reading_open(const char *path, const char *settings) {
  floor_reading *reading = calloc(1, sizeof *reading);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &reading->handle, flags, NULL) == SQLITE_OK &&
      sqlite3_exec(reading->handle, settings, NULL, NULL, NULL) == SQLITE_OK)
    return reading;
  floor_reading_close(reading);
  return NULL;
}

void floor_reading_close(floor_reading *reading) {
  sqlite3_close(reading->handle);
  free(reading);
}

// The bytes of a text or blob, copied and freed as a value that is not kept.
static uint64_t copied(sqlite3_stmt *statement, int column) {
  const void *bytes = sqlite3_column_blob(statement, column);
  if (!bytes) return 0;
  size_t count = (size_t)sqlite3_column_bytes(statement, column);
  char *copy = malloc(count + 1);
  memcpy(copy, bytes, count);
  copy[count] = 0;
  // The compiler would leave out a copy that nothing reads.
  __asm__ volatile("" : : "r"(copy) : "memory");
  free(copy);
  return count;
}

static uint64_t row(sqlite3_stmt *statement, floor_work work) {
  switch (work) {
    case FLOOR_STEP:
      return 1;
    case FLOOR_NUMBER:
      return (uint64_t)sqlite3_column_int64(statement, 0);
    case FLOOR_BYTES:
      return copied(statement, 0);
    case FLOOR_TWO:
      return (uint64_t)sqlite3_column_int64(statement, 0) + copied(statement, 1);
    default: {
      uint64_t sum = (uint64_t)sqlite3_column_int64(statement, 0) + copied(statement, 1);
      sum += copied(statement, 2);
      double place = sqlite3_column_double(statement, 3) + sqlite3_column_double(statement, 4);
      return sum + (place > 1000) + (uint64_t)sqlite3_column_int64(statement, 5);
    }
  }
}

int64_t floor_read(floor_reading *reading, const char *sql, floor_work work, const int64_t *ids,
                   int64_t count) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_exec(reading->handle, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) return -1;
  sqlite3_prepare_v3(reading->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  uint64_t sum = 0;
  int code = SQLITE_DONE;
  if (!ids) {
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) sum += row(statement, work);
  }
  for (int64_t index = 0; ids && index < count && code == SQLITE_DONE; index++) {
    sqlite3_bind_int64(statement, 1, ids[index]);
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
      sum += row(statement, work);
      code = SQLITE_DONE;
    }
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  if (sqlite3_exec(reading->handle, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) return -1;
  return code == SQLITE_DONE ? (int64_t)(sum & INT64_MAX) : -1;
}
