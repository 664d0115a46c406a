#include <sqlite3.h>

#include "CFaults.h"
#include "Fault.h"

// https://www.sqlite.org/c3ref/mem_methods.html

static sqlite3_mem_methods system_memory;

static void *faulty_malloc(int size) {
  return holdfast_fault_strikes() ? 0 : system_memory.xMalloc(size);
}

static void *faulty_realloc(void *memory, int size) {
  return holdfast_fault_strikes() ? 0 : system_memory.xRealloc(memory, size);
}

bool holdfast_put_faults_in_memory(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) != SQLITE_OK) return false;
  sqlite3_mem_methods faulty = system_memory;
  faulty.xMalloc = faulty_malloc;
  faulty.xRealloc = faulty_realloc;
  // Without lookaside every small allocation is one that can fail.
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &faulty) == SQLITE_OK
    && sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) == SQLITE_OK;
}
