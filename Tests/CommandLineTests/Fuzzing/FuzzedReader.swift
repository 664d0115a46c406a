import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport

@testable import HoldfastFeeds
@testable import HoldfastLedger
@testable import HoldfastMaps
@testable import HoldfastTool
@testable import HoldfastTransit

/// A reader of outside bytes that is fed with mutated ones.
enum FuzzedReader: String, CaseIterable {
  case manifest, current, archive, timetable, blobs, realtime, style, metadata, grid, ledger,
    header,
    log, propertyList, json, path, tile, pmtiles

  private static let museum = PackageFolder.root.appending(path: "Tests/Museum")

  /// The bytes that are mutated, of real files.
  var seeds: [[UInt8]] {
    get throws {
      switch self {
      case .manifest:
        [
          Array(
            """
            {"format": 1, "name": "fair", "version": "1.0", "files": [{"path": "a/b.db", "size": 8192,
            "sha256": "\(String(repeating: "0", count: 64))", "kind": "sqlite", "storage": "sealed",
            "page_size": 4096, "schema": {"application_id": 1, "user_version": 2}}]}
            """.utf8)
        ]
      case .current:
        [CurrentFile(generation: "1-01234567", previous: "2-89abcdef", sequence: 3).bytes]
      case .archive: [Self.zip]
      case .timetable: [try Self.bytes(Self.museum.appending(path: "timetable-2.db"))]
      case .blobs: try Self.blobs()
      case .realtime:
        [
          try Self.bytes(
            PackageFolder.root.appending(path: "Samples/port-merrow-live/trip-updates.pb")),
          Wire.header
            + Wire.message(
              2, Wire.text(1, "m"),
              Wire.message(
                8, Wire.message(1, Wire.text(1, "T"), Wire.text(2, "P")), Wire.text(2, "08:00:00"),
                Wire.text(3, "20260105"),
                Wire.message(
                  4, Wire.message(1, Wire.number(1, 2), Wire.text(2, "B")),
                  Wire.message(2, Wire.number(1, 3)), Wire.number(3, 60),
                  Wire.message(4, Wire.number(1, 90), Wire.text(2, "X"))))),
        ]
      case .style, .json:
        [
          Array(
            #"{"version": 8, "sources": {"a": {"url": "mbtiles://{{mbtiles_path}}"}}, "n": [-1.5e3]}"#
              .utf8),
          Array(
            #"["/var/mobile/Containers/Data/Application/\u0041/Documents/x\/y", {"k": null}]"#.utf8),
        ]
      case .metadata:
        [
          Array(#"{"vector_layers": [{"id": "a", "fields": {"n": "Number"}, "minzoom": 0}]}"#.utf8),
          Array("-10.5, -20,30,4e1".utf8), Array("1.2.3".utf8),
        ]
      case .tile:
        [
          VectorTileBytes.tile(
            VectorTileBytes.layer(
              features: [VectorTileBytes.feature(id: 3, tags: [0, 0])], keys: ["kind"],
              values: [VectorTileBytes.number(5, 7)]), VectorTileBytes.layer("roads")),
          CompressedBytes.gzip(VectorTileBytes.tile()),
          CompressedBytes.zlib(VectorTileBytes.tile()),
        ]
      case .pmtiles: [Self.tileArchive(.gzip), Self.tileArchive(.none), Self.tileArchive(.none)]
      case .grid:
        [Array(###"{"grid": ["  !!", "  !!", "##  ", "##  "], "keys": ["", "1", "2"]}"###.utf8)]
      case .ledger, .path:
        [
          "D:downloads/a.m4b", "file:///private\(StoredPathTests.device)/Library/Caches/a%20b.m4b",
          "\(StoredPathTests.device)/Documents/a.m4b", "@documents/a.m4b", "1700000000000",
        ].map { Array($0.utf8) }
      case .header, .log:
        [
          try Array(Self.bytes(Self.museum.appending(path: "shared-1.db")).prefix(4096)),
          try Array(Self.bytes(Self.museum.appending(path: "shared-1.db-wal")).prefix(16_384)),
        ]
      case .propertyList:
        try [PropertyListSerialization.PropertyListFormat.binary, .xml].map { format in
          let value: [String: Any] = [
            "a": ["\(StoredPathTests.device)/Documents/x", "é\(StoredPathTests.device)/y", 7],
            "d": Data("/var/mobile/Containers".utf8), "n": ["k": "v", "date": Date.distantPast],
          ]
          return Array(
            try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
        }
      }
    }
  }

  /// Reads bytes, and throws or returns; `folder` is for files.
  func read(_ bytes: [UInt8], in folder: URL) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    switch self {
    case .manifest:
      let manifest = try PackManifest(data: Data(bytes))
      _ = (manifest.byteCount, manifest.generationName, manifest.files.map(\.pageCount))
    case .current: _ = try CurrentFile(bytes: bytes).bytes
    case .archive:
      let archive = try ZipArchive(at: write(bytes, in: folder))
      for entry in archive.entries.prefix(4) {
        let read = try archive.open(entry)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while try read(&buffer, buffer.indices) > 0 {}
      }
    case .timetable: try readTimetable(at: write(bytes, in: folder))
    case .blobs: readBlobs(bytes)
    case .realtime:
      let message = try RealtimeMessage(feedMessage: Data(bytes))
      let updates = message.tripUpdates
      _ = (updates.additions.count, updates.hashValue, message.alerts.count)
      let (day, start) = ("20260105", Date(timeIntervalSince1970: 1_767_600_000))
      let stops = ["A", "B", "C"].enumerated().map { index, stopID in
        ScheduledStopTime(
          stopSequence: index + 1, stopID: stopID, arrival: start + Double(60 * index),
          departure: nil)
      }
      let trip = TripInstance(
        tripID: "T", routeID: "R", directionID: nil, startDate: day, startTime: .seconds(28_800),
        start: start)
      _ = updates.liveStopTimes(of: trip, for: stops)
    case .style:
      let style = try MapStyle(template: Data(bytes))
      _ = try style.rendered(["mbtiles_path": .file(folder)], assets: .folder(folder))
    case .metadata:
      _ = VectorLayer.layers(inJSON: text)
      _ = JSONDocument.hasMoreValues(than: 3, text)
      _ = GeographicBounds(text)
      _ = MapCenter(text)
      for start in [Data(bytes), Data(bytes.dropFirst(3))] { _ = Tile(data: start).format }
    case .tile:
      let content = TileContent(bytes, with: ZlibInflater())
      _ = content.problems(at: TileCoordinate(unchecked: 1, 0, 0))
      guard case .vector(let tile) = content.kind else { return }
      for layer in tile.layers { _ = try TileGeoJSON(TileCoordinate(unchecked: 1, 0, 0), layer) }
    case .pmtiles: try readTileArchive(at: write(bytes, in: folder))
    case .grid:
      let grid = try UTFGrid(json: Data(bytes))
      for cell in -1...grid.side { _ = grid.key(column: cell, row: grid.side - 1 - cell) }
    case .ledger:
      for value in [
        text.databaseValue, Int64(text)?.databaseValue ?? .null, Double(text).databaseValue,
      ] {
        _ = StoredTime.value(of: .distantPast, like: value)
        _ = StoredTime.date(from: value)
      }
      _ = DownloadTable.candidates(for: text, location: text)
      _ = try RelocatablePath(legacy: text, bareRoot: .caches, tags: ["D:": .documents])
    case .header:
      let header = DatabaseHeader(bytes, fileByteCount: Int64(bytes.count) << 40)
      _ = (header.statedByteCount, FileStart(bytes).content, FileStart(bytes).looksEncrypted)
      _ = RollbackJournal.byteCount(withoutNameIn: Array(bytes.suffix(16)), of: Int64(bytes.count))
    case .log:
      var log = WriteAheadLog(header: Array(bytes.prefix(32)))
      var rest = bytes.dropFirst(32)[...]
      while !rest.isEmpty, !log.hasEnded {
        log.read(frame: Array(rest.prefix(24 + (log.pageByteCount ?? 512))))
        rest = rest.dropFirst(24 + (log.pageByteCount ?? 512))
      }
    case .propertyList:
      if let list = BinaryPropertyList(bytes), list.count <= BinaryPropertyList.mostObjects {
        let references = list.references()
        list.visitTexts(references) { text, _ in _ = StoredPath.all(in: text.text) }
        list.visitData(references) { _, _ in }
      }
      read(bytes, by: XMLPropertyListTexts())
    case .json: read(bytes, by: JSONTexts())
    case .path:
      for path in StoredPath.all(in: text) { _ = (path.identifyingText, path.decodedNames) }
    }
  }

  private func read(_ bytes: [UInt8], by reader: some TextReader) {
    var reader = reader
    for start in stride(from: 0, to: bytes.count, by: 7) {
      reader.read(bytes[start..<min(start + 7, bytes.count)]) { _ = StoredPath.all(in: $0.text) }
    }
    reader.end { _ = StoredPath.all(in: $0.text) }
  }

  private func readBlobs(_ bytes: [UInt8]) {
    // Each reader gets the bytes of all of them.
    let readers: [() throws -> Void] = [
      { _ = try StoredShape(bytes) }, { _ = try StoredExceptions(bytes) },
      { _ = try StoredTexts(bytes) }, { _ = try StoredTrips(bytes) },
      { _ = try StoredStopPatterns(bytes) },
      { _ = try StoredPattern(calls: bytes, timings: bytes, runs: bytes) },
      {
        let calls = try StoredPattern.calls(bytes).count
        _ = try StoredTimes(bytes, calls: calls)
      },
      { _ = try StoredTimes(bytes, calls: 3) }, { _ = try StoredPattern.runs(bytes, timings: 2) },
    ]
    for read in readers {
      // Most mutated bytes are refused.
      do { try read() } catch {}
    }
  }

  private func readTimetable(at url: URL) throws {
    let timetable = try Timetable(at: url)
    defer { timetable.reader.closeIgnoringErrors() }
    try timetable.reader.read { db in
      for table in try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      {
        _ = try? Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier) LIMIT 50")
      }
      let tables = TripTables(checked: db)
      // What one refuses, another may read.
      _ = try? tables.headways()
      _ = try? tables.services()
    }
  }

  private func readTileArchive(at url: URL) throws {
    let archive = try PMTilesArchive(at: url)
    // What is wrong with the metadata says nothing of the directories.
    _ = try? archive.metadataJSON()
    _ = try? archive.tileJSON(tiles: [])
    _ = try? archive.coverage()
    for (zoom, column, row) in [(0, 0, 0), (1, 1, 0), (2, 3, 3), (30, (1 << 30) - 1, 0)] {
      _ = try? archive.tile(at: TileCoordinate(unchecked: zoom, column, row))
    }
    _ = try archive.check()
  }

  private func write(_ bytes: [UInt8], in folder: URL) throws -> URL {
    let url = folder.appending(path: "input")
    try Data(bytes).write(to: url)
    return url
  }

  // MARK: - Seeds

  private static func bytes(_ url: URL) throws -> [UInt8] { Array(try Data(contentsOf: url)) }

  private static func blobs() throws -> [[UInt8]] {
    let queue = try DatabaseQueue(
      readOnlyFileAt: museum.appending(path: "timetable-2.db"), isNeverModified: true)
    defer { queue.closeIgnoringErrors() }
    let stored = try queue.read { db in
      try ["calls", "timings", "runs"].flatMap { column in
        try Data.fetchAll(db, sql: "SELECT \(column) FROM patterns LIMIT 8")
      }
        + Data.fetchAll(
          db, sql: "SELECT exceptions FROM services WHERE exceptions IS NOT NULL LIMIT 4")
        + Data.fetchAll(db, sql: "SELECT texts FROM texts LIMIT 4")
        + Data.fetchAll(db, sql: "SELECT trips FROM dict_trip LIMIT 4")
        + Data.fetchAll(db, sql: "SELECT patterns FROM stop_patterns LIMIT 4")
    }
    let points = (0..<9).map {
      StoredShape.Point(latitude: Double($0), longitude: 1.5, sequence: Int64($0), distance: 2)
    }
    return stored.map { Array($0) } + [StoredShape(points).bytes]
  }

  /// An archive of tiles with a directory below the root.
  private static func tileArchive(_ compression: PMTilesHeader.Compression) -> [UInt8] {
    let pack = { (bytes: [UInt8]) in compression == .gzip ? CompressedBytes.gzip(bytes) : bytes }
    let tile = pack(VectorTileBytes.tile())
    func entry(_ tileID: UInt64, run: UInt32, at offset: UInt64 = 0, _ length: Int)
      -> PMTilesDirectory.Entry
    {
      PMTilesDirectory.Entry(
        tileID: tileID, runLength: run, offset: offset, length: UInt32(length))
    }
    let leaf = pack(
      PMTilesDirectory([entry(5, run: 12, tile.count), entry(20, run: 1, tile.count)]).bytes)
    let root = pack(
      PMTilesDirectory([entry(0, run: 5, tile.count), entry(5, run: 0, leaf.count)]).bytes)
    let json = pack(Array(#"{"vector_layers":[{"id":"places"}],"name":"a"}"#.utf8))
    var header = PMTilesHeader()
    (header.internalCompression, header.tileCompression) = (compression, compression)
    (header.tileType, header.maximumZoom, header.isClustered) = (.mvt, 2, true)
    (header.addressedTileCount, header.tileEntryCount, header.tileContentCount) = (18, 3, 1)
    header.bounds = GeographicBounds(west: -180, south: -85, east: 180, north: 85)
    var bytes: [UInt8] = []
    func section(_ part: [UInt8]) -> PMTilesHeader.Section {
      defer { bytes += part }
      return PMTilesHeader.Section(
        offset: UInt64(PMTilesHeader.byteCount + bytes.count), length: UInt64(part.count))
    }
    header.rootDirectory = section(root)
    header.metadata = section(json)
    header.leafDirectories = section(leaf)
    header.tileData = section(tile)
    return header.bytes + bytes
  }

  /// An archive with one stored file.
  private static let zip: [UInt8] = {
    let name = Array("stops.txt".utf8)
    let content = Array("stop_id\n".utf8)
    let numbers: [UInt8] = [0xDB, 0xFA, 0x1A, 0x0C, 8, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0]
    let local: [UInt8] =
      [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0] + numbers + name + content
    let central: [UInt8] =
      [0x50, 0x4B, 1, 2, 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0] + numbers
      + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + name
    let end: [UInt8] =
      [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, UInt8(central.count), 0, 0, 0]
      + [UInt8(local.count), 0, 0, 0, 0, 0]
    return local + central + end
  }()
}
