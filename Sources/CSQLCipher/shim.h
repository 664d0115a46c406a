#pragma once

// SQLCipher, in place of the system's SQLite.
#define SQLITE_HAS_CODEC 1
#if __has_include(<SQLCipher/sqlite3.h>)
#include <SQLCipher/sqlite3.h>
#else
#include <sqlite3.h>
#endif

// The first with SQLITE_OPEN_EXRESCODE and PRAGMA table_list.
#if SQLITE_VERSION_NUMBER < 3037000
#error "SQLCipher 4.5.1 or newer is needed, and the header that was found is of an older one"
#endif

#include "../CSQLite/calls.h"

// Headers that were made for SQLite without encryption lack them:
// https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlite3_key
SQLITE_API int sqlite3_key_v2(sqlite3 *db, const char *database, const void *key, int count);
SQLITE_API int sqlite3_rekey_v2(sqlite3 *db, const char *database, const void *key, int count);
