#include "floor.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// A search of stops in memory: the words of all stops in the order of the alphabet, of which a prefix is a
// range. Texts are in ASCII small letters; other bytes are taken as they are.

enum { words_at_most = 32, results_at_most = 64 };

typedef struct {
  // The name, the code and the station's name, with spaces between them.
  char *text;
  size_t name_size;
  bool is_station;
} floor_stop;

typedef struct {
  const char *text;
  int32_t stop;
} floor_word;

struct floor_stops {
  floor_stop *stops;
  int32_t *seen;
  floor_word *words;
  int32_t count;
  int32_t searches;
  size_t word_count;
};

typedef struct {
  const char *text;
  size_t size;
} typed_word;

static bool is_letter(char letter) {
  return isalnum((unsigned char)letter) || (unsigned char)letter >= 0x80;
}

static bool is_word_start(const char *text, size_t index) {
  return is_letter(text[index]) && (index == 0 || !is_letter(text[index - 1]));
}

static int by_alphabet(const void *left, const void *right) {
  return strcmp(((const floor_word *)left)->text, ((const floor_word *)right)->text);
}

static char *small_copy(const char *text, size_t size) {
  char *copy = malloc(size + 1);
  for (size_t index = 0; index < size; index++) copy[index] = (char)tolower((unsigned char)text[index]);
  copy[size] = 0;
  return copy;
}

static void add_words(floor_stops *stops, int32_t stop, size_t *capacity) {
  const char *text = stops->stops[stop].text;
  for (size_t index = 0; text[index]; index++) {
    if (!is_word_start(text, index)) continue;
    if (stops->word_count == *capacity) {
      *capacity = *capacity ? *capacity * 2 : 4096;
      stops->words = realloc(stops->words, *capacity * sizeof *stops->words);
    }
    stops->words[stops->word_count++] = (floor_word){text + index, stop};
  }
}

floor_stops *floor_stops_open(const char *path) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  floor_stops *stops = calloc(1, sizeof *stops);
  const char *sql =
      "SELECT s.stop_name || ' ' || ifnull(s.stop_code, '') || ' ' || ifnull(p.stop_name, ''),"
      " length(CAST(s.stop_name AS BLOB)), ifnull(s.location_type, 0) = 1"
      " FROM gtfs_stops AS s LEFT JOIN (SELECT stop_id, stop_name FROM gtfs_stops) AS p"
      " ON p.stop_id = s.parent_station";
  int code = SQLITE_ERROR;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
    int32_t capacity = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
      if (stops->count == capacity) {
        capacity = capacity ? capacity * 2 : 1024;
        stops->stops = realloc(stops->stops, (size_t)capacity * sizeof *stops->stops);
      }
      const char *text = (const char *)sqlite3_column_text(statement, 0);
      stops->stops[stops->count++] = (floor_stop){
          .text = small_copy(text, (size_t)sqlite3_column_bytes(statement, 0)),
          .name_size = (size_t)sqlite3_column_int64(statement, 1),
          .is_station = sqlite3_column_int(statement, 2) != 0};
    }
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  if (code != SQLITE_DONE) {
    floor_stops_free(stops);
    return NULL;
  }
  stops->seen = calloc((size_t)stops->count + 1, sizeof *stops->seen);
  size_t capacity = 0;
  for (int32_t stop = 0; stop < stops->count; stop++) add_words(stops, stop, &capacity);
  qsort(stops->words, stops->word_count, sizeof *stops->words, by_alphabet);
  return stops;
}

void floor_stops_free(floor_stops *stops) {
  for (int32_t stop = 0; stop < stops->count; stop++) free(stops->stops[stop].text);
  free(stops->stops);
  free(stops->seen);
  free(stops->words);
  free(stops);
}

// The first word that is not before the typed one; with `is_end`, the first that does not begin with it.
static size_t bound(const floor_stops *stops, typed_word word, bool is_end) {
  size_t low = 0, high = stops->word_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strncmp(stops->words[middle].text, word.text, word.size);
    if (order < 0 || (is_end && order == 0)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static bool has_word(const char *text, typed_word word) {
  for (size_t index = 0; text[index]; index++) {
    if (is_word_start(text, index) && strncmp(text + index, word.text, word.size) == 0) return true;
  }
  return false;
}

// 0 for the typed name itself, 1 for names that begin with it, 2 for all others.
static int match(const floor_stop *stop, const char *typed, size_t size) {
  if (size > stop->name_size || memcmp(stop->text, typed, size) != 0) return 2;
  return size == stop->name_size ? 0 : 1;
}

typedef struct {
  const floor_stop *stop;
  int match;
} ranked;

static int by_rank(const ranked *left, const ranked *right) {
  if (left->match != right->match) return left->match - right->match;
  if (left->stop->is_station != right->stop->is_station) return left->stop->is_station ? -1 : 1;
  if (left->stop->name_size != right->stop->name_size) {
    return left->stop->name_size < right->stop->name_size ? -1 : 1;
  }
  return memcmp(left->stop->text, right->stop->text, left->stop->name_size);
}

// Keeps the best ones in their order.
static int64_t keep(ranked *best, int64_t count, int64_t limit, ranked next) {
  if (count == limit && by_rank(&next, &best[count - 1]) >= 0) return count;
  int64_t place = count < limit ? count++ : count - 1;
  while (place > 0 && by_rank(&next, &best[place - 1]) < 0) {
    best[place] = best[place - 1];
    place--;
  }
  best[place] = next;
  return count;
}

int64_t floor_stops_search(floor_stops *stops, const char *text, int64_t limit) {
  size_t size = strlen(text);
  char *typed = small_copy(text, size);
  typed_word words[words_at_most];
  int word_count = 0;
  for (size_t index = 0; index < size && word_count < words_at_most; index++) {
    if (!is_word_start(typed, index)) continue;
    size_t end = index;
    while (is_letter(typed[end])) end++;
    words[word_count++] = (typed_word){typed + index, end - index};
  }
  size_t first = 0, last = 0;
  int rarest = 0;
  for (int word = 0; word < word_count; word++) {
    size_t start = bound(stops, words[word], false), end = bound(stops, words[word], true);
    if (word > 0 && end - start >= last - first) continue;
    first = start;
    last = end;
    rarest = word;
  }
  ranked best[results_at_most];
  if (limit > results_at_most) limit = results_at_most;
  int64_t count = 0;
  int32_t search = ++stops->searches;
  for (size_t index = first; index < last; index++) {
    int32_t number = stops->words[index].stop;
    // A stop may have several words that begin so.
    if (stops->seen[number] == search) continue;
    stops->seen[number] = search;
    const floor_stop *stop = &stops->stops[number];
    bool has_all = true;
    for (int word = 0; word < word_count && has_all; word++) {
      has_all = word == rarest || has_word(stop->text, words[word]);
    }
    if (has_all) count = keep(best, count, limit, (ranked){stop, match(stop, typed, size)});
  }
  free(typed);
  return count;
}
