import Foundation
import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct PMTilesArchiveTests {
  private let folder: TemporaryDirectory
  private let archive: Data

  init() throws {
    folder = try TemporaryDirectory()
    let source = folder.url.appending(path: "a.mbtiles")
    try SampleTileset().write(to: source)
    let url = folder.url.appending(path: "a.pmtiles")
    _ = try TilesetConversion(from: source, to: url).run()
    archive = try Data(contentsOf: url)
  }

  private func opening(_ change: (inout Data) -> Void) throws -> MapError? {
    var data = archive
    change(&data)
    let url = folder.url.appending(path: "b.pmtiles")
    try data.write(to: url)
    do {
      let archive = try PMTilesArchive(at: url)
      _ = archive.metadata
      _ = try archive.metadataJSON()
      _ = try archive.check()
      for z in 0...1 {
        for x in 0...z {
          for y in 0...z { _ = try archive.tile(at: TileCoordinate(z: z, x: x, y: y)) }
        }
      }
      return nil
    } catch let error as MapError {
      return error
    }
  }

  @Test func `An archive is read as it is`() throws {
    #expect(try opening { _ in } == nil)
  }

  @Test func `An archive without a tile says so`() throws {
    let empty = SampleArchive(tiles: []).data
    let error = try opening { $0 = empty }
    #expect(error?.code == .invalidTileset)
    #expect(error?.message == "The archive 'b.pmtiles' has no tiles.")
    // As writers leave it that find nothing to write.
    let other = try opening {
      $0 = empty
      $0.replaceSubrange(16..<24, with: Data(count: 8))
    }
    #expect(other?.message == error?.message)
    let lost = try opening { $0.replaceSubrange(16..<24, with: Data(count: 8)) }
    #expect(lost?.message.contains("names no root directory") == true)
  }

  @Test func `What is wrong with an archive is named`() throws {
    for (change, words) in [
      ({ $0[0] = 0x51 }, "no PMTiles archive"), ({ $0[7] = 2 }, "version 2"),
      ({ $0 = Data([0x50, 0x4D, 2, 0, 2, 0, 0, 0, 0, 0] + Array("{}".utf8)) }, "version 2"),
      ({ $0 = Data([0x50, 0x4D, 2, 0] + Array("{}, no metadata".utf8)) }, "no PMTiles archive"),
      ({ $0 = $0.prefix(100) }, "cut off"), ({ $0.removeLast() }, "its tiles lie past its end"),
      ({ $0[97] = 3 }, "compressed by brotli"), ({ $0[97] = 9 }, "does not exist"),
      (
        {
          $0[9] = 0x50
          $0 += Data(count: 30_000)
        }, "first 16384 bytes"
      ), ({ $0[15] = 0xFF }, "lie past its end"),
      ({ $0[127] ^= 0xFF }, "gzip"),
    ] as [((inout Data) -> Void, String)] {
      let error = try opening(change)
      #expect(error?.message.contains(words) == true, "\(words): \(String(describing: error))")
      #expect(error?.advice != nil)
    }
    let absent = #expect(throws: MapError.self) {
      try PMTilesArchive(at: folder.url.appending(path: "absent.pmtiles"))
    }
    #expect(absent?.code == .notFound)
  }

  /// `HOLDFAST_CASES=10000` runs the whole campaign.
  @Test func `A mutated archive ends in tiles or in a clear error`() throws {
    let count = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 500
    var random = SeededRandom()
    var refusedCount = 0
    for _ in 0..<count {
      let error = try opening { data in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          // Mostly in the header and the directories.
          let end = Bool.random(using: &random) ? min(data.count, 200) : data.count
          data[.random(in: 0..<end, using: &random)] = .random(in: 0...255, using: &random)
        }
        if Int.random(in: 0..<10, using: &random) == 0 {
          data = data.prefix(.random(in: 0..<data.count, using: &random))
        }
      }
      guard let error else { continue }
      refusedCount += 1
      #expect([.invalidTileset, .damaged].contains(error.code) && error.advice != nil, "\(error)")
    }
    #expect(refusedCount > 0 && refusedCount < count)
  }
}
