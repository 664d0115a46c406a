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

static inline void *holdfast_find(const char *name) {
#ifdef RTLD_DEFAULT
  return dlsym(RTLD_DEFAULT, name);
#else
  return dlsym((void *)0, name);
#endif
}

static inline holdfast_preupdate_hook holdfast_find_preupdate_hook(void) {
  return (holdfast_preupdate_hook)holdfast_find("sqlite3_preupdate_hook");
}

// Nor has every build snapshots. https://www.sqlite.org/c3ref/snapshot.html
typedef int (*holdfast_snapshot_get)(sqlite3 *db, const char *schema, sqlite3_snapshot **snapshot);
typedef int (*holdfast_snapshot_open)(sqlite3 *db, const char *schema, sqlite3_snapshot *snapshot);
typedef void (*holdfast_snapshot_free)(sqlite3_snapshot *snapshot);

static inline holdfast_snapshot_get holdfast_find_snapshot_get(void) {
  return (holdfast_snapshot_get)holdfast_find("sqlite3_snapshot_get");
}

static inline holdfast_snapshot_open holdfast_find_snapshot_open(void) {
  return (holdfast_snapshot_open)holdfast_find("sqlite3_snapshot_open");
}

static inline holdfast_snapshot_free holdfast_find_snapshot_free(void) {
  return (holdfast_snapshot_free)holdfast_find("sqlite3_snapshot_free");
}

// Whether an image of the process has a SQLite other than the one that is called here.
#ifdef __APPLE__
#include <mach-o/dyld.h>
#else
#include <stdlib.h>
#include <string.h>
#endif

static inline int holdfast_is_second_sqlite(const char *image) {
  void *handle = dlopen(image, RTLD_NOLOAD | RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return 0;
  // An image without one answers with that of a library it is linked with.
  void *found = dlsym(handle, "sqlite3_sourceid");
  dlclose(handle);
  return found && found != (void *)sqlite3_sourceid;
}

#ifndef __APPLE__
typedef struct holdfast_images {
  char **names;
  size_t count;
} holdfast_images;

// The first members of `struct dl_phdr_info`, which the headers show to GNU's own sources only.
typedef struct holdfast_image {
  uintptr_t address;
  const char *name;
} holdfast_image;

typedef int (*holdfast_image_visitor)(const holdfast_image *image, size_t size, void *context);
typedef int (*holdfast_visit_images)(holdfast_image_visitor visitor, void *context);

static inline int holdfast_add_image(const holdfast_image *image, size_t size, void *context) {
  (void)size;
  holdfast_images *images = (holdfast_images *)context;
  char **names = (char **)realloc(images->names, (images->count + 1) * sizeof(char *));
  if (!names) return 1;
  images->names = names;
  // The name of the program itself is empty.
  names[images->count] = strdup(image->name ? image->name : "");
  if (names[images->count]) images->count++;
  return 0;
}
#endif

static inline int holdfast_has_second_sqlite(void) {
  int found = 0;
#ifdef __APPLE__
  for (uint32_t i = 0; i < _dyld_image_count() && !found; i++) {
    const char *name = _dyld_get_image_name(i);
    if (name) found = holdfast_is_second_sqlite(name);
  }
#else
  // Collected first, because the loader is locked meanwhile.
  holdfast_images images = {0};
  // https://man7.org/linux/man-pages/man3/dl_iterate_phdr.3.html
  holdfast_visit_images visit = (holdfast_visit_images)holdfast_find("dl_iterate_phdr");
  if (visit) visit(holdfast_add_image, &images);
  for (size_t i = 0; i < images.count; i++) {
    if (!found) found = holdfast_is_second_sqlite(images.names[i][0] ? images.names[i] : (const char *)0);
    free(images.names[i]);
  }
  free(images.names);
#endif
  return found;
}
