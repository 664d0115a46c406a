// The compiler reads the files, so that a copied tool needs no folder next to it.

#include "samples.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char agency[] = {
#embed "../../port-merrow/agency.txt"
};
static const unsigned char attributions[] = {
#embed "../../port-merrow/attributions.txt"
};
static const unsigned char calendar[] = {
#embed "../../port-merrow/calendar.txt"
};
static const unsigned char calendar_dates[] = {
#embed "../../port-merrow/calendar_dates.txt"
};
static const unsigned char feed_info[] = {
#embed "../../port-merrow/feed_info.txt"
};
static const unsigned char frequencies[] = {
#embed "../../port-merrow/frequencies.txt"
};
static const unsigned char routes[] = {
#embed "../../port-merrow/routes.txt"
};
static const unsigned char shapes[] = {
#embed "../../port-merrow/shapes.txt"
};
static const unsigned char stop_times[] = {
#embed "../../port-merrow/stop_times.txt"
};
static const unsigned char stops[] = {
#embed "../../port-merrow/stops.txt"
};
static const unsigned char transfers[] = {
#embed "../../port-merrow/transfers.txt"
};
static const unsigned char translations[] = {
#embed "../../port-merrow/translations.txt"
};
static const unsigned char trips[] = {
#embed "../../port-merrow/trips.txt"
};

#define FILE(name) {#name ".txt", name, sizeof(name)}

static const struct holdfast_sample files[] = {
    FILE(agency),
    FILE(attributions),
    FILE(calendar),
    FILE(calendar_dates),
    FILE(feed_info),
    FILE(frequencies),
    FILE(routes),
    FILE(shapes),
    FILE(stop_times),
    FILE(stops),
    FILE(transfers),
    FILE(translations),
    FILE(trips),
};

// The styles are the same in both versions.
static const unsigned char style_dark[] = {
#embed "../../lantern-fair/1.0/style-dark.json"
};
static const unsigned char style_light[] = {
#embed "../../lantern-fair/1.0/style-light.json"
};
static const unsigned char map_0[] = {
#embed "../../lantern-fair/1.0/map.mbtiles"
};
static const unsigned char map_1[] = {
#embed "../../lantern-fair/1.1/map.mbtiles"
};
static const unsigned char description_0[] = {
#embed "../../lantern-fair/1.0/pack-source.json"
};
static const unsigned char description_1[] = {
#embed "../../lantern-fair/1.1/pack-source.json"
};
static const unsigned char program_0[] = {
#embed "../../lantern-fair/1.0/program.sqlite"
};
static const unsigned char program_1[] = {
#embed "../../lantern-fair/1.1/program.sqlite"
};

#define FAIR(version)                                              \
  {                                                                \
    {"map.mbtiles", map_##version, sizeof(map_##version)},         \
    {"pack-source.json", description_##version, sizeof(description_##version)}, \
    {"program.sqlite", program_##version, sizeof(program_##version)}, \
    {"style-dark.json", style_dark, sizeof(style_dark)},           \
    {"style-light.json", style_light, sizeof(style_light)},        \
  }

static const struct holdfast_sample fair[2][5] = {FAIR(0), FAIR(1)};

size_t holdfast_lantern_fair_count(void) { return sizeof(fair[0]) / sizeof(fair[0][0]); }

struct holdfast_sample holdfast_lantern_fair(size_t version, size_t index) {
  return fair[version][index];
}

size_t holdfast_port_merrow_count(void) { return sizeof(files) / sizeof(files[0]); }

struct holdfast_sample holdfast_port_merrow(size_t index) { return files[index]; }
