// The compiler reads the files, so that a copied tool needs no folder next to it.

#include "samples.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char agency[] = {
#embed "../port-merrow/agency.txt"
};
static const unsigned char attributions[] = {
#embed "../port-merrow/attributions.txt"
};
static const unsigned char calendar[] = {
#embed "../port-merrow/calendar.txt"
};
static const unsigned char calendar_dates[] = {
#embed "../port-merrow/calendar_dates.txt"
};
static const unsigned char feed_info[] = {
#embed "../port-merrow/feed_info.txt"
};
static const unsigned char frequencies[] = {
#embed "../port-merrow/frequencies.txt"
};
static const unsigned char routes[] = {
#embed "../port-merrow/routes.txt"
};
static const unsigned char shapes[] = {
#embed "../port-merrow/shapes.txt"
};
static const unsigned char stop_times[] = {
#embed "../port-merrow/stop_times.txt"
};
static const unsigned char stops[] = {
#embed "../port-merrow/stops.txt"
};
static const unsigned char transfers[] = {
#embed "../port-merrow/transfers.txt"
};
static const unsigned char translations[] = {
#embed "../port-merrow/translations.txt"
};
static const unsigned char trips[] = {
#embed "../port-merrow/trips.txt"
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

size_t holdfast_port_merrow_count(void) { return sizeof(files) / sizeof(files[0]); }

struct holdfast_sample holdfast_port_merrow(size_t index) { return files[index]; }
