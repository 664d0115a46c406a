import Holdfast
import HoldfastTestSupport
import Testing

@Suite struct VersionDependentExpressionTests {
  private func causes(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue()
    return try queue.write { db in
      // SQLCipher has no mathematical functions.
      db.add(function: DatabaseFunction("sin", argumentCount: 1, pure: true) { $0[0] })
      try db.execute(sql: sql)
      return try db.versionDependentExpressions().map { "\($0.subject) \($0.cause)" }
    }
  }

  @Test func whatRoundsOrMakesTextOfARealNumberDependsOnTheVersion() throws {
    let found = try causes(
      """
      CREATE TABLE t (
        id INTEGER PRIMARY KEY, price REAL CHECK (length(price) < 9), "my name" TEXT, any, n INTEGER,
        rounded AS (round(price, 1)) STORED, CHECK (price || '' <> 'x'), CHECK (price > 1.5));
      INSERT INTO t (any) VALUES (1.5);
      CREATE INDEX a ON t (CAST(price AS TEXT));
      CREATE INDEX b ON t (n) WHERE lower(any) = 'x';
      CREATE INDEX c ON t (sin(n));
      CREATE INDEX d ON t ("my name" || (price * 2));
      CREATE INDEX e ON t (format('%s', 0.1234567890123456));
      CREATE INDEX f ON t ((n * 1e-1) || '');
      CREATE INDEX g ON t (coalesce(price, 0) || '');
      CREATE INDEX h ON t (iif(price > 1, n, price) || '');
      CREATE INDEX i ON t (lower(julianday("my name")));
      CREATE INDEX j ON t (CASE WHEN n THEN (price * 2) END || '')
      """)
    let real = "makes text of the real number"
    #expect(
      found == [
        "a CHECK of 't' \(real) price", "the generated column 'rounded' of 't' calls round()",
        "a CHECK of 't' \(real) price", "the index 'a' of 't' \(real) price",
        "the index 'b' of 't' \(real) any", "the index 'c' of 't' calls sin()",
        "the index 'd' of 't' \(real) price", "the index 'e' of 't' \(real) 0.1234567890123456",
        "the index 'f' of 't' \(real) 1e-1", "the index 'g' of 't' \(real) price",
        "the index 'h' of 't' \(real) price", "the index 'i' of 't' \(real) julianday",
        "the index 'j' of 't' \(real) price",
      ])
  }

  /// `json_set()` writes 17 digits from SQLite 3.53.0 on, and `json_array()` from a later version.
  @Test func whatMakesTextInLessVisibleWaysDependsOnTheVersion() throws {
    let found = try causes(
      """
      CREATE TABLE t (
        r REAL, p TEXT, a TEXT AS (r), b TEXT AS (coalesce(-r, 0)), c AS (r), d TEXT AS (CASE WHEN r > 1.5 THEN 'a' END));
      CREATE INDEX e ON t (CASE WHEN p THEN r END || '');
      CREATE INDEX f ON t (p || CASE WHEN p THEN r END);
      CREATE INDEX g ON t (p || -r);
      CREATE INDEX h ON t (CAST(r AS BLOB));
      CREATE INDEX i ON t (json_set(p, '$.a', r));
      CREATE INDEX j ON t (json_array(r));
      CREATE INDEX k ON t (json_extract(p, '$.a'))
      """)
    #expect(
      found == [
        "the generated column 'a' of 't' stores the real number r as text",
        "the generated column 'b' of 't' stores the real number r as text",
      ]
        + ["e", "f", "g", "h", "i", "j"].map {
          "the index '\($0)' of 't' makes text of the real number r"
        })
  }

  /// Earlier versions answer with NULL, or with an element of an array.
  @Test func whatOnlyLaterVersionsComputeDependsOnTheVersion() throws {
    let found = try causes(
      """
      CREATE TABLE t (
        d TEXT, p TEXT, a AS (datetime(d, 'Subsec')), CHECK (date(d, '+0001-02-03') <> ''));
      CREATE INDEX b ON t (strftime('%Y-W%V', d));
      CREATE INDEX c ON t (date(d, '+1 month', 'floor'));
      CREATE INDEX e ON t (p ->> '0');
      CREATE INDEX f ON t (p -> -1);
      CREATE INDEX g ON t (strftime('%Y-%m', d), date(d, '+1 month', 'start of month'));
      CREATE INDEX h ON t (p ->> 0, p ->> '$[0]', p ->> 'floor', 'subsec' || p);
      """)
    #expect(
      found == [
        "the generated column 'a' of 't' calls datetime() with 'Subsec'",
        "a CHECK of 't' calls date() with '+0001-02-03'",
        "the index 'b' of 't' calls strftime() with '%Y-W%V'",
        "the index 'c' of 't' calls date() with 'floor'",
        "the index 'e' of 't' looks up '0' by ->>", "the index 'f' of 't' looks up -1 by ->",
      ])
  }

  @Test func whatIsTheSameInEachVersionIsNotNamed() throws {
    let found = try causes(
      """
      CREATE TABLE t (
        id INTEGER PRIMARY KEY, price REAL CHECK (price > 1.5 AND length(title) < 9), title TEXT, any,
        cents AS (CAST(price AS INTEGER)), p TEXT CHECK (json_valid(p)));
      INSERT INTO t (any, p) VALUES ('a', '{}');
      CREATE INDEX a ON t (lower(title), price);
      CREATE INDEX b ON t (title || '-' || CAST(price AS INTEGER)) WHERE any LIKE 'a%';
      CREATE INDEX c ON t (json_extract(p, '$.k'));
      CREATE INDEX c2 ON t (json_array(p, 1.5));
      CREATE INDEX c4 ON t (CASE WHEN price > 1.5 THEN title ELSE '' END || '-');
      CREATE INDEX c5 ON t (
        lower(CASE price WHEN CASE WHEN price THEN price END THEN title ELSE 'b' END));
      CREATE INDEX c6 ON t (substr(date(price, 'unixepoch'), 1, 7), typeof(price) || title);
      CREATE INDEX c7 ON t (iif(price > 1.5, title, 'x') || '-');
      CREATE INDEX c8 ON t (strftime('%Y%%e%%F', title));
      CREATE INDEX c3 ON t (title || (length(title) + 0x1E));
      CREATE UNIQUE INDEX d ON t (title COLLATE NOCASE DESC) WHERE price IS NOT NULL;
      CREATE VIEW v AS SELECT round(price) FROM t;
      CREATE VIRTUAL TABLE ft USING fts5(title)
      """)
    #expect(found == [])
  }
}
