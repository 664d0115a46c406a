#include "floor.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { reader_count = 5, slot_count = 1 + reader_count, thread_count = 8 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// The numbers of `Random` in Swift, so that both sides do the same things.
static int64_t below(uint64_t *state, int64_t limit) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (int64_t)((*state * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % limit;
}

static void linger(uint64_t *state, int64_t microseconds) {
  usleep((useconds_t)below(state, microseconds));
}

// MARK: - Connections that another thread may end

typedef struct connection {
  sqlite3 *handle;
  sqlite3_stmt *running;
  sqlite3_backup *backup;
  atomic_bool is_claimed;
  // Guards what follows; not held during a call of SQLite.
  pthread_mutex_t lock;
  pthread_cond_t closed;
  bool is_inside, is_closed;
  // Those that are open, and all that ever were.
  struct connection *next_open, *next;
} connection;

typedef struct {
  const char *path;
  pthread_mutex_t lock;
  pthread_cond_t freed, committed;
  bool is_suspended, ends;
  bool is_held[slot_count];
  connection *slots[slot_count];
  connection *open, *all;
  sqlite3 *copy;
  int64_t commit_count;
} campaign;

static void close_inside(connection *connection) {
  sqlite3_finalize(connection->running);
  connection->running = NULL;
  sqlite3_backup_finish(connection->backup);
  connection->backup = NULL;
  sqlite3_db_config(connection->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_close(connection->handle);
  connection->is_closed = true;
  pthread_cond_signal(&connection->closed);
}

static bool enter(connection *connection) {
  pthread_mutex_lock(&connection->lock);
  bool is_let_in = !connection->is_claimed;
  connection->is_inside = is_let_in;
  pthread_mutex_unlock(&connection->lock);
  return is_let_in;
}

// Returns whether the connection is still there.
static bool leave(connection *connection) {
  pthread_mutex_lock(&connection->lock);
  connection->is_inside = false;
  bool is_open = !connection->is_claimed;
  if (!is_open) close_inside(connection);
  pthread_mutex_unlock(&connection->lock);
  return is_open;
}

// Returns whether no access is inside.
static bool claim(connection *connection) {
  pthread_mutex_lock(&connection->lock);
  connection->is_claimed = true;
  bool is_free = !connection->is_inside;
  if (!is_free) sqlite3_interrupt(connection->handle);
  pthread_mutex_unlock(&connection->lock);
  return is_free;
}

static void end(connection *connection) {
  pthread_mutex_lock(&connection->lock);
  if (!connection->is_inside && !connection->is_closed) close_inside(connection);
  while (!connection->is_closed) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 1000000;
    if (limit.tv_nsec >= 1000000000) {
      limit.tv_nsec -= 1000000000;
      limit.tv_sec += 1;
    }
    int code = pthread_cond_timedwait(&connection->closed, &connection->lock, &limit);
    // Again, because an interruption between two statements hits neither.
    if (code == ETIMEDOUT && !connection->is_closed) sqlite3_interrupt(connection->handle);
  }
  pthread_mutex_unlock(&connection->lock);
}

static int wait_for_lock(void *context, int tries) {
  connection *connection = context;
  if (connection->is_claimed || tries > 5000) return 0;
  usleep(1000);
  return !connection->is_claimed;
}

// Runs one statement to its end or its first row, whose first number is returned by `value`.
static bool run(
    connection *connection, const char *sql, int64_t number, const char *side, int64_t size,
    int64_t *value) {
  if (!enter(connection)) return false;
  int code = sqlite3_prepare_v2(connection->handle, sql, -1, &connection->running, NULL);
  if (code == SQLITE_OK) {
    if (side) {
      sqlite3_bind_int64(connection->running, 1, number);
      sqlite3_bind_text(connection->running, 2, side, -1, SQLITE_STATIC);
      sqlite3_bind_int64(connection->running, 3, size);
    }
    code = sqlite3_step(connection->running);
    if (code == SQLITE_ROW && value) *value = sqlite3_column_int64(connection->running, 0);
    sqlite3_finalize(connection->running);
    connection->running = NULL;
  }
  return leave(connection) && (code == SQLITE_ROW || code == SQLITE_DONE);
}

static bool execute(connection *connection, const char *sql) {
  return run(connection, sql, 0, NULL, 0, NULL);
}

// NULL while the database is suspended.
static connection *open_connection(campaign *campaign, bool writes) {
  connection *opened = calloc(1, sizeof *opened);
  pthread_mutex_init(&opened->lock, NULL);
  pthread_cond_init(&opened->closed, NULL);
  int flags = (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(campaign->path, &opened->handle, flags, NULL) != SQLITE_OK) abort();
  sqlite3_busy_handler(opened->handle, wait_for_lock, opened);
  pthread_mutex_lock(&campaign->lock);
  opened->next = campaign->all;
  campaign->all = opened;
  bool is_suspended = campaign->is_suspended;
  if (!is_suspended) {
    opened->next_open = campaign->open;
    campaign->open = opened;
  }
  pthread_mutex_unlock(&campaign->lock);
  if (is_suspended) {
    opened->is_claimed = true;
    close_inside(opened);
    return NULL;
  }
  execute(opened, "PRAGMA foreign_keys = ON");
  if (writes) execute(opened, "PRAGMA journal_mode = WAL");
  return opened;
}

// Closes a connection that the caller has to itself.
static void close_connection(campaign *campaign, connection *ended) {
  pthread_mutex_lock(&campaign->lock);
  pthread_mutex_lock(&ended->lock);
  if (!ended->is_claimed) {
    connection **place = &campaign->open;
    while (*place && *place != ended) place = &(*place)->next_open;
    if (*place) *place = ended->next_open;
    ended->is_claimed = true;
    close_inside(ended);
  }
  pthread_mutex_unlock(&ended->lock);
  pthread_mutex_unlock(&campaign->lock);
}

// MARK: - Slots

// The slot of a connection that is not in use; -1 while the database is suspended.
static int take(campaign *campaign, bool writes) {
  int first = writes ? 0 : 1, last = writes ? 0 : reader_count;
  int slot = -1;
  pthread_mutex_lock(&campaign->lock);
  while (slot < 0 && !campaign->is_suspended) {
    for (int number = first; number <= last && slot < 0; number++) {
      if (!campaign->is_held[number]) slot = number;
    }
    if (slot < 0) pthread_cond_wait(&campaign->freed, &campaign->lock);
  }
  if (slot >= 0) campaign->is_held[slot] = true;
  pthread_mutex_unlock(&campaign->lock);
  return slot;
}

static void give_back(campaign *campaign, int slot) {
  pthread_mutex_lock(&campaign->lock);
  campaign->is_held[slot] = false;
  pthread_cond_broadcast(&campaign->freed);
  pthread_mutex_unlock(&campaign->lock);
}

static connection *opened(campaign *campaign, int slot) {
  connection *known = campaign->slots[slot];
  if (!known || known->is_claimed) known = open_connection(campaign, slot == 0);
  campaign->slots[slot] = known;
  return known;
}

// MARK: - Work

static bool write_pair(
    campaign *campaign, connection *writer, int64_t number, int64_t size, bool idles,
    uint64_t pause) {
  if (!execute(writer, "BEGIN IMMEDIATE")) return false;
  for (int index = 0; index < 2; index++) {
    const char *side = index == 0 ? "left" : "right";
    const char *sql = "INSERT INTO pair VALUES (?, ?, zeroblob(?))";
    if (!run(writer, sql, number, side, size, NULL)) {
      execute(writer, "ROLLBACK");
      return false;
    }
    if (idles) linger(&pause, 2000);
  }
  // A commit that was interrupted too late to be rolled back counts, as it does in the library: it is
  // decided by the connection's state before it closes, here by the code alone.
  if (!enter(writer)) return false;
  bool is_committed = sqlite3_exec(writer->handle, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
  leave(writer);
  if (is_committed) {
    pthread_mutex_lock(&campaign->lock);
    campaign->commit_count++;
    pthread_cond_broadcast(&campaign->committed);
    pthread_mutex_unlock(&campaign->lock);
  } else {
    execute(writer, "ROLLBACK");
  }
  return is_committed;
}

static void check_point(connection *writer, int mode) {
  if (!enter(writer)) return;
  sqlite3_wal_checkpoint_v2(writer->handle, "main", mode, NULL, NULL);
  leave(writer);
}

static void read_some(connection *reader, uint64_t pause) {
  if (!execute(reader, "BEGIN") || !enter(reader)) return;
  const char *sql = "SELECT number, length(pad) FROM pair";
  sqlite3_prepare_v2(reader->handle, sql, -1, &reader->running, NULL);
  bool goes_on = leave(reader);
  bool has_row = true;
  while (goes_on && has_row) {
    if (!enter(reader)) return;
    has_row = sqlite3_step(reader->running) == SQLITE_ROW;
    goes_on = leave(reader);
    if (has_row && below(&pause, 50) == 0) break;
  }
  linger(&pause, 1000);
  if (!enter(reader)) return;
  sqlite3_finalize(reader->running);
  reader->running = NULL;
  if (leave(reader)) execute(reader, "COMMIT");
}

static void read_last(connection *reader) {
  int64_t row;
  if (!execute(reader, "BEGIN")) return;
  if (run(reader, "SELECT max(rowid) FROM pair", 0, NULL, 0, &row)) execute(reader, "COMMIT");
}

static void read_all(connection *reader) {
  if (!execute(reader, "BEGIN")) return;
  if (execute(reader, "SELECT sum(length(pad)) FROM pair")) execute(reader, "COMMIT");
}

static void keep_snapshot(campaign *campaign, uint64_t *random) {
  connection *snapshot = open_connection(campaign, false);
  if (!snapshot) return;
  int64_t first = 0, second = 0;
  const char *sql = "SELECT max(rowid) FROM pair";
  if (execute(snapshot, "BEGIN") && run(snapshot, sql, 0, NULL, 0, &first)) {
    linger(random, 1000);
    if (run(snapshot, sql, 0, NULL, 0, &second) && first != second) abort();
  }
  close_connection(campaign, snapshot);
}

static void copy_all(campaign *campaign, connection *reader) {
  if (!enter(reader)) return;
  reader->backup = sqlite3_backup_init(campaign->copy, "main", reader->handle, "main");
  bool goes_on = leave(reader);
  while (goes_on) {
    if (!enter(reader)) return;
    int code = sqlite3_backup_step(reader->backup, 100);
    if (code != SQLITE_OK) {
      sqlite3_backup_finish(reader->backup);
      reader->backup = NULL;
    }
    goes_on = leave(reader) && code == SQLITE_OK;
  }
}

static void close_idle_readers(campaign *campaign) {
  for (int slot = 1; slot < slot_count; slot++) {
    pthread_mutex_lock(&campaign->lock);
    bool is_idle = !campaign->is_held[slot] && !campaign->is_suspended;
    if (is_idle) campaign->is_held[slot] = true;
    pthread_mutex_unlock(&campaign->lock);
    if (!is_idle) continue;
    connection *reader = campaign->slots[slot];
    if (reader && !reader->is_claimed) close_connection(campaign, reader);
    give_back(campaign, slot);
  }
}

struct worker {
  campaign *campaign;
  uint64_t random;
  bool copies;
};

// Does one random thing; false while the database is suspended.
static bool work_once(struct worker *worker) {
  campaign *campaign = worker->campaign;
  int64_t kind = below(&worker->random, campaign->copy ? 14 : 10);
  int64_t number = 0, size = 0;
  bool idles = false;
  int mode = SQLITE_CHECKPOINT_PASSIVE;
  if (kind < 4) {
    number = below(&worker->random, 1000000);
    bool is_large = below(&worker->random, 8) == 0;
    size = below(&worker->random, is_large ? 500000 : 2000);
    idles = below(&worker->random, 5) == 0;
  } else if (kind == 5) {
    bool truncates = below(&worker->random, 2) == 0;
    mode = truncates ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_FULL;
  } else if (kind == 10 || kind == 11) {
    keep_snapshot(campaign, &worker->random);
    return true;
  } else if (kind == 13) {
    close_idle_readers(campaign);
    return true;
  } else if (kind == 12 && !worker->copies) {
    return true;
  }
  int slot = take(campaign, kind <= 5);
  if (slot < 0) return false;
  connection *connection = opened(campaign, slot);
  if (connection) {
    if (kind < 4) {
      write_pair(campaign, connection, number, size, idles, worker->random);
    } else if (kind <= 5) {
      check_point(connection, mode);
    } else if (kind == 6) {
      read_some(connection, worker->random);
    } else if (kind == 12) {
      copy_all(campaign, connection);
    } else {
      read_all(connection);
    }
  }
  bool is_lost = !connection || connection->is_claimed;
  give_back(campaign, slot);
  return !is_lost;
}

static bool has_ended(campaign *campaign) {
  pthread_mutex_lock(&campaign->lock);
  bool ends = campaign->ends;
  pthread_mutex_unlock(&campaign->lock);
  return ends;
}

static void *work(void *context) {
  struct worker *worker = context;
  while (!has_ended(worker->campaign)) {
    if (!work_once(worker)) linger(&worker->random, 200);
  }
  return NULL;
}

// Reads again after each commit, and queries on a separate connection whether another one committed.
static void *observe(void *context) {
  campaign *campaign = context;
  connection *question = NULL;
  int64_t seen = 0;
  while (true) {
    pthread_mutex_lock(&campaign->lock);
    while (campaign->commit_count == seen && !campaign->ends) {
      pthread_cond_wait(&campaign->committed, &campaign->lock);
    }
    seen = campaign->commit_count;
    bool ends = campaign->ends;
    pthread_mutex_unlock(&campaign->lock);
    if (ends) return NULL;
    if (!question || question->is_claimed) question = open_connection(campaign, false);
    if (question) execute(question, "PRAGMA data_version");
    int slot = take(campaign, false);
    if (slot < 0) continue;
    connection *reader = opened(campaign, slot);
    if (reader) read_last(reader);
    give_back(campaign, slot);
  }
}

// MARK: - Suspending

static double suspend(campaign *campaign) {
  double start = now();
  connection *occupied = NULL;
  pthread_mutex_lock(&campaign->lock);
  campaign->is_suspended = true;
  pthread_cond_broadcast(&campaign->freed);
  connection *claimed = campaign->open, *idle = NULL;
  campaign->open = NULL;
  while (claimed) {
    connection *next = claimed->next_open;
    connection **list = claim(claimed) ? &idle : &occupied;
    claimed->next_open = *list;
    *list = claimed;
    claimed = next;
  }
  pthread_mutex_unlock(&campaign->lock);
  // The free ones first: the others are closed by their threads meanwhile.
  for (; idle; idle = idle->next_open) end(idle);
  for (; occupied; occupied = occupied->next_open) end(occupied);
  return now() - start;
}

static void resume(campaign *campaign) {
  pthread_mutex_lock(&campaign->lock);
  campaign->is_suspended = false;
  pthread_mutex_unlock(&campaign->lock);
}

// Whether each commit is there, and nothing by half.
static bool is_whole(campaign *campaign) {
  connection *reader = open_connection(campaign, false);
  int64_t rows = -1, pairs = -1;
  run(reader, "SELECT count(*) FROM pair", 0, NULL, 0, &rows);
  run(reader, "SELECT count(*) FROM pair WHERE side = 'left'", 0, NULL, 0, &pairs);
  close_connection(campaign, reader);
  return pairs == campaign->commit_count && rows == 2 * pairs;
}

bool floor_suspend(const char *path, const char *copy, int64_t count, double *times) {
  campaign campaign = {.path = path};
  pthread_mutex_init(&campaign.lock, NULL);
  pthread_cond_init(&campaign.freed, NULL);
  pthread_cond_init(&campaign.committed, NULL);
  if (copy && sqlite3_open(copy, &campaign.copy) != SQLITE_OK) return false;
  struct worker workers[thread_count];
  pthread_t threads[thread_count + 1];
  for (int index = 0; index < thread_count; index++) {
    workers[index] = (struct worker){&campaign, (uint64_t)index + 1, index == 0};
    pthread_create(&threads[index], NULL, work, &workers[index]);
  }
  if (copy) pthread_create(&threads[thread_count], NULL, observe, &campaign);
  uint64_t random = 99;
  for (int64_t index = 0; index < count; index++) {
    linger(&random, 1500);
    times[index] = suspend(&campaign);
    resume(&campaign);
  }
  pthread_mutex_lock(&campaign.lock);
  campaign.ends = true;
  pthread_cond_broadcast(&campaign.committed);
  pthread_mutex_unlock(&campaign.lock);
  for (int index = 0; index < thread_count + (copy ? 1 : 0); index++) {
    pthread_join(threads[index], NULL);
  }
  suspend(&campaign);
  resume(&campaign);
  bool is_sound = is_whole(&campaign);
  sqlite3_close(campaign.copy);
  while (campaign.all) {
    connection *connection = campaign.all;
    campaign.all = connection->next;
    pthread_mutex_destroy(&connection->lock);
    pthread_cond_destroy(&connection->closed);
    free(connection);
  }
  return is_sound;
}
