#pragma once

#include <stdbool.h>
#include <stdint.h>

// What each case costs when it is written in C against SQLite's own interface, and nothing else.
// SQLite's header is not part of this one, so that whoever includes it meets no second SQLite.

// One row of the fixture. Texts are owned and end with a NUL; `code` may be NULL.
typedef struct {
  int64_t id;
  char *name;
  char *code;
  double latitude;
  double longitude;
  int64_t flag;
} floor_place;

// A growing array of rows.
typedef struct floor_places floor_places;

floor_places *floor_places_make(void);
void floor_places_free(floor_places *places);
void floor_places_add(floor_places *places, int64_t id, const char *name, const char *code,
                      double latitude, double longitude, int64_t flag);

// A number that changes when any value or the order of any two rows does.
uint64_t floor_places_digest(const floor_places *places);

// A connection of one's own.
typedef struct floor_database floor_database;

// Opens or creates a file; NULL when SQLite refuses.
floor_database *floor_open(const char *path);
void floor_close(floor_database *database);

// What SQLite said last.
const char *floor_message(const floor_database *database);

// Runs SQL that gives no rows.
bool floor_execute(floor_database *database, const char *sql);

// Inserts all rows in one transaction with one statement.
bool floor_insert(floor_database *database, const floor_places *places);

// All rows in the order of their keys, NULL when SQLite refuses.
floor_places *floor_scan(floor_database *database);

// The rows of the given keys, one point lookup each in one transaction, NULL when SQLite refuses.
floor_places *floor_lookup(floor_database *database, const int64_t *ids, int64_t count);

// The rows of ranges of keys of one length, the last key of each first, all in one transaction; NULL when SQLite
// refuses.
floor_places *floor_ranges(
    floor_database *database, const int64_t *firsts, int64_t count, int64_t length);

// A connection that reads, and keeps nothing of what it reads.
typedef struct floor_reading floor_reading;

// What is done with each row.
typedef enum {
  // Nothing.
  FLOOR_STEP,
  // The first column is read as a number, or as bytes, which are copied.
  FLOOR_NUMBER,
  FLOOR_BYTES,
  // The first column is a number, and the second is copied.
  FLOOR_TWO,
  // All columns of a place are read, and its texts are copied.
  FLOOR_PLACE
} floor_work;

// Opens a file that exists and runs the settings; NULL when SQLite refuses.
floor_reading *floor_reading_open(const char *path, const char *settings);
void floor_reading_close(floor_reading *reading);

// Reads all rows of a statement, or its first row for each of some ids, in one transaction. The sum of the numbers
// and of the counts of copied bytes; -1 when SQLite refuses.
int64_t floor_read(floor_reading *reading, const char *sql, floor_work work, const int64_t *ids, int64_t count);

// A connection that keeps its statements prepared, each access in a transaction of its own.
typedef struct floor_session floor_session;

// Opens a file that exists and runs the settings; NULL when SQLite refuses.
floor_session *floor_session_open(const char *path, const char *settings);
void floor_session_close(floor_session *session);

// The rows of the given keys, BEGIN; SELECT; COMMIT for each, NULL when one is missing.
floor_places *floor_session_read(floor_session *session, const int64_t *ids, int64_t count);

// Inserts the rows, BEGIN IMMEDIATE; INSERT; COMMIT for each.
bool floor_session_write(floor_session *session, const floor_places *places);

// Two threads look all keys up, while a third one writes as often as it can; the rows found.
int64_t floor_read_beside_writer(
    floor_session *first, floor_session *second, floor_session *writing, const int64_t *ids,
    int64_t count);

// Commits `count` rows to the table visit, one after the other. After each a second thread fetches the
// newest row and hands it to a third one, and the next is committed when that has it: the hops of an
// observation, by semaphores. The times from each commit to the third thread, in nanoseconds, go into
// `times`. False when SQLite refuses, or when a value is not the one that was committed.
bool floor_observe(const char *path, const char *settings, int64_t count, double *times);

// Ends all connections of a database `count` times while eight threads use it, each connection from
// outside of its thread: interrupted, rolled back and closed without a checkpoint. The times it takes,
// in nanoseconds, go into `times`. False when SQLite refuses, or when a commit is missing.
//
// The threads read, write, checkpoint and idle in transactions, on one connection that writes and five
// that read, as the library's do. With `copy`, the path of another database, they also keep snapshots,
// copy the database there, close idle readers, and one reads again after each commit.
bool floor_suspend(const char *path, const char *copy, int64_t count, double *times);

// Creates empty files `<number>.m4b` in a folder that exists.
bool floor_make_files(const char *folder, int64_t first, int64_t count);

// What is left of a repair after the container moved, in plain code: reads the rows of the table
// local_audio_file_downloads in their order, 16,000 at a time, lists each folder when its first row comes,
// and writes the relative path of each file that is there, in one transaction per 16,000 rows. The rows of
// a folder follow each other. The number of rows written; -1 when SQLite refuses.
int64_t floor_repair(const char *path, const char *settings, const char *home);

// What a check at launch must do at least: reads one row, and the status of each root. The number of roots
// that exist; -1 when SQLite refuses.
int64_t floor_launch_check(floor_database *database, const char *const *roots, int64_t count);

// Writes the text of a request that filters and orders the places as often, with the names quoted. The number of
// all bytes; -1 without memory.
int64_t floor_requests_build(int64_t count);

// A number that changes when any text of the first column or the order of any two rows does.
uint64_t floor_texts_digest(const char *path, const char *sql);

// Copies a file to a path that is free, in one pass: its bytes, their SHA-256, and an fsync at the end.
bool floor_copy(const char *from, const char *to, unsigned char digest[32]);

// Syncs the entries of a folder.
bool floor_sync_folder(const char *path);

// A connection to a file of map tiles that nothing changes, with its statement prepared.
typedef struct floor_tiles floor_tiles;

// NULL when SQLite refuses.
floor_tiles *floor_tiles_open(const char *path);
void floor_tiles_close(floor_tiles *tiles);

// Reads the tiles of places, of three numbers each (zoom, column, row from the north), and copies each. A
// sum of the sizes and of three bytes of each; of no tile, where there is none.
uint64_t floor_tiles_read(floor_tiles *tiles, const int64_t *places, int64_t count);

// Opens a file of tiles, reads one and closes it. The sum as above; -1 when SQLite refuses.
int64_t floor_tile_once(const char *path, int64_t zoom, int64_t column, int64_t row);

// Makes a tileset of MBTiles with vector tiles at every place of the zoom levels from 0 to the deepest. Each tile has
// about so many features; so many per cent of them repeat one of the first.
bool floor_tileset_make(const char *path, int64_t deepest, int64_t features, int64_t repeated_percent);

// Inflates every tile of a tileset by zlib, on so many threads, each a range of rows. The bytes of all contents; -1 when a
// tile is not whole.
int64_t floor_tileset_inflate(const char *path, int64_t thread_count);

// An archive of map tiles in PMTiles whose directory is in memory; -1 when it cannot be opened.
int floor_tile_archive_open(const char *path);
void floor_tile_archive_close(int file);

// Reads the tiles of places as `floor_tiles_read` does, by pread(2). The entries are sorted by their numbers.
uint64_t floor_tile_archive_read(
    int file, const uint64_t *ids, const uint64_t *offsets, const uint64_t *sizes, int64_t entries,
    const int64_t *places, int64_t count);

// A zip archive that is written member by member, each deflated as it comes.
typedef struct floor_archive floor_archive;

// Creates or replaces a file; NULL when it cannot be opened.
floor_archive *floor_archive_make(const char *path);

// Begins a member, of less than 4 GiB. What fails from here on is what closing says.
void floor_archive_begin(floor_archive *archive, const char *name);
void floor_archive_write(floor_archive *archive, const unsigned char *bytes, int64_t count);
void floor_archive_end(floor_archive *archive);

// Writes the directory, and closes the file in any case. False when any step failed.
bool floor_archive_close(floor_archive *archive);

// Inflates the members of an archive, one after the other, into one buffer. The sum of their sizes; -1 when
// one is not what the directory says.
int64_t floor_inflate(const char *path, bool with_isal);

// Whether ISA-L was there at the build, and is here.
bool floor_has_isal(void);

// The names, codes and stations of a timetable's stops in memory, to be searched.
typedef struct floor_stops floor_stops;

// NULL when SQLite refuses.
floor_stops *floor_stops_open(const char *path);
void floor_stops_free(floor_stops *stops);

// Finds the stops that have, for each word of the text, a word that begins with it, and sorts the best ones.
// Their number, at most `limit`.
int64_t floor_stops_search(floor_stops *stops, const char *text, int64_t limit);

// Looks at all departures of a board for those that are the next from an instant on. The trips of at most
// `limit` (64) go into `found`, the earliest first; their number.
int64_t floor_departures_next(const int64_t *instants, const int64_t *trips, int64_t count, int64_t start,
                              int64_t limit, int64_t *found);

// Opens a timetable and reads the patterns of some routes, whose numbers are a JSON array. The size of their
// blobs; -1 when SQLite refuses.
int64_t floor_departures_first(const char *path, const char *routes);

// Looks at all places, in degrees, for those nearest to one. The distance in meters of the farthest of them, of
// which there are at most `limit` (64).
double floor_nearest(const double *latitudes, const double *longitudes, int64_t count, double latitude,
                     double longitude, int64_t limit);

// Two numbers of which the first is an index: a way to a stop and its seconds, or a stop's call in a pattern.
typedef struct {
  int32_t target, value;
} floor_pair;

// The stops, the ways between them and the vehicles of some service days, with the labels of a search.
typedef struct floor_network floor_network;

// Makes a network of days that start some seconds after the question. What is set is copied.
floor_network *floor_network_make(int64_t stop_count, int64_t pattern_count, const int32_t *day_zeros,
                                  int64_t day_count);
void floor_network_free(floor_network *network);

// Sets the calls, or the ways, of each stop, from its start on; there is one start more than stops.
void floor_network_set_calls(floor_network *network, const int32_t *starts, const floor_pair *calls);
void floor_network_set_ways(floor_network *network, const int32_t *starts, const floor_pair *ways);

// Sets the vehicles: each pattern's earliest departure and latest arrival, in seconds of its days, and the index
// of its block on each day among the words, -1 if nothing runs.
//
// A block begins with the numbers of trips and calls; then come each call's stop, shifted by two bits, with 1 if
// riders enter and 2 if they leave; each trip's start, in order, none of which overtakes another; and the index of
// its times among the halves of the words after them: arrivals and then departures, in seconds from its start.
void floor_network_set_vehicles(floor_network *network, const floor_pair *spans, const int32_t *blocks,
                                const int32_t *words, int64_t word_count);

// Finds the earliest arrivals, in seconds from the question, each of more rides than the one before. `direct` are
// the seconds on foot, -1 if that is too far. The number of arrivals, at most `ride_limit` + 1.
int64_t floor_journeys(floor_network *network, const floor_pair *start, int64_t start_count, const floor_pair *end,
                       int64_t end_count, int64_t direct, int64_t limit, int64_t ride_limit, int64_t *arrivals);

// Adds to every connection that this process opens from now on the SQL function `own_checkpoint(frames)`. It sets
// SQLite's own automatic checkpoint, in place of the one that the connection has, and gives SQLite's code.
bool floor_add_own_checkpoint(void);

// The version of the SQLite both sides run on.
const char *floor_sqlite_version(void);
