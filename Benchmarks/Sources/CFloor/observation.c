#include "floor.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

#ifdef __APPLE__
#include <dispatch/dispatch.h>
typedef dispatch_semaphore_t semaphore;
static void make(semaphore *semaphore) { *semaphore = dispatch_semaphore_create(0); }
static void signal_it(semaphore *semaphore) { dispatch_semaphore_signal(*semaphore); }
static void await(semaphore *semaphore) {
  dispatch_semaphore_wait(*semaphore, DISPATCH_TIME_FOREVER);
}
static void end(semaphore *semaphore) { dispatch_release(*semaphore); }
#else
#include <errno.h>
#include <semaphore.h>
typedef sem_t semaphore;
static void make(semaphore *semaphore) { sem_init(semaphore, 0, 0); }
static void signal_it(semaphore *semaphore) { sem_post(semaphore); }
static void await(semaphore *semaphore) {
  while (sem_wait(semaphore) == -1 && errno == EINTR) {
  }
}
static void end(semaphore *semaphore) { sem_destroy(semaphore); }
#endif

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// The three threads of an observation, each of which waits for the one before.
struct observation {
  sqlite3 *reader;
  int64_t count;
  double *times;
  semaphore committed, fetched, delivered;
  // Each is written before its semaphore is signalled and read after it was waited for.
  double commit_time;
  int64_t value;
  int64_t sum;
  bool is_refused;
};

static sqlite3_stmt *prepare(sqlite3 *handle, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  return statement;
}

static bool run(sqlite3_stmt *statement) {
  bool is_done = sqlite3_step(statement) == SQLITE_DONE;
  sqlite3_reset(statement);
  return is_done;
}

static void *fetch_all(void *context) {
  struct observation *observation = context;
  sqlite3_stmt *begin = prepare(observation->reader, "BEGIN");
  sqlite3_stmt *commit = prepare(observation->reader, "COMMIT");
  sqlite3_stmt *select =
      prepare(observation->reader, "SELECT stop FROM visit ORDER BY id DESC LIMIT 1");
  for (int64_t index = 0; index < observation->count; index++) {
    await(&observation->committed);
    bool has_begun = run(begin);
    bool is_found = sqlite3_step(select) == SQLITE_ROW;
    observation->value = sqlite3_column_int64(select, 0);
    sqlite3_reset(select);
    if (!has_begun || !is_found || !run(commit)) observation->is_refused = true;
    signal_it(&observation->fetched);
  }
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  sqlite3_finalize(select);
  return NULL;
}

static void *receive_all(void *context) {
  struct observation *observation = context;
  for (int64_t index = 0; index < observation->count; index++) {
    await(&observation->fetched);
    observation->times[index] = now() - observation->commit_time;
    observation->sum += observation->value;
    signal_it(&observation->delivered);
  }
  return NULL;
}

static sqlite3 *open_database(const char *path, const char *settings) {
  sqlite3 *handle = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &handle, flags, NULL) != SQLITE_OK ||
      sqlite3_exec(handle, settings, NULL, NULL, NULL) != SQLITE_OK) {
    sqlite3_close(handle);
    return NULL;
  }
  sqlite3_busy_timeout(handle, 5000);
  return handle;
}

bool floor_observe(const char *path, const char *settings, int64_t count, double *times) {
  sqlite3 *writer = open_database(path, settings);
  struct observation observation = {
      .reader = open_database(path, settings), .count = count, .times = times};
  if (!writer || !observation.reader) {
    sqlite3_close(writer);
    sqlite3_close(observation.reader);
    return false;
  }
  make(&observation.committed);
  make(&observation.fetched);
  make(&observation.delivered);
  sqlite3_stmt *begin = prepare(writer, "BEGIN IMMEDIATE");
  sqlite3_stmt *commit = prepare(writer, "COMMIT");
  sqlite3_stmt *insert = prepare(writer, "INSERT INTO visit (stop) VALUES (?)");
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, fetch_all, &observation);
  pthread_create(&threads[1], NULL, receive_all, &observation);
  bool is_written = true;
  for (int64_t index = 0; index < count; index++) {
    is_written = run(begin) && is_written;
    sqlite3_bind_int64(insert, 1, index);
    is_written = run(insert) && is_written;
    is_written = run(commit) && is_written;
    observation.commit_time = now();
    signal_it(&observation.committed);
    await(&observation.delivered);
  }
  for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
  sqlite3_finalize(begin);
  sqlite3_finalize(commit);
  sqlite3_finalize(insert);
  end(&observation.committed);
  end(&observation.fetched);
  end(&observation.delivered);
  sqlite3_close(observation.reader);
  sqlite3_close(writer);
  // Each value came once, in whatever state the reader was.
  return is_written && !observation.is_refused && observation.sum == count * (count - 1) / 2;
}
