import Holdfast

extension TimetableSchema {
  /// Creates the tables of stops and of their search.
  ///
  /// A country has half a million stops, so that each byte of a row counts: `stops` and `dict_stop`
  /// are views of rows of some thirty bytes. They are of one table each, and what they look up are
  /// scalar subqueries, so that SQLite can use them in any place of a join without a copy.
  ///
  /// - Parameters:
  ///   - db: The connection, inside a transaction.
  ///   - stopIDs: The form of most of the feed's `stop_id`s.
  /// - Throws: `DatabaseError` when the tables exist or the disk is full.
  static func createStopTables(_ db: Database, _ stopIDs: StopIDForm) throws {
    try db.execute(
      sql: """
        -- Attributes that many stops share.
        CREATE TABLE stop_kinds (
          kind INTEGER PRIMARY KEY,
          location_type INTEGER NOT NULL,
          wheelchair_boarding INTEGER,
          platform_code TEXT,
          stop_desc TEXT,
          stop_url TEXT,
          zone_id TEXT,
          stop_timezone TEXT);
        -- A stop that the feed no longer has keeps its number, with no kind. Identifiers and codes
        -- that are numbers, and coordinates times ten million, are stored as integers.
        CREATE TABLE packed_stops (
          sid INTEGER PRIMARY KEY,
          id NOT NULL,
          code,
          lat,
          lon,
          kind INTEGER REFERENCES stop_kinds,
          parent_sid INTEGER REFERENCES packed_stops DEFERRABLE INITIALLY DEFERRED,
          -- Computed when it is read.
          stop_id TEXT AS (\(stopIDs.sql)));
        -- The stops in the order of their identifiers, which is that of their numbers except where a
        -- newer feed has added stops: the identifiers from least_id on, up to the next row, are those
        -- of the stops from first to last. An index of all identifiers would take fifty times as much.
        CREATE TABLE stop_ids (
          least_id TEXT NOT NULL PRIMARY KEY,
          first INTEGER NOT NULL,
          last INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX packed_stops_parent ON packed_stops (parent_sid)
          WHERE parent_sid IS NOT NULL;

        -- The name of a stop and of all that follow it, up to the next row: the platforms of a
        -- station mostly have one name. A number stands for a part that other names share.
        CREATE TABLE name_parts (part INTEGER PRIMARY KEY, text TEXT NOT NULL);
        CREATE TABLE packed_names (
          sid INTEGER PRIMARY KEY,
          start NOT NULL,
          rest,
          -- The name in plain small letters, where SQLite's tokenizer makes others of it.
          folded TEXT);
        CREATE VIEW stop_names AS
          SELECT sid,
            CASE typeof(start) WHEN 'integer'
              THEN (SELECT text FROM name_parts WHERE part = start) ELSE start END
            || CASE typeof(rest) WHEN 'integer'
              THEN (SELECT text FROM name_parts WHERE part = rest) ELSE ifnull(rest, '') END
            AS name,
            folded
          FROM packed_names;

        -- A feed names stops by texts; everything else names them by the small number here.
        -- The condition is true for each stop; with it, SQLite finds an identifier by the numbers that
        -- it can have.
        CREATE VIEW dict_stop AS
          SELECT sid, stop_id FROM packed_stops
          \(Self.identifierCondition);
        CREATE VIEW stops AS
          \(Self.stopSelection)
          FROM packed_stops WHERE kind IS NOT NULL;
        -- An app that writes into its read-only copy learns that it is read-only, and not that this
        -- is a view.
        CREATE TRIGGER stops_delete INSTEAD OF DELETE ON stops BEGIN
          UPDATE packed_stops SET kind = NULL WHERE sid = old.sid;
        END;

        -- No stemming: with it, the first letters of a word would not find the word.
        CREATE VIRTUAL TABLE stops_fts_names USING fts5 (
          name, folded, content = 'stop_names', content_rowid = 'sid', columnsize = 0,
          tokenize = 'unicode61 remove_diacritics 2');
        -- The words of the names of stops: each stop with the words of its row of names. The column
        -- stops_fts is for MATCH.
        CREATE VIEW stops_fts AS
          SELECT packed_stops.sid AS sid, stops_fts_names.name AS name,
            stops_fts_names.stops_fts_names AS stops_fts, stops_fts_names.rank AS rank
          FROM stops_fts_names JOIN packed_stops
            ON packed_stops.sid >= stops_fts_names.rowid
            AND packed_stops.sid < ifnull(
              (SELECT min(sid) FROM packed_names WHERE sid > stops_fts_names.rowid), 1 << 62)
          WHERE kind IS NOT NULL;

        -- The index of StopSearch, which docs/transit-format.md describes.
        CREATE TABLE search_words (first INTEGER PRIMARY KEY, words BLOB NOT NULL);
        CREATE TABLE search_names (first INTEGER PRIMARY KEY, names BLOB NOT NULL);
        CREATE TABLE search_codes (
          least TEXT NOT NULL,
          first INTEGER NOT NULL,
          greatest TEXT NOT NULL,
          codes BLOB NOT NULL,
          PRIMARY KEY (least, first)) WITHOUT ROWID;
        CREATE TABLE search_letters (letter TEXT NOT NULL PRIMARY KEY, stops BLOB NOT NULL)
          WITHOUT ROWID;
        """)
  }

  /// A condition that is true for each row of `packed_stops`; with it, SQLite finds an identifier by the
  /// numbers that it can have.
  static let identifierCondition = """
    WHERE sid BETWEEN
        (SELECT first FROM stop_ids WHERE least_id <= stop_id ORDER BY least_id DESC LIMIT 1)
        AND (SELECT last FROM stop_ids WHERE least_id <= stop_id ORDER BY least_id DESC LIMIT 1)
    """

  /// The beginning of a query of stops in the table `packed_stops`, with the columns of the view
  /// `stops`.
  static let stopSelection = """
    SELECT sid,
        CAST(code AS TEXT) AS stop_code,
        (SELECT name FROM stop_names WHERE stop_names.sid <= packed_stops.sid
          ORDER BY stop_names.sid DESC LIMIT 1) AS stop_name,
        CAST(CASE typeof(lat) WHEN 'integer' THEN lat / 1e7 WHEN 'real' THEN lat END AS REAL)
          AS stop_lat,
        CAST(CASE typeof(lon) WHEN 'integer' THEN lon / 1e7 WHEN 'real' THEN lon END AS REAL)
          AS stop_lon,
        (SELECT wheelchair_boarding FROM stop_kinds WHERE kind = packed_stops.kind)
          AS wheelchair_boarding,
        (SELECT location_type FROM stop_kinds WHERE kind = packed_stops.kind)
          AS location_type,
        parent_sid,
        (SELECT platform_code FROM stop_kinds WHERE kind = packed_stops.kind)
          AS platform_code,
        (SELECT stop_desc FROM stop_kinds WHERE kind = packed_stops.kind) AS stop_desc,
        (SELECT stop_url FROM stop_kinds WHERE kind = packed_stops.kind) AS stop_url,
        (SELECT zone_id FROM stop_kinds WHERE kind = packed_stops.kind) AS zone_id,
        (SELECT stop_timezone FROM stop_kinds WHERE kind = packed_stops.kind)
          AS stop_timezone
    """
}

extension Row {
  /// Returns a coordinate of `packed_stops` in degrees, as ``TimetableSchema/stopSelection`` does: an integer is
  /// ten million times as much.
  func packedDegrees(atIndex index: Int) throws -> Double? {
    if case .int64(let number) = (self[index] as DatabaseValue).storage {
      return Double(number) / 1e7
    }
    return try decode(Double?.self, atIndex: index)
  }
}
