#include "floor.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: - Copies

enum { part = 1 << 20 };

static bool write_all(int descriptor, const unsigned char *bytes, ssize_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, (size_t)count);
    if (written < 0) return false;
    bytes += written;
    count -= written;
  }
  return true;
}

bool floor_copy(const char *from, const char *to, unsigned char digest[32]) {
  int source = open(from, O_RDONLY | O_CLOEXEC);
  int target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  unsigned char *bytes = malloc(part);
  bool is_done = source >= 0 && target >= 0 && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
  ssize_t count = 1;
  while (is_done && (count = read(source, bytes, part)) > 0) {
    is_done = EVP_DigestUpdate(context, bytes, (size_t)count) == 1 &&
              write_all(target, bytes, count);
  }
  is_done = is_done && count == 0 && fsync(target) == 0 &&
            EVP_DigestFinal_ex(context, digest, NULL) == 1;
  free(bytes);
  EVP_MD_CTX_free(context);
  if (source >= 0) close(source);
  if (target >= 0) close(target);
  return is_done;
}

bool floor_sync_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  bool is_done = fsync(folder) == 0;
  close(folder);
  return is_done;
}

// MARK: - Tiles

static sqlite3 *open_immutable(const char *path) {
  char uri[4200];
  snprintf(uri, sizeof uri, "file:%s?immutable=1", path);
  sqlite3 *database = NULL;
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(uri, &database, flags, NULL) == SQLITE_OK) return database;
  sqlite3_close(database);
  return NULL;
}

struct floor_tiles {
  sqlite3 *database;
  sqlite3_stmt *statement;
};

floor_tiles *floor_tiles_open(const char *path) {
  floor_tiles *tiles = calloc(1, sizeof *tiles);
  tiles->database = open_immutable(path);
  if (tiles->database &&
      sqlite3_prepare_v3(
          tiles->database,
          "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
          -1, SQLITE_PREPARE_PERSISTENT, &tiles->statement, NULL) == SQLITE_OK) {
    return tiles;
  }
  floor_tiles_close(tiles);
  return NULL;
}

void floor_tiles_close(floor_tiles *tiles) {
  sqlite3_finalize(tiles->statement);
  sqlite3_close(tiles->database);
  free(tiles);
}

uint64_t floor_tiles_read(floor_tiles *tiles, const int64_t *places, int64_t count) {
  uint64_t sum = 0;
  for (int64_t index = 0; index < count; index++) {
    int64_t zoom = places[index * 3];
    sqlite3_bind_int64(tiles->statement, 1, zoom);
    sqlite3_bind_int64(tiles->statement, 2, places[index * 3 + 1]);
    // The places are XYZ, the rows of the file are counted from the south.
    sqlite3_bind_int64(
        tiles->statement, 3, (INT64_C(1) << zoom) - 1 - places[index * 3 + 2]);
    if (sqlite3_step(tiles->statement) == SQLITE_ROW) {
      // A tile outlives its row, so it is copied.
      const unsigned char *bytes = sqlite3_column_blob(tiles->statement, 0);
      size_t size = (size_t)sqlite3_column_bytes(tiles->statement, 0);
      unsigned char *copy = malloc(size);
      memcpy(copy, bytes, size);
      sum += size + copy[0] + copy[size / 2] + copy[size - 1];
      free(copy);
    }
    sqlite3_reset(tiles->statement);
  }
  return sum;
}

int64_t floor_tile_once(const char *path, int64_t zoom, int64_t column, int64_t row) {
  floor_tiles *tiles = floor_tiles_open(path);
  if (!tiles) return -1;
  int64_t place[] = {zoom, column, row};
  int64_t sum = (int64_t)floor_tiles_read(tiles, place, 1);
  floor_tiles_close(tiles);
  return sum;
}
