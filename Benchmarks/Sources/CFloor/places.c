#include "places.h"

#include <stdlib.h>
#include <string.h>

floor_places *floor_places_make(void) { return calloc(1, sizeof(floor_places)); }

void floor_places_free(floor_places *places) {
  if (!places) return;
  for (size_t index = 0; index < places->count; index++) {
    free(places->rows[index].name);
    free(places->rows[index].code);
  }
  free(places->rows);
  free(places);
}

floor_place *floor_places_next(floor_places *places) {
  if (places->count == places->capacity) {
    places->capacity = places->capacity ? places->capacity * 2 : 16;
    places->rows = realloc(places->rows, places->capacity * sizeof(floor_place));
    if (!places->rows) abort();
  }
  return &places->rows[places->count++];
}

void floor_places_add(floor_places *places, int64_t id, const char *name, const char *code,
                      double latitude, double longitude, int64_t flag) {
  floor_place *place = floor_places_next(places);
  place->id = id;
  place->name = strdup(name);
  place->code = code ? strdup(code) : NULL;
  place->latitude = latitude;
  place->longitude = longitude;
  place->flag = flag;
}

// The digest is that of `Place.digest`, which reads the library's rows.

static uint64_t mix(uint64_t digest, uint64_t value) {
  return (digest ^ value) * UINT64_C(0x100000001b3);
}

static uint64_t mix_text(uint64_t digest, const char *text) {
  if (!text) return mix(digest, 0x100);
  for (; *text; text++) digest = mix(digest, (unsigned char)*text);
  return mix(digest, 0x101);
}

static uint64_t mix_number(uint64_t digest, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return mix(digest, bits);
}

uint64_t floor_places_digest(const floor_places *places) {
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  for (size_t index = 0; index < places->count; index++) {
    const floor_place *place = &places->rows[index];
    digest = mix(digest, (uint64_t)place->id);
    digest = mix_text(digest, place->name);
    digest = mix_text(digest, place->code);
    digest = mix_number(digest, place->latitude);
    digest = mix_number(digest, place->longitude);
    digest = mix(digest, (uint64_t)place->flag);
  }
  return digest;
}
