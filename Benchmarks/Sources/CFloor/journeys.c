#include "floor.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// The earliest arrivals with each number of rides, by rounds over the patterns of a network (RAPTOR), with the
// labels and tables of the fastest form that was found in C, and nothing but the arrivals as the answer.

enum { ENTRY = 1, EXIT = 2, NONE = INT_MAX };

typedef struct {
  int32_t exit, entry;
} labels;

typedef struct {
  int32_t first, last;
} stretch;

struct floor_network {
  int64_t stop_count, pattern_count, day_count, words_of_stops, words_of_patterns;
  int32_t *day_zeros, *call_starts, *way_starts, *blocks, *words, *known, *rest;
  floor_pair *calls, *ways, *spans;
  labels *labels;
  stretch *stretches;
  uint64_t *entries, *exits, *patterns, *last_patterns;
};

static void *take(int64_t count, size_t size) {
  void *bytes = calloc((size_t)count + 1, size);
  if (!bytes) abort();
  return bytes;
}

static void *copy(const void *bytes, int64_t count, size_t size) {
  return memcpy(take(count, size), bytes, (size_t)count * size);
}

floor_network *floor_network_make(int64_t stop_count, int64_t pattern_count, const int32_t *day_zeros,
                                  int64_t day_count) {
  floor_network *network = take(1, sizeof *network);
  network->stop_count = stop_count;
  network->pattern_count = pattern_count;
  network->day_count = day_count;
  network->day_zeros = copy(day_zeros, day_count, sizeof(int32_t));
  network->words_of_stops = (stop_count + 63) / 64;
  network->words_of_patterns = (pattern_count + 63) / 64;
  network->labels = take(stop_count, sizeof(labels));
  network->known = take(stop_count, sizeof(int32_t));
  network->rest = take(stop_count, sizeof(int32_t));
  network->stretches = take(pattern_count, sizeof(stretch));
  network->entries = take(network->words_of_stops, sizeof(uint64_t));
  network->exits = take(network->words_of_stops, sizeof(uint64_t));
  network->patterns = take(network->words_of_patterns, sizeof(uint64_t));
  network->last_patterns = take(network->words_of_patterns, sizeof(uint64_t));
  for (int64_t stop = 0; stop < stop_count; stop++) network->rest[stop] = NONE;
  for (int64_t pattern = 0; pattern < pattern_count; pattern++) {
    network->stretches[pattern] = (stretch){NONE, INT_MIN};
  }
  return network;
}

void floor_network_set_calls(floor_network *network, const int32_t *starts, const floor_pair *calls) {
  network->call_starts = copy(starts, network->stop_count + 1, sizeof(int32_t));
  network->calls = copy(calls, starts[network->stop_count], sizeof(floor_pair));
}

void floor_network_set_ways(floor_network *network, const int32_t *starts, const floor_pair *ways) {
  network->way_starts = copy(starts, network->stop_count + 1, sizeof(int32_t));
  network->ways = copy(ways, starts[network->stop_count], sizeof(floor_pair));
}

void floor_network_set_vehicles(floor_network *network, const floor_pair *spans, const int32_t *blocks,
                                const int32_t *words, int64_t word_count) {
  network->spans = copy(spans, network->pattern_count, sizeof(floor_pair));
  network->blocks = copy(blocks, network->pattern_count * network->day_count, sizeof(int32_t));
  network->words = copy(words, word_count, sizeof(int32_t));
}

void floor_network_free(floor_network *network) {
  void *all[] = {
      network->day_zeros, network->call_starts, network->calls, network->way_starts, network->ways,
      network->spans, network->blocks, network->words, network->labels, network->known, network->rest,
      network->stretches, network->entries, network->exits, network->patterns, network->last_patterns, network};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) free(all[index]);
}

static void insert(uint64_t *set, int32_t index) { set[index >> 6] |= 1ull << (index & 63); }

static int contains(const uint64_t *set, int32_t index) { return set[index >> 6] >> (index & 63) & 1; }

// What a search knows of its end.
typedef struct {
  int64_t best, limit;
} bounds;

static int64_t bound(const bounds *bounds) {
  return bounds->best < bounds->limit ? bounds->best : bounds->limit;
}

// Follows a pattern's vehicles of a day. The arrival at the end of the vehicle that was caught first.
static int64_t follow(floor_network *network, const int32_t *block, int32_t zero, stretch entering,
                      bounds *bounds) {
  int32_t count = block[0], calls = block[1];
  const int32_t *stops = block + 2, *starts = stops + calls, *rows = starts + count;
  const uint16_t *times = (const uint16_t *)(rows + count);
  int32_t half = (calls + 1) / 2 * 2;
  const uint16_t *row = NULL, *sooner = NULL;
  int32_t row_zero = 0, sooner_zero = 0, order = count;
  int64_t covered = INT64_MAX, most = bound(bounds);
  int is_first = 1;
  for (int32_t call = entering.first; call < calls; call++) {
    int32_t stop = stops[call] >> 2;
    labels *label = &network->labels[stop];
    if (row) {
      int32_t arrival = row_zero + row[call];
      if (arrival < label->exit && arrival < most && stops[call] & EXIT) {
        label->exit = arrival;
        insert(network->exits, stop);
        int32_t rest = network->rest[stop];
        if (rest != NONE && (int64_t)arrival + rest < bounds->best && (int64_t)arrival + rest < bounds->limit) {
          bounds->best = (int64_t)arrival + rest;
          most = bound(bounds);
        }
      }
      if (call > entering.last) {
        if (arrival >= most) break;
        continue;
      }
      if (!sooner || sooner_zero + sooner[call] < label->entry || !(stops[call] & ENTRY)) continue;
    } else {
      if (call > entering.last) break;
      if (label->entry == NONE || !(stops[call] & ENTRY)) continue;
    }
#define DEPARTURE(trip) (zero + starts[trip] + times[rows[trip] + half + call])
    if (order > 0 && DEPARTURE(order - 1) >= label->entry) {
      int32_t low = 0;
      if (row) {
        low = order - 1;
        while (low > 0 && DEPARTURE(low - 1) >= label->entry) low--;
      } else {
        for (int32_t length = count; length > 1; length -= length / 2) {
          low += DEPARTURE(low + length / 2 - 1) < label->entry ? length / 2 : 0;
        }
        if (DEPARTURE(low) < label->entry) low++;
      }
      order = low;
      row = times + rows[low];
      row_zero = zero + starts[low];
      sooner = low > 0 ? times + rows[low - 1] + half : NULL;
      sooner_zero = low > 0 ? zero + starts[low - 1] : 0;
      if (is_first) covered = (int64_t)row_zero + row[calls - 1];
    }
#undef DEPARTURE
    is_first = 0;
  }
  return covered;
}

// Collects the patterns of the stops that were reached, and the calls of each.
static int gather(floor_network *network, int is_last) {
  int any = 0;
  for (int64_t word = 0; word < network->words_of_stops; word++) {
    for (uint64_t rest = network->entries[word]; rest; rest &= rest - 1) {
      int32_t stop = (int32_t)(word * 64 + __builtin_ctzll(rest));
      for (int32_t index = network->call_starts[stop]; index < network->call_starts[stop + 1]; index++) {
        floor_pair call = network->calls[index];
        if (is_last && !contains(network->last_patterns, call.target)) continue;
        stretch *known = &network->stretches[call.target];
        if (call.value < known->first) known->first = call.value;
        if (call.value > known->last) known->last = call.value;
        insert(network->patterns, call.target);
        any = 1;
      }
    }
  }
  return any;
}

static void enter(floor_network *network, int32_t stop, int32_t label) {
  if (label >= network->known[stop]) return;
  network->known[stop] = network->labels[stop].entry = label;
  insert(network->entries, stop);
}

static void walk(floor_network *network, int64_t most) {
  for (int64_t word = 0; word < network->words_of_stops; word++) {
    for (uint64_t rest = network->exits[word]; rest; rest &= rest - 1) {
      int32_t stop = (int32_t)(word * 64 + __builtin_ctzll(rest));
      int32_t label = network->labels[stop].exit;
      if (label >= most) continue;
      for (int32_t index = network->way_starts[stop]; index < network->way_starts[stop + 1]; index++) {
        floor_pair way = network->ways[index];
        if (label + way.value < most) enter(network, way.target, label + way.value);
      }
    }
    network->exits[word] = 0;
  }
}

// Brings the block of the next pattern on the middle day near, while this one is followed.
static void prefetch(const floor_network *network, int64_t word, uint64_t rest) {
  for (int64_t last = word + 3; !rest && ++word < last && word < network->words_of_patterns;) {
    rest = network->patterns[word];
  }
  if (!rest) return;
  int64_t pattern = word * 64 + __builtin_ctzll(rest);
  int32_t block = network->blocks[pattern * network->day_count + network->day_count / 2];
  if (block < 0) return;
  for (int line = 0; line < 6; line++) __builtin_prefetch(network->words + block + 16 * line);
}

int64_t floor_journeys(floor_network *network, const floor_pair *start, int64_t start_count, const floor_pair *end,
                       int64_t end_count, int64_t direct, int64_t limit, int64_t ride_limit, int64_t *arrivals) {
  bounds bounds = {INT64_MAX, limit};
  int64_t found = 0;
  for (int64_t stop = 0; stop < network->stop_count; stop++) {
    network->labels[stop] = (labels){NONE, NONE};
    network->known[stop] = NONE;
  }
  memset(network->last_patterns, 0, (size_t)network->words_of_patterns * sizeof(uint64_t));
  for (int64_t index = 0; index < end_count; index++) {
    int32_t stop = end[index].target;
    network->rest[stop] = end[index].value;
    for (int32_t call = network->call_starts[stop]; call < network->call_starts[stop + 1]; call++) {
      insert(network->last_patterns, network->calls[call].target);
    }
  }
  if (direct >= 0 && direct < limit) arrivals[found++] = bounds.best = direct;
  for (int64_t index = 0; index < start_count; index++) {
    if (start[index].value < bound(&bounds)) enter(network, start[index].target, start[index].value);
  }
  for (int64_t round = 1; round <= ride_limit && gather(network, round == ride_limit); round++) {
    int64_t before = bounds.best;
    for (int64_t word = 0; word < network->words_of_patterns; word++) {
      for (uint64_t rest = network->patterns[word]; rest; rest &= rest - 1) {
        int64_t pattern = word * 64 + __builtin_ctzll(rest);
        prefetch(network, word, rest & (rest - 1));
        stretch entering = network->stretches[pattern];
        network->stretches[pattern] = (stretch){NONE, INT_MIN};
        floor_pair span = network->spans[pattern];
        int64_t covered = INT64_MAX;
        for (int64_t day = 0; day < network->day_count; day++) {
          int32_t zero = network->day_zeros[day], block = network->blocks[pattern * network->day_count + day];
          if (block < 0 || zero + span.value < 0) continue;
          int64_t most = bound(&bounds);
          if (zero + span.target >= (covered < most ? covered : most)) break;
          int64_t last = follow(network, network->words + block, zero, entering, &bounds);
          if (last < covered) covered = last;
        }
      }
      network->patterns[word] = 0;
    }
    for (int64_t word = 0; word < network->words_of_stops; word++) {
      for (uint64_t rest = network->entries[word]; rest; rest &= rest - 1) {
        network->labels[word * 64 + __builtin_ctzll(rest)].entry = NONE;
      }
      network->entries[word] = 0;
    }
    if (bounds.best < before) arrivals[found++] = bounds.best;
    if (round < ride_limit) walk(network, bound(&bounds));
  }
  memset(network->entries, 0, (size_t)network->words_of_stops * sizeof(uint64_t));
  memset(network->exits, 0, (size_t)network->words_of_stops * sizeof(uint64_t));
  for (int64_t index = 0; index < end_count; index++) network->rest[end[index].target] = NONE;
  return found;
}
