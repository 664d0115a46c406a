#include <sqlite3.h>
#include <stdio.h>

// The least that reads with SQLite's own interface.
int main(int count, char **arguments) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  if (count < 2 || sqlite3_open(arguments[1], &database) != SQLITE_OK) return 1;
  sqlite3_prepare_v2(database, "SELECT count(*) FROM sqlite_master", -1, &statement, NULL);
  if (sqlite3_step(statement) != SQLITE_ROW) return 1;
  printf("%d\n", sqlite3_column_int(statement, 0));
  sqlite3_finalize(statement);
  return sqlite3_close(database) != SQLITE_OK;
}
