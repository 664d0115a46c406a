#pragma once

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes before it returns.
static inline int calls_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT);
}
