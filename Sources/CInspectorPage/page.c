// The compiler reads the files of the page, so that a copied tool needs no folder next to it.
// Scripts/inspector-page writes this list.

#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../HoldfastInspector/Page/app.js"
};
static const unsigned char file_1[] = {
#embed "../HoldfastInspector/Page/engine/LICENSE.txt"
};
static const unsigned char file_2[] = {
#embed "../HoldfastInspector/Page/icon.svg"
};
static const unsigned char file_3[] = {
#embed "../HoldfastInspector/Page/index.html"
};
static const unsigned char file_4[] = {
#embed "../HoldfastInspector/Page/lib/api.js"
};
static const unsigned char file_5[] = {
#embed "../HoldfastInspector/Page/lib/dom.js"
};
static const unsigned char file_6[] = {
#embed "../HoldfastInspector/Page/lib/exports.js"
};
static const unsigned char file_7[] = {
#embed "../HoldfastInspector/Page/lib/format.js"
};
static const unsigned char file_8[] = {
#embed "../HoldfastInspector/Page/lib/grid.js"
};
static const unsigned char file_9[] = {
#embed "../HoldfastInspector/Page/lib/json.js"
};
static const unsigned char file_10[] = {
#embed "../HoldfastInspector/Page/lib/lanes.js"
};
static const unsigned char file_11[] = {
#embed "../HoldfastInspector/Page/lib/line.js"
};
static const unsigned char file_12[] = {
#embed "../HoldfastInspector/Page/lib/load.js"
};
static const unsigned char file_13[] = {
#embed "../HoldfastInspector/Page/lib/plain.js"
};
static const unsigned char file_14[] = {
#embed "../HoldfastInspector/Page/lib/route.js"
};
static const unsigned char file_15[] = {
#embed "../HoldfastInspector/Page/lib/routes.js"
};
static const unsigned char file_16[] = {
#embed "../HoldfastInspector/Page/lib/sql.js"
};
static const unsigned char file_17[] = {
#embed "../HoldfastInspector/Page/lib/stopfield.js"
};
static const unsigned char file_18[] = {
#embed "../HoldfastInspector/Page/lib/stream.js"
};
static const unsigned char file_19[] = {
#embed "../HoldfastInspector/Page/map/base.js"
};
static const unsigned char file_20[] = {
#embed "../HoldfastInspector/Page/map/engine.js"
};
static const unsigned char file_21[] = {
#embed "../HoldfastInspector/Page/map/positions.js"
};
static const unsigned char file_22[] = {
#embed "../HoldfastInspector/Page/map/tiles.js"
};
static const unsigned char file_23[] = {
#embed "../HoldfastInspector/Page/map/transit.js"
};
static const unsigned char file_24[] = {
#embed "../HoldfastInspector/Page/streams.js"
};
static const unsigned char file_25[] = {
#embed "../HoldfastInspector/Page/style/base.css"
};
static const unsigned char file_26[] = {
#embed "../HoldfastInspector/Page/style/data.css"
};
static const unsigned char file_27[] = {
#embed "../HoldfastInspector/Page/style/frame.css"
};
static const unsigned char file_28[] = {
#embed "../HoldfastInspector/Page/style/live.css"
};
static const unsigned char file_29[] = {
#embed "../HoldfastInspector/Page/style/map.css"
};
static const unsigned char file_30[] = {
#embed "../HoldfastInspector/Page/style/parts.css"
};
static const unsigned char file_31[] = {
#embed "../HoldfastInspector/Page/views/database.js"
};
static const unsigned char file_32[] = {
#embed "../HoldfastInspector/Page/views/departures.js"
};
static const unsigned char file_33[] = {
#embed "../HoldfastInspector/Page/views/diagram.js"
};
static const unsigned char file_34[] = {
#embed "../HoldfastInspector/Page/views/features.js"
};
static const unsigned char file_35[] = {
#embed "../HoldfastInspector/Page/views/filters.js"
};
static const unsigned char file_36[] = {
#embed "../HoldfastInspector/Page/views/findings.js"
};
static const unsigned char file_37[] = {
#embed "../HoldfastInspector/Page/views/journeys.js"
};
static const unsigned char file_38[] = {
#embed "../HoldfastInspector/Page/views/ledger.js"
};
static const unsigned char file_39[] = {
#embed "../HoldfastInspector/Page/views/lines.js"
};
static const unsigned char file_40[] = {
#embed "../HoldfastInspector/Page/views/live.js"
};
static const unsigned char file_41[] = {
#embed "../HoldfastInspector/Page/views/overview.js"
};
static const unsigned char file_42[] = {
#embed "../HoldfastInspector/Page/views/packs.js"
};
static const unsigned char file_43[] = {
#embed "../HoldfastInspector/Page/views/query.js"
};
static const unsigned char file_44[] = {
#embed "../HoldfastInspector/Page/views/realtime.js"
};
static const unsigned char file_45[] = {
#embed "../HoldfastInspector/Page/views/row.js"
};
static const unsigned char file_46[] = {
#embed "../HoldfastInspector/Page/views/rows.js"
};
static const unsigned char file_47[] = {
#embed "../HoldfastInspector/Page/views/schema.js"
};
static const unsigned char file_48[] = {
#embed "../HoldfastInspector/Page/views/search.js"
};
static const unsigned char file_49[] = {
#embed "../HoldfastInspector/Page/views/tables.js"
};
static const unsigned char file_50[] = {
#embed "../HoldfastInspector/Page/views/tilecheck.js"
};
static const unsigned char file_51[] = {
#embed "../HoldfastInspector/Page/views/tileset.js"
};
static const unsigned char file_52[] = {
#embed "../HoldfastInspector/Page/views/timeline.js"
};
static const unsigned char file_53[] = {
#embed "../HoldfastInspector/Page/views/timetable.js"
};
static const unsigned char file_54[] = {
#embed "../HoldfastInspector/Page/views/values.js"
};

#define FILE(name, bytes) {name, bytes, sizeof(bytes)}

static const struct inspector_page_file files[] = {
    FILE("app.js", file_0),
    FILE("engine/LICENSE.txt", file_1),
    FILE("icon.svg", file_2),
    FILE("index.html", file_3),
    FILE("lib/api.js", file_4),
    FILE("lib/dom.js", file_5),
    FILE("lib/exports.js", file_6),
    FILE("lib/format.js", file_7),
    FILE("lib/grid.js", file_8),
    FILE("lib/json.js", file_9),
    FILE("lib/lanes.js", file_10),
    FILE("lib/line.js", file_11),
    FILE("lib/load.js", file_12),
    FILE("lib/plain.js", file_13),
    FILE("lib/route.js", file_14),
    FILE("lib/routes.js", file_15),
    FILE("lib/sql.js", file_16),
    FILE("lib/stopfield.js", file_17),
    FILE("lib/stream.js", file_18),
    FILE("map/base.js", file_19),
    FILE("map/engine.js", file_20),
    FILE("map/positions.js", file_21),
    FILE("map/tiles.js", file_22),
    FILE("map/transit.js", file_23),
    FILE("streams.js", file_24),
    FILE("style/base.css", file_25),
    FILE("style/data.css", file_26),
    FILE("style/frame.css", file_27),
    FILE("style/live.css", file_28),
    FILE("style/map.css", file_29),
    FILE("style/parts.css", file_30),
    FILE("views/database.js", file_31),
    FILE("views/departures.js", file_32),
    FILE("views/diagram.js", file_33),
    FILE("views/features.js", file_34),
    FILE("views/filters.js", file_35),
    FILE("views/findings.js", file_36),
    FILE("views/journeys.js", file_37),
    FILE("views/ledger.js", file_38),
    FILE("views/lines.js", file_39),
    FILE("views/live.js", file_40),
    FILE("views/overview.js", file_41),
    FILE("views/packs.js", file_42),
    FILE("views/query.js", file_43),
    FILE("views/realtime.js", file_44),
    FILE("views/row.js", file_45),
    FILE("views/rows.js", file_46),
    FILE("views/schema.js", file_47),
    FILE("views/search.js", file_48),
    FILE("views/tables.js", file_49),
    FILE("views/tilecheck.js", file_50),
    FILE("views/tileset.js", file_51),
    FILE("views/timeline.js", file_52),
    FILE("views/timetable.js", file_53),
    FILE("views/values.js", file_54),
};

size_t inspector_page_count(void) { return sizeof(files) / sizeof(files[0]); }

struct inspector_page_file inspector_page(size_t index) { return files[index]; }
