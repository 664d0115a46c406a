#include <dlfcn.h>
#include <sqlite3.h>
#include <stddef.h>

#include "CFaults.h"
#include "Fault.h"

typedef struct {
  void (*function)(void *context);
  void *context;
} waiting_function;

// Armed and reached by one thread.
static waiting_function waiting[2];

void holdfast_await(holdfast_moment moment, void (*function)(void *context), void *context) {
  waiting[moment] = (waiting_function){function, context};
}

void holdfast_reach(holdfast_moment moment) {
  waiting_function reached = waiting[moment];
  // Before the call, which may reach the same moment.
  waiting[moment] = (waiting_function){NULL, NULL};
  if (reached.function) reached.function(reached.context);
}

int holdfast_run_plainly(const char *path, const char *sql) {
  sqlite3 *connection;
  int code = sqlite3_open(path, &connection);
  if (code == SQLITE_OK) code = sqlite3_exec(connection, sql, NULL, NULL, NULL);
  sqlite3_close(connection);
  return code;
}

bool holdfast_load_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL) != NULL; }
