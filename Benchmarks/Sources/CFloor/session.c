#include "places.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>

// A connection that keeps its statements prepared, as C code that reads and writes often does.
struct floor_session {
  sqlite3 *handle;
  sqlite3_stmt *begin, *begin_immediate, *commit, *select, *insert, *update;
};

static sqlite3_stmt *prepare(floor_session *session, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v3(
      session->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  return statement;
}

floor_session *floor_session_open(const char *path, const char *settings) {
  floor_session *session = calloc(1, sizeof *session);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &session->handle, flags, NULL) != SQLITE_OK ||
      sqlite3_exec(session->handle, settings, NULL, NULL, NULL) != SQLITE_OK) {
    floor_session_close(session);
    return NULL;
  }
  sqlite3_busy_timeout(session->handle, 5000);
  session->begin = prepare(session, "BEGIN");
  session->begin_immediate = prepare(session, "BEGIN IMMEDIATE");
  session->commit = prepare(session, "COMMIT");
  session->select =
      prepare(session, "SELECT id, name, code, lat, lon, flag FROM place WHERE id = ?");
  session->insert = prepare(session, "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)");
  session->update = prepare(session, "UPDATE place SET flag = flag WHERE id = ?");
  return session;
}

void floor_session_close(floor_session *session) {
  sqlite3_finalize(session->begin);
  sqlite3_finalize(session->begin_immediate);
  sqlite3_finalize(session->commit);
  sqlite3_finalize(session->select);
  sqlite3_finalize(session->insert);
  sqlite3_finalize(session->update);
  sqlite3_close(session->handle);
  free(session);
}

static bool run(sqlite3_stmt *statement) {
  bool is_done = sqlite3_step(statement) == SQLITE_DONE;
  sqlite3_reset(statement);
  return is_done;
}

static bool read_one(floor_session *session, int64_t id, floor_places *places) {
  if (!run(session->begin)) return false;
  sqlite3_bind_int64(session->select, 1, id);
  bool is_found = sqlite3_step(session->select) == SQLITE_ROW;
  if (is_found) floor_read_row(session->select, places);
  sqlite3_reset(session->select);
  return run(session->commit) && is_found;
}

floor_places *floor_session_read(floor_session *session, const int64_t *ids, int64_t count) {
  floor_places *places = floor_places_make();
  for (int64_t index = 0; index < count; index++) {
    if (read_one(session, ids[index], places)) continue;
    floor_places_free(places);
    return NULL;
  }
  return places;
}

bool floor_session_write(floor_session *session, const floor_places *places) {
  for (size_t index = 0; index < places->count; index++) {
    if (!run(session->begin_immediate)) return false;
    floor_bind_row(session->insert, &places->rows[index]);
    bool is_done = run(session->insert);
    if (!run(session->commit) || !is_done) return false;
  }
  return true;
}

// MARK: - Readers during a writer's transactions

struct reader {
  floor_session *session;
  const int64_t *ids;
  int64_t count;
  floor_places *places;
};

static void *read_all(void *context) {
  struct reader *reader = context;
  reader->places = floor_session_read(reader->session, reader->ids, reader->count);
  return NULL;
}

struct writer {
  floor_session *session;
  const int64_t *ids;
  int64_t count;
};

static void *write_on(void *context) {
  struct writer *writer = context;
  for (int64_t index = 0; index < writer->count; index++) {
    run(writer->session->begin_immediate);
    sqlite3_bind_int64(writer->session->update, 1, writer->ids[index]);
    run(writer->session->update);
    run(writer->session->commit);
  }
  return NULL;
}

int64_t floor_read_beside_writer(
    floor_session *first, floor_session *second, floor_session *writing, const int64_t *ids,
    int64_t count) {
  struct writer writer = {writing, ids, count / 4};
  struct reader readers[2] = {{first, ids, count, NULL}, {second, ids, count, NULL}};
  pthread_t threads[3];
  pthread_create(&threads[2], NULL, write_on, &writer);
  for (int index = 0; index < 2; index++) {
    pthread_create(&threads[index], NULL, read_all, &readers[index]);
  }
  int64_t found = 0;
  for (int index = 0; index < 2; index++) {
    pthread_join(threads[index], NULL);
    if (readers[index].places) found += (int64_t)readers[index].places->count;
    floor_places_free(readers[index].places);
  }
  pthread_join(threads[2], NULL);
  return found;
}
