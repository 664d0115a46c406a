#include "floor.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

// MARK: - Writing

// A seeded generator: xorshift64*, whose numbers are the same on every system.
static uint64_t next_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(0x2545F4914F6CDD1D);
}

static uint64_t below(uint64_t *state, uint64_t end) { return (next_random(state) >> 33) % end; }

typedef struct {
  unsigned char *bytes;
  size_t count, room;
} buffer;

static void put(buffer *to, const void *bytes, size_t count) {
  if (to->count + count > to->room) {
    to->room = (to->count + count) * 2;
    to->bytes = realloc(to->bytes, to->room);
  }
  if (count > 0) memcpy(to->bytes + to->count, bytes, count);
  to->count += count;
}

static void put_varint(buffer *to, uint64_t number) {
  unsigned char bytes[10];
  size_t count = 0;
  for (; number >= 0x80; number >>= 7) bytes[count++] = (unsigned char)number | 0x80;
  bytes[count++] = (unsigned char)number;
  put(to, bytes, count);
}

static void put_bytes(buffer *to, int field, const void *bytes, size_t count) {
  put_varint(to, (uint64_t)field << 3 | 2);
  put_varint(to, count);
  put(to, bytes, count);
}

static void put_number(buffer *to, int field, uint64_t number) {
  put_varint(to, (uint64_t)field << 3);
  put_varint(to, number);
}

static void put_delta(buffer *to, uint64_t *random, uint64_t most) {
  put_varint(to, below(random, 2 * most));
}

// Layers as maps of streets have them: what their features are, how many points they have and how far they lie apart.
static const struct {
  const char *name;
  int type, share;
  uint64_t points, distance;
} layers[] = {
    {"water", 3, 1, 40, 60}, {"landuse", 3, 3, 12, 100}, {"roads", 2, 6, 9, 90},
    {"buildings", 3, 8, 4, 24}, {"places", 1, 2, 1, 2000},
};
enum { layer_count = sizeof layers / sizeof *layers, value_count = 48 };

static const char *const keys[] = {"class", "name", "rank", "surface"};

static void put_feature(buffer *to, buffer *part, int layer, uint64_t id, uint64_t *random) {
  buffer feature = *part;
  feature.count = 0;
  put_number(&feature, 1, id);
  unsigned char tags[8];
  size_t tag_count = 2 * (1 + (size_t)below(random, 4));
  for (size_t index = 0; index < tag_count; index += 2) {
    tags[index] = (unsigned char)(index / 2);
    tags[index + 1] = (unsigned char)below(random, index == 0 ? 6 : value_count);
  }
  put_bytes(&feature, 2, tags, tag_count);
  put_number(&feature, 3, (uint64_t)layers[layer].type);
  unsigned char room[1024];
  buffer geometry = {room, 0, sizeof room};
  put_varint(&geometry, 1 << 3 | 1);
  put_delta(&geometry, random, 4096);
  put_delta(&geometry, random, 4096);
  if (layers[layer].type > 1) {
    uint64_t points = layers[layer].points / 2 + 1 + below(random, layers[layer].points);
    if (points < 3) points = 3;
    put_varint(&geometry, points << 3 | 2);
    for (uint64_t point = 0; point < points; point++) {
      put_delta(&geometry, random, layers[layer].distance);
      put_delta(&geometry, random, layers[layer].distance);
    }
  }
  if (layers[layer].type == 3) put_varint(&geometry, 1 << 3 | 7);
  put_bytes(&feature, 4, geometry.bytes, geometry.count);
  put_bytes(to, 2, feature.bytes, feature.count);
  *part = feature;
}

// A vector tile of some features; https://github.com/mapbox/vector-tile-spec/tree/master/2.1
static void put_tile(buffer *tile, uint64_t features, uint64_t *random) {
  buffer layer = {0}, part = {0};
  for (int kind = 0; kind < layer_count; kind++) {
    layer.count = 0;
    put_number(&layer, 15, 2);
    put_bytes(&layer, 1, layers[kind].name, strlen(layers[kind].name));
    uint64_t count = features * (uint64_t)layers[kind].share / 20 + 1;
    for (uint64_t index = 0; index < count; index++)
      put_feature(&layer, &part, kind, below(random, UINT64_C(1) << 30), random);
    for (size_t key = 0; key < sizeof keys / sizeof *keys; key++)
      put_bytes(&layer, 3, keys[key], strlen(keys[key]));
    for (uint64_t value = 0; value < value_count; value++) {
      char text[40];
      int length = snprintf(text, sizeof text, "Street No. %llu", (unsigned long long)below(random, 100000));
      part.count = 0;
      put_bytes(&part, 1, text, (size_t)length);
      put_bytes(&layer, 4, part.bytes, part.count);
    }
    put_number(&layer, 5, 4096);
    put_bytes(tile, 3, layer.bytes, layer.count);
  }
  free(layer.bytes);
  free(part.bytes);
}

static size_t gzip(const buffer *tile, buffer *stored) {
  z_stream stream = {.next_in = tile->bytes, .avail_in = (uInt)tile->count};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  size_t most = deflateBound(&stream, (uLong)tile->count);
  if (most > stored->room) {
    stored->room = most;
    stored->bytes = realloc(stored->bytes, most);
  }
  stream.next_out = stored->bytes;
  stream.avail_out = (uInt)most;
  int code = deflate(&stream, Z_FINISH);
  stored->count = most - stream.avail_out;
  deflateEnd(&stream);
  return code == Z_STREAM_END ? stored->count : 0;
}

static const char *const schema =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = 0x4D504258;"
    "CREATE TABLE metadata (name TEXT, value TEXT);"
    "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
    "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);"
    "INSERT INTO metadata VALUES ('name', 'streets'), ('format', 'pbf'), ('minzoom', '0'),"
    " ('bounds', '-180,-85,180,85'), ('json', '{\"vector_layers\":[{\"id\":\"water\",\"fields\":{}},"
    "{\"id\":\"landuse\",\"fields\":{}},{\"id\":\"roads\",\"fields\":{}},{\"id\":\"buildings\",\"fields\":{}},"
    "{\"id\":\"places\",\"fields\":{}}]}'); BEGIN;";

// One in so many tiles is kept in memory, to be repeated.
enum { kept_count = 256 };

bool floor_tileset_make(const char *path, int64_t deepest, int64_t features, int64_t repeated_percent) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  bool is_done = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK &&
                 sqlite3_exec(database, schema, NULL, NULL, NULL) == SQLITE_OK &&
                 sqlite3_prepare_v2(
                     database, "INSERT INTO tiles VALUES (?, ?, ?, ?)", -1, &statement, NULL) == SQLITE_OK;
  uint64_t random = 12;
  buffer tile = {0}, kept[kept_count] = {{0}}, stored = {0};
  uint64_t made = 0;
  for (int64_t zoom = 0; zoom <= deepest; zoom++) {
    int64_t side = INT64_C(1) << zoom;
    for (int64_t place = 0; place < side * side && is_done; place++) {
      buffer *content = &stored;
      if (made >= kept_count && below(&random, 100) < (uint64_t)repeated_percent) {
        content = &kept[below(&random, kept_count)];
      } else {
        if (made < kept_count) content = &kept[made];
        made++;
        tile.count = 0;
        put_tile(&tile, (uint64_t)features / 4 + below(&random, (uint64_t)features * 3 / 2), &random);
        is_done = gzip(&tile, content) > 0;
      }
      sqlite3_bind_int64(statement, 1, zoom);
      sqlite3_bind_int64(statement, 2, place / side);
      sqlite3_bind_int64(statement, 3, place % side);
      sqlite3_bind_blob(statement, 4, content->bytes, (int)content->count, SQLITE_STATIC);
      is_done = is_done && sqlite3_step(statement) == SQLITE_DONE;
      sqlite3_reset(statement);
    }
  }
  sqlite3_finalize(statement);
  char sql[96];
  snprintf(sql, sizeof sql, "INSERT INTO metadata VALUES ('maxzoom', '%lld'); COMMIT", (long long)deepest);
  is_done = is_done && sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_close(database);
  for (int index = 0; index < kept_count; index++) free(kept[index].bytes);
  free(tile.bytes);
  free(stored.bytes);
  return is_done;
}

// MARK: - Inflating

typedef struct {
  const char *path;
  int64_t first, last, total;
} inflating;

static int64_t inflate_rows(const inflating *part) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  z_stream stream = {0};
  buffer room = {malloc(1 << 20), 0, 1 << 20};
  char uri[4200];
  snprintf(uri, sizeof uri, "file:%s?immutable=1", part->path);
  int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  bool is_sound = sqlite3_open_v2(uri, &database, flags, NULL) == SQLITE_OK &&
                  sqlite3_prepare_v2(
                      database, "SELECT tile_data FROM tiles WHERE rowid BETWEEN ? AND ?", -1, &statement,
                      NULL) == SQLITE_OK &&
                  inflateInit2(&stream, 15 + 32) == Z_OK;
  int64_t total = 0;
  if (is_sound) {
    sqlite3_bind_int64(statement, 1, part->first);
    sqlite3_bind_int64(statement, 2, part->last);
  }
  while (is_sound && sqlite3_step(statement) == SQLITE_ROW) {
    inflateReset(&stream);
    stream.next_in = (unsigned char *)sqlite3_column_blob(statement, 0);
    stream.avail_in = (uInt)sqlite3_column_bytes(statement, 0);
    int code;
    do {
      stream.next_out = room.bytes;
      stream.avail_out = (uInt)room.room;
      code = inflate(&stream, Z_FINISH);
    } while (code == Z_BUF_ERROR && stream.avail_out == 0);
    total += (int64_t)stream.total_out;
    is_sound = code == Z_STREAM_END;
  }
  inflateEnd(&stream);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  free(room.bytes);
  return is_sound ? total : -1;
}

static void *run_part(void *part) {
  ((inflating *)part)->total = inflate_rows(part);
  return NULL;
}

static int64_t row_count(const char *path) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t count = -1;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, "SELECT max(rowid) FROM tiles", -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    count = sqlite3_column_int64(statement, 0);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return count;
}

int64_t floor_tileset_inflate(const char *path, int64_t thread_count) {
  enum { threads_at_most = 16 };
  inflating parts[threads_at_most];
  pthread_t threads[threads_at_most];
  int64_t count = row_count(path);
  if (count < 0 || thread_count < 1 || thread_count > threads_at_most) return -1;
  for (int64_t index = 0; index < thread_count; index++) {
    parts[index] = (inflating){path, count * index / thread_count + 1, count * (index + 1) / thread_count, -1};
    // The thread of the caller is the last one.
    if (index + 1 == thread_count || pthread_create(&threads[index], NULL, run_part, &parts[index]) != 0)
      run_part(&parts[index]);
    else
      continue;
    threads[index] = 0;
  }
  int64_t total = 0;
  for (int64_t index = 0; index < thread_count; index++) {
    if (threads[index]) pthread_join(threads[index], NULL);
    total = total < 0 || parts[index].total < 0 ? -1 : total + parts[index].total;
  }
  return total;
}
