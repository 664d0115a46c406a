import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Places of a tileset without contents, as `doctor` and `db check` name them.
@Suite struct LostContentsTests {
  let copy: ContainerCopy
  private static let name = "Documents/a.mbtiles"

  init() throws { copy = try ContainerCopy() }

  private func make(_ change: String = "") throws {
    try copy.database(Self.name) { db in
      try db.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          INSERT INTO metadata VALUES ('name', 'a'), ('format', 'png');
          CREATE TABLE images (tile_id TEXT PRIMARY KEY, tile_data BLOB);
          CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
            tile_id TEXT, PRIMARY KEY (zoom_level, tile_column, tile_row));
          CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
            FROM map JOIN images USING (tile_id);
          INSERT INTO images VALUES ('one', x'89'), ('two', x'89');
          INSERT INTO map VALUES (0, 0, 0, 'one'), (1, 0, 0, 'two'), (1, 0, 1, 'one');
          """)
      try db.execute(sql: change)
    }
  }

  private func check() throws -> ToolProcess.Result {
    try ToolProcess.run(
      "db", "check", copy.url(Self.name).path(percentEncoded: false), "--json")
  }

  @Test func placesWithoutContentsAreCounted() throws {
    let sentence =
      "has a place in 'map' and no content in 'images', and a map is blank there."
    for (id, count) in [("one", 2), ("two", 1)] {
      try make("DELETE FROM images WHERE tile_id = '\(id)'")
      let found = try copy.doctor("--json")
      #expect(
        try found.findings == ["damaged_tileset \(Self.name)" + (count == 1 ? "" : " ×\(count)")])
      let message = try #require(try found.objects.first?["message"] as? String)
      #expect(found.status == 1 && message.hasSuffix(sentence), "\(message)")
      let checked = try check()
      let problems = try #require(try checked.objects.first?["problems"] as? [String])
      #expect(checked.status == 1)
      #expect(problems == [count == 1 ? String(message.dropLast()) : "\(message) (2 times)"])
      try FileManager.default.removeItem(at: copy.url(Self.name))
    }
    try make()
    #expect(try copy.doctor("--json").findings == [])
    #expect(try check().status == 0)
  }

  @Test func placesThatBreakAForeignKeyAreNamedOnce() throws {
    try make(
      """
      DELETE FROM images WHERE tile_id = 'one';
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'tile_id TEXT,', 'tile_id TEXT REFERENCES images,')
        WHERE name = 'map'
      """)
    #expect(
      try copy.doctor("--json").findings == [
        "broken_constraint \(Self.name) map tile_id images ×2"
      ])
    let problems = try #require(try check().objects.first?["problems"] as? [String])
    #expect(problems.allSatisfy { !$0.contains("no content") } && !problems.isEmpty)
  }
}
