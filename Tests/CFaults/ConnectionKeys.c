#include <dlfcn.h>
#include <sqlite3.h>
#include <stdlib.h>

// Gives every connection of the process a key when the environment says so, also those that are opened by
// code that knows of none: SQLite calls a function for each new connection before anybody else has it.
// https://www.sqlite.org/c3ref/auto_extension.html

typedef int key_function(sqlite3 *database, const void *key, int count);

static key_function *set_key;

// A raw key, which takes no time to derive.
static const char key[] = "x'0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0'";

static int use_key(sqlite3 *database) { return set_key(database, key, sizeof key - 1); }

__attribute__((constructor)) static void begin(void) {
  if (!getenv("HOLDFAST_TEST_KEY")) return;
  // Only SQLCipher has it.
  set_key = (key_function *)dlsym(RTLD_DEFAULT, "sqlite3_key");
  if (!set_key || sqlite3_auto_extension((void (*)(void))use_key) != SQLITE_OK) abort();
}
