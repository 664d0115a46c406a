#pragma once

// The calls of SQLite that Swift cannot spell. No logic lives here. It is included after the header of
// the system's SQLite or of SQLCipher.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

// Variadic in C: https://www.sqlite.org/c3ref/db_config.html
static inline int holdfast_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

// Variadic too: https://www.sqlite.org/c3ref/config.html
static inline int holdfast_config_log(void (*log)(void *context, int code, const char *message)) {
  return sqlite3_config(SQLITE_CONFIG_LOG, log, (void *)0);
}

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes before it returns.
static inline int holdfast_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT);
}

static inline int holdfast_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void holdfast_result_text(sqlite3_context *context, const char *bytes, int count) {
  sqlite3_result_text(context, bytes, count, SQLITE_TRANSIENT);
}

static inline void holdfast_result_blob(sqlite3_context *context, const void *bytes, int count) {
  sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}

// What SQLite knows of a virtual table and of its cursor, and what Swift hangs onto them.
typedef struct holdfast_vtab {
  sqlite3_vtab base;
  void *table;
} holdfast_vtab;

typedef struct holdfast_cursor {
  sqlite3_vtab_cursor base;
  void *cursor;
  int is_at_end;
} holdfast_cursor;

// SQLITE_STATIC: the bytes stay where they are for as long as they are bound.
static inline int holdfast_bind_text_static(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(statement, index, (const char *)bytes, count, SQLITE_STATIC);
}

static inline int holdfast_bind_blob_static(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}

// SQLite keeps the address of the type's name, as C's literals last.
static inline int holdfast_bind_fts5_api(sqlite3_stmt *statement, fts5_api **api) {
  return sqlite3_bind_pointer(statement, 1, (void *)api, "fts5_api_ptr", (void (*)(void *))0);
}

// A number that differs between two threads that live at the same time, and is never 0.
static inline uintptr_t holdfast_current_thread(void) { return (uintptr_t)pthread_self(); }

// Not every build of SQLite has the pre-update hook: it is looked up when the program runs, and
// NULL where it is not there. https://www.sqlite.org/c3ref/preupdate_count.html
typedef void (*holdfast_preupdate)(void *context, sqlite3 *db, int operation, const char *database,
                                   const char *table, sqlite3_int64 before, sqlite3_int64 after);
typedef void *(*holdfast_preupdate_hook)(sqlite3 *db, holdfast_preupdate hook, void *context);

static inline holdfast_preupdate_hook holdfast_find_preupdate_hook(void) {
#ifdef RTLD_DEFAULT
  return (holdfast_preupdate_hook)dlsym(RTLD_DEFAULT, "sqlite3_preupdate_hook");
#else
  return (holdfast_preupdate_hook)dlsym((void *)0, "sqlite3_preupdate_hook");
#endif
}
