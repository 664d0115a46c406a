#include "floor.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool floor_make_files(const char *folder, int64_t first, int64_t count) {
  char path[4096];
  for (int64_t number = first; number < first + count; number++) {
    snprintf(path, sizeof path, "%s/%06lld.m4b", folder, (long long)number);
    if (mknod(path, S_IFREG | 0644, 0) != 0) return false;
  }
  return true;
}

// MARK: - The names in a folder

// The names of one folder, one after the other, and a table of their positions.
typedef struct {
  char folder[4096];
  char *text;
  size_t length, capacity;
  uint32_t *table;  // 0 is free; otherwise a position in the text plus 1.
  size_t mask, count;
} names;

static uint64_t hash(const char *text) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++) value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return value;
}

static void place(names *names, uint32_t position) {
  size_t slot = hash(names->text + position) & names->mask;
  while (names->table[slot]) slot = (slot + 1) & names->mask;
  names->table[slot] = position + 1;
}

static void add(names *names, const char *name) {
  size_t length = strlen(name) + 1;
  if (names->length + length > names->capacity) {
    names->capacity = (names->length + length) * 2;
    names->text = realloc(names->text, names->capacity);
  }
  memcpy(names->text + names->length, name, length);
  names->length += length;
  names->count++;
}

static bool list(names *names, const char *home, const char *folder, size_t length) {
  if (strlen(names->folder) == length && memcmp(names->folder, folder, length) == 0) return true;
  snprintf(names->folder, sizeof names->folder, "%.*s", (int)length, folder);
  char path[8192];
  snprintf(path, sizeof path, "%s/Documents/%s", home, names->folder);
  names->length = names->count = 0;
  DIR *directory = opendir(path);
  if (!directory) return false;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_type == DT_REG) add(names, entry->d_name);
  }
  closedir(directory);
  names->mask = 15;
  while (names->mask < names->count * 2) names->mask = names->mask * 2 + 1;
  names->table = realloc(names->table, (names->mask + 1) * sizeof *names->table);
  memset(names->table, 0, (names->mask + 1) * sizeof *names->table);
  for (size_t position = 0; position < names->length;) {
    place(names, (uint32_t)position);
    position += strlen(names->text + position) + 1;
  }
  return true;
}

static bool contains(const names *names, const char *name) {
  size_t slot = hash(name) & names->mask;
  for (; names->table[slot]; slot = (slot + 1) & names->mask) {
    if (strcmp(names->text + names->table[slot] - 1, name) == 0) return true;
  }
  return false;
}

// MARK: - The repair of a moved container

enum { chunk = 16000 };

typedef struct {
  int64_t row;
  char *path;
} record;

static bool run(sqlite3 *database, const char *sql) {
  return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static int64_t update(
    record *records, int count, const char *home, names *names, sqlite3_stmt *statement) {
  int64_t updated = 0;
  char text[4096];
  for (int index = 0; index < count; index++) {
    char *relative = strstr(records[index].path, "/Documents/");
    if (!relative) continue;
    relative += strlen("/Documents/");
    char *name = strrchr(relative, '/');
    if (!name || !list(names, home, relative, (size_t)(name - relative))) continue;
    if (!contains(names, name + 1)) continue;
    int length = snprintf(text, sizeof text, "D:%s", relative);
    sqlite3_bind_text(statement, 1, text, length, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, records[index].row);
    bool is_done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    if (!is_done) return -1;
    updated++;
  }
  return updated;
}

int64_t floor_repair(const char *path, const char *settings, const char *home) {
  sqlite3 *database = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &database, flags, NULL) != SQLITE_OK || !run(database, settings)) {
    sqlite3_close(database);
    return -1;
  }
  sqlite3_stmt *select = NULL, *change = NULL;
  sqlite3_prepare_v2(
      database,
      "SELECT rowid, download_path FROM local_audio_file_downloads"
      " WHERE rowid > ? AND is_downloaded <> 0 ORDER BY rowid LIMIT 16000",
      -1, &select, NULL);
  sqlite3_prepare_v2(
      database, "UPDATE local_audio_file_downloads SET download_path = ? WHERE rowid = ?", -1,
      &change, NULL);
  record *records = calloc(chunk, sizeof *records);
  names names = {0};
  int64_t updated = 0, last = 0;
  int count;
  do {
    count = 0;
    sqlite3_bind_int64(select, 1, last);
    while (sqlite3_step(select) == SQLITE_ROW) {
      records[count].row = sqlite3_column_int64(select, 0);
      records[count++].path = strdup((const char *)sqlite3_column_text(select, 1));
    }
    sqlite3_reset(select);
    if (count > 0) last = records[count - 1].row;
    run(database, "BEGIN IMMEDIATE");
    int64_t result = update(records, count, home, &names, change);
    bool is_done = run(database, "COMMIT") && result >= 0;
    for (int index = 0; index < count; index++) free(records[index].path);
    updated = is_done ? updated + result : -1;
  } while (count == chunk && updated >= 0);
  free(records);
  free(names.text);
  free(names.table);
  sqlite3_finalize(select);
  sqlite3_finalize(change);
  sqlite3_close(database);
  return updated;
}

// MARK: - The check at launch

int64_t floor_launch_check(floor_database *database, const char *const *roots, int64_t count) {
  if (!floor_execute(database, "SELECT * FROM holdfast_ledger_launches")) return -1;
  int64_t found = 0;
  for (int64_t index = 0; index < count; index++) {
    struct stat status;
    found += stat(roots[index], &status) == 0;
  }
  return found;
}

uint64_t floor_texts_digest(const char *path, const char *sql) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
    while (sqlite3_step(statement) == SQLITE_ROW) {
      const unsigned char *text = sqlite3_column_text(statement, 0);
      for (; text && *text; text++) digest = (digest ^ *text) * UINT64_C(0x100000001b3);
      digest = (digest ^ 0x101) * UINT64_C(0x100000001b3);
    }
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return digest;
}
