#include "places.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct floor_database {
  sqlite3 *handle;
};

floor_database *floor_open(const char *path) {
  floor_database *database = calloc(1, sizeof *database);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &database->handle, flags, NULL) == SQLITE_OK) return database;
  floor_close(database);
  return NULL;
}

void floor_close(floor_database *database) {
  sqlite3_close(database->handle);
  free(database);
}

const char *floor_message(const floor_database *database) {
  return sqlite3_errmsg(database->handle);
}

bool floor_execute(floor_database *database, const char *sql) {
  return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static sqlite3_stmt *prepare(floor_database *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  return statement;
}

// MARK: - Insert

void floor_bind_row(sqlite3_stmt *statement, const floor_place *place) {
  // The texts stay where they are until the step is over, so SQLite need not copy them.
  sqlite3_bind_int64(statement, 1, place->id);
  sqlite3_bind_text(statement, 2, place->name, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 3, place->code, -1, SQLITE_STATIC);
  sqlite3_bind_double(statement, 4, place->latitude);
  sqlite3_bind_double(statement, 5, place->longitude);
  sqlite3_bind_int64(statement, 6, place->flag);
}

bool floor_insert(floor_database *database, const floor_places *places) {
  if (!floor_execute(database, "BEGIN IMMEDIATE")) return false;
  sqlite3_stmt *statement = prepare(database, "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)");
  bool is_done = statement != NULL;
  for (size_t index = 0; index < places->count && is_done; index++) {
    floor_bind_row(statement, &places->rows[index]);
    is_done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  return floor_execute(database, is_done ? "COMMIT" : "ROLLBACK") && is_done;
}

// MARK: - Read

static char *text(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  if (!text) return NULL;
  size_t count = (size_t)sqlite3_column_bytes(statement, column);
  char *copy = malloc(count + 1);
  memcpy(copy, text, count + 1);
  return copy;
}

void floor_read_row(sqlite3_stmt *statement, floor_places *places) {
  floor_place *place = floor_places_next(places);
  place->id = sqlite3_column_int64(statement, 0);
  place->name = text(statement, 1);
  place->code = text(statement, 2);
  place->latitude = sqlite3_column_double(statement, 3);
  place->longitude = sqlite3_column_double(statement, 4);
  place->flag = sqlite3_column_int64(statement, 5);
}

// The rows, or NULL when the last step ended in an error.
static floor_places *finish(
    floor_database *database, sqlite3_stmt *statement, floor_places *places, int code) {
  sqlite3_finalize(statement);
  if (code == SQLITE_DONE && floor_execute(database, "COMMIT")) return places;
  floor_places_free(places);
  return NULL;
}

floor_places *floor_scan(floor_database *database) {
  if (!floor_execute(database, "BEGIN")) return NULL;
  floor_places *places = floor_places_make();
  sqlite3_stmt *statement = prepare(database, "SELECT id, name, code, lat, lon, flag FROM place");
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    floor_read_row(statement, places);
  }
  return finish(database, statement, places, code);
}

floor_places *floor_lookup(floor_database *database, const int64_t *ids, int64_t count) {
  if (!floor_execute(database, "BEGIN")) return NULL;
  floor_places *places = floor_places_make();
  sqlite3_stmt *statement =
      prepare(database, "SELECT id, name, code, lat, lon, flag FROM place WHERE id = ?");
  int code = SQLITE_DONE;
  for (int64_t index = 0; index < count && code == SQLITE_DONE; index++) {
    sqlite3_bind_int64(statement, 1, ids[index]);
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
      floor_read_row(statement, places);
      code = SQLITE_DONE;
    }
    sqlite3_reset(statement);
  }
  return finish(database, statement, places, code);
}

floor_places *floor_ranges(
    floor_database *database, const int64_t *firsts, int64_t count, int64_t length) {
  if (!floor_execute(database, "BEGIN")) return NULL;
  floor_places *places = floor_places_make();
  sqlite3_stmt *statement =
      prepare(database, "SELECT * FROM place WHERE id >= ? AND id < ? ORDER BY id DESC");
  int code = SQLITE_DONE;
  for (int64_t index = 0; index < count && code == SQLITE_DONE; index++) {
    sqlite3_bind_int64(statement, 1, firsts[index]);
    sqlite3_bind_int64(statement, 2, firsts[index] + length);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      floor_read_row(statement, places);
    }
    sqlite3_reset(statement);
  }
  return finish(database, statement, places, code);
}

const char *floor_sqlite_version(void) { return sqlite3_libversion(); }

int64_t floor_requests_build(int64_t count) {
  int64_t size = 0;
  const char *table = "place", *column = "id";
  for (int64_t number = 0; number < count; number++) {
    char *sql = sqlite3_mprintf(
        "SELECT * FROM \"%w\" WHERE (\"%w\" >= ?) AND (\"%w\" < ?) ORDER BY \"%w\" DESC", table, column, column,
        column);
    if (!sql) return -1;
    size += (int64_t)strlen(sql);
    sqlite3_free(sql);
  }
  return size;
}
