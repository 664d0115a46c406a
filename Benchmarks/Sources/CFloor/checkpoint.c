#include "floor.h"

#include <sqlite3.h>
#include <stddef.h>

// The SQL function `own_checkpoint(frames)`, which gives a connection SQLite's own automatic checkpoint.
static void own_checkpoint(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  sqlite3 *connection = sqlite3_context_db_handle(context);
  sqlite3_result_int(context, sqlite3_wal_autocheckpoint(connection, sqlite3_value_int(values[0])));
}

static int add(sqlite3 *connection, const char **message, const void *functions) {
  (void)message;
  (void)functions;
  return sqlite3_create_function_v2(connection, "own_checkpoint", 1, SQLITE_UTF8, NULL, own_checkpoint, NULL,
                                    NULL, NULL);
}

bool floor_add_own_checkpoint(void) {
  return sqlite3_auto_extension((void (*)(void))add) == SQLITE_OK;
}
