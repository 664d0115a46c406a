#include <sqlite3.h>
#include <string.h>

#include "CFaults.h"
#include "Fault.h"

// A VFS that forwards every call to the system's VFS unless a fault strikes.
// https://www.sqlite.org/vfs.html

static sqlite3_vfs *system_files;
static sqlite3_vfs faulty_files;

// The state of the system's file follows in the same memory.
typedef struct {
  sqlite3_file base;
  sqlite3_file *system;
} faulty_file;

static sqlite3_file *system_file(sqlite3_file *file) { return ((faulty_file *)file)->system; }

static int file_close(sqlite3_file *file) {
  return system_file(file)->pMethods->xClose(system_file(file));
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (holdfast_fault_strikes()) return SQLITE_IOERR_READ;
  return system_file(file)->pMethods->xRead(system_file(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  // Half of the data is written, as on a disk that becomes full.
  if (holdfast_fault_strikes()) {
    system_file(file)->pMethods->xWrite(system_file(file), bytes, count / 2, offset);
    return SQLITE_IOERR_WRITE;
  }
  return system_file(file)->pMethods->xWrite(system_file(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (holdfast_fault_strikes()) return SQLITE_IOERR_TRUNCATE;
  return system_file(file)->pMethods->xTruncate(system_file(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  if (holdfast_fault_strikes()) return SQLITE_IOERR_FSYNC;
  return system_file(file)->pMethods->xSync(system_file(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  if (holdfast_fault_strikes()) return SQLITE_IOERR_FSTAT;
  return system_file(file)->pMethods->xFileSize(system_file(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  if (holdfast_fault_strikes()) return SQLITE_IOERR_LOCK;
  return system_file(file)->pMethods->xLock(system_file(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return system_file(file)->pMethods->xUnlock(system_file(file), level);
}

static int file_check_reserved(sqlite3_file *file, int *result) {
  if (holdfast_fault_strikes()) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  return system_file(file)->pMethods->xCheckReservedLock(system_file(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return system_file(file)->pMethods->xFileControl(system_file(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return system_file(file)->pMethods->xSectorSize(system_file(file));
}

static int file_characteristics(sqlite3_file *file) {
  return system_file(file)->pMethods->xDeviceCharacteristics(system_file(file));
}

static int shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **address) {
  if (holdfast_fault_strikes()) return SQLITE_IOERR_SHMMAP;
  return system_file(file)->pMethods->xShmMap(system_file(file), page, size, extend, address);
}

// The lock that each checkpoint takes first, before it reads the header of the wal-index.
// https://www.sqlite.org/walformat.html#wal_locks
static const int checkpoint_lock = 1;

static int shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  if (offset == checkpoint_lock && flags == (SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)) {
    holdfast_reach(HOLDFAST_BEFORE_CHECKPOINT);
  }
  if ((flags & SQLITE_SHM_LOCK) && holdfast_fault_strikes()) return SQLITE_IOERR_SHMLOCK;
  return system_file(file)->pMethods->xShmLock(system_file(file), offset, count, flags);
}

static void shm_barrier(sqlite3_file *file) {
  system_file(file)->pMethods->xShmBarrier(system_file(file));
}

static int shm_unmap(sqlite3_file *file, int removes) {
  return system_file(file)->pMethods->xShmUnmap(system_file(file), removes);
}

// SQLite reads what is not mapped.
static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **address) {
  (void)file, (void)offset, (void)count;
  *address = 0;
  return SQLITE_OK;
}

// A checkpoint calls it without an address, right after it has read a header that differs from the last one.
static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *address) {
  (void)file, (void)offset;
  if (!address) holdfast_reach(HOLDFAST_IN_CHECKPOINT);
  return SQLITE_OK;
}

static const sqlite3_io_methods faulty_methods = {
  .iVersion = 3,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_reserved,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
  .xShmMap = shm_map,
  .xShmLock = shm_lock,
  .xShmBarrier = shm_barrier,
  .xShmUnmap = shm_unmap,
  .xFetch = file_fetch,
  .xUnfetch = file_unfetch,
};

static int open_file(
    sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  faulty_file *own = (faulty_file *)file;
  own->base.pMethods = 0;
  if (holdfast_fault_strikes()) return SQLITE_CANTOPEN;
  own->system = (sqlite3_file *)(own + 1);
  int code = system_files->xOpen(system_files, name, own->system, flags, out_flags);
  if (own->system->pMethods) own->base.pMethods = &faulty_methods;
  return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs;
  if (holdfast_fault_strikes()) return SQLITE_IOERR_DELETE;
  return system_files->xDelete(system_files, name, syncs);
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  if (holdfast_fault_strikes()) return SQLITE_IOERR_ACCESS;
  return system_files->xAccess(system_files, name, flags, result);
}

bool holdfast_put_faults_in_files(void) {
  system_files = sqlite3_vfs_find(0);
  if (!system_files) return false;
  faulty_files = *system_files;
  faulty_files.zName = "holdfast-faults";
  faulty_files.szOsFile = (int)sizeof(faulty_file) + system_files->szOsFile;
  faulty_files.pNext = 0;
  faulty_files.xOpen = open_file;
  faulty_files.xDelete = delete_file;
  faulty_files.xAccess = access_file;
  return sqlite3_vfs_register(&faulty_files, 1) == SQLITE_OK;
}
