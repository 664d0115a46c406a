import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// The article on maps shows no Swift that does not compile and run.
@Suite struct GettingStartedWithMapsTests {
  @Test func everyBlockIsAnExample() throws {
    let article = try Article("GettingStartedWithMaps", of: "HoldfastMaps")
    article.expectExamples(count: 7)
    let manifest = try #require(article.blocks(in: "text").first).lines.joined()
    #expect(manifest.contains(#".product(name: "HoldfastMaps", package: "holdfast")"#))
  }

  @Test func aMapIsReadCheckedAndShown() async throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("map.mbtiles")
    let queue = try DatabaseQueue(path: url.path)
    let png = Data(CompressedBytes.png(side: 1))
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          INSERT INTO metadata VALUES ('name', 'Fair'), ('format', 'png'), ('bounds', '0,0,1,1');
          CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
          CREATE INDEX i ON tiles (zoom_level, tile_column, tile_row);
          """)
      try db.execute(sql: "INSERT INTO tiles VALUES (1, 1, 1, ?)", arguments: [png])
    }
    try queue.close()
    #expect(try await showTile(of: url) == png)
    #expect(try await checkBeforeShipping(url))
    // Its tile is a quarter of the world, with the area in it.
    let fair = folder.file("fair.pmtiles")
    #expect(try cutOut(url, to: fair) == [])
    #expect(try PMTilesArchive(at: fair).header.addressedTileCount == 1)
    let json = try await describe(Tileset(at: url))
    #expect(String(decoding: json, as: UTF8.self).contains(#""tilejson":"3.0.0""#))

    let template = folder.file("style.json")
    try Data(
      #"{"version": 8, "layers": [], "sources": {"f": {"url": "mbtiles://{{mbtiles_path}}"}}}"#.utf8
    ).write(to: template)
    let styles = MapStyles(
      templates: [.light: template], tileset: url, assets: .bundle, folder: folder.url)
    let style = await followAppearance(styles)
    #expect(await style.ready()?.appearance == .dark)

    var configuration = PackStore.Configuration()
    configuration.container = Container(at: folder.file("home"))
    let store = PackStore(try PackName("app"), configuration: configuration)
    #expect(try await prepareStyle(for: .light, of: store) == nil)
    await #expect(throws: PackError.self) { try await showCurrentTile(of: store) }
  }
}
