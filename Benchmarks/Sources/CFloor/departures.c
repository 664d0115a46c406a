#include "floor.h"

#include <sqlite3.h>
#include <stddef.h>

// The earliest departures of one board by a look at all of its times, and the rows that they are decoded from.

int64_t floor_departures_next(const int64_t *instants, const int64_t *trips, int64_t count, int64_t start,
                              int64_t limit, int64_t *found) {
  int64_t best[64], kept = 0;
  if (limit > 64) limit = 64;
  for (int64_t index = 0; index < count; index++) {
    if (instants[index] < start) continue;
    if (kept == limit && instants[index] >= instants[best[kept - 1]]) continue;
    int64_t place = kept < limit ? kept++ : kept - 1;
    while (place > 0 && instants[best[place - 1]] > instants[index]) {
      best[place] = best[place - 1];
      place--;
    }
    best[place] = index;
  }
  for (int64_t index = 0; index < kept; index++) found[index] = trips[best[index]];
  return kept;
}

int64_t floor_departures_first(const char *path, const char *routes) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t size = -1;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database,
                         "SELECT calls, timings, runs FROM patterns"
                         " WHERE rid IN (SELECT value FROM json_each(?1))",
                         -1, &statement, NULL) == SQLITE_OK) {
    sqlite3_bind_text(statement, 1, routes, -1, SQLITE_STATIC);
    size = 0;
    int64_t sum = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      for (int column = 0; column < 3; column++) {
        const unsigned char *bytes = sqlite3_column_blob(statement, column);
        int length = sqlite3_column_bytes(statement, column);
        for (int index = 0; index < length; index++) sum += bytes[index];
        size += length;
      }
    }
    // The bytes are used, or the reading could be left out.
    if (sum < 0) size = -1;
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return size;
}
