import Holdfast
import HoldfastTestSupport
import Testing

@Suite struct VersionDependentExpressionTests {
  private func causes(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue()
    return try queue.write { db in
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
      CREATE INDEX e ON t (format('%s', 0.5))
      """)
    let real = "makes text of the real number"
    #expect(
      found == [
        "a CHECK of 't' \(real) price", "the generated column 'rounded' of 't' calls round()",
        "a CHECK of 't' \(real) price", "the index 'a' of 't' \(real) price",
        "the index 'b' of 't' \(real) any", "the index 'c' of 't' calls sin()",
        "the index 'd' of 't' \(real) price", "the index 'e' of 't' \(real) 0.5",
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
      CREATE UNIQUE INDEX d ON t (title COLLATE NOCASE DESC) WHERE price IS NOT NULL;
      CREATE VIEW v AS SELECT round(price) FROM t;
      CREATE VIRTUAL TABLE ft USING fts5(title)
      """)
    #expect(found == [])
  }
}
