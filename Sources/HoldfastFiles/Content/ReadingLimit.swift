/// The greatest amounts that the readers of outside bytes accept: this is the one table of them.
///
/// Each is far above what real files have; one more is refused with an error or named as not examined,
/// before memory or time is spent on it. `ReadingLimitTests` feeds one more to each reader. Limits that
/// are compared for each field of a feed or each number of a timetable are constants of their loops:
/// `CSVParser`, `StoredPattern.Limit`.
package struct ReadingLimit: Hashable, Sendable, CustomStringConvertible {
  /// The kind of content that is read.
  package let reader: String
  /// The kind of items that are counted.
  package let unit: String
  /// The greatest number that is accepted.
  package let most: Int

  package var description: String { "\(reader): \(most) \(unit)" }

  private init(_ reader: String, _ most: Int, _ unit: String) {
    (self.reader, self.most, self.unit) = (reader, most, unit)
  }

  // MARK: Packs

  package static let packCurrent = ReadingLimit("the file current of a pack", 64 << 10, "bytes")
  package static let packManifest = ReadingLimit("pack.json", 16 << 20, "bytes")

  // MARK: Timetables

  package static let timetableCurrent = ReadingLimit(
    "the file current of a folder of timetables", 4096, "bytes")
  package static let timetable = ReadingLimit(
    "a timetable that the tool reads", 100_000_000, "steps of SQLite, and 500 for each byte")
  package static let feedMessage = ReadingLimit("a realtime message", 64 << 20, "bytes")
  package static let feedMessageUpdates = ReadingLimit(
    "a realtime message", 750_000, "updates of trips and stops")
  package static let tripStops = ReadingLimit(
    "a trip of a realtime message", 10_000, "updates of stops")
  package static let openGroups = ReadingLimit("a realtime message", 100, "groups within groups")

  // MARK: Feeds

  package static let archiveEntries = ReadingLimit("an archive", 10_000, "files")
  package static let locations = ReadingLimit("locations.geojson", 64 << 20, "bytes")

  // MARK: Maps

  package static let tilesetValue = ReadingLimit("a value of a tileset", 64 << 20, "bytes")
  package static let tilesetRows = ReadingLimit("the metadata of a tileset", 10_000, "rows")
  package static let tilesetList = ReadingLimit("the metadata of a tileset", 8 << 20, "bytes")
  package static let tilesetJSON = ReadingLimit(
    "the JSON of a tileset", 250_000, "values: layers, their fields and all else")
  package static let tilesetOpening = ReadingLimit(
    "the description of a tileset", 5_000_000, "steps of SQLite")
  package static let tileContent = ReadingLimit(
    "a tile of a tileset, decompressed", 64 << 20, "bytes")
  package static let tileParts = ReadingLimit(
    "a vector tile", 2_000_000, "layers, features, keys and values")
  package static let archiveDirectory = ReadingLimit(
    "a directory of a PMTiles archive", 500_000, "entries")
  package static let convertedTiles = ReadingLimit(
    "a tileset that is converted", 20_000_000, "tiles")
  package static let styleDepth = ReadingLimit("a style", 200, "values within values")
  package static let style = ReadingLimit("a style", 64 << 20, "bytes")

  // MARK: Ledgers

  package static let rowChange = ReadingLimit(
    "the change of a row by a repair", 50_000_000, "steps of SQLite, in triggers too")

  // MARK: Containers

  package static let propertyList = ReadingLimit("a binary property list", 512 << 20, "bytes")
  package static let propertyListObjects = ReadingLimit(
    "a binary property list", 4_000_000, "objects")
  package static let storedValue = ReadingLimit(
    "a value of a database that is searched for paths", 16 << 20, "bytes")

  package static let examinedMemory = ReadingLimit(
    "a database that is examined", 512 << 20, "bytes of memory, which one value may need")

  /// All of them.
  package static let all = [
    packCurrent, packManifest, timetableCurrent, timetable, feedMessage, feedMessageUpdates,
    tripStops, openGroups, archiveEntries, locations, tilesetValue, tilesetRows, tilesetList,
    tilesetJSON, tilesetOpening, archiveDirectory, convertedTiles, tileContent, tileParts,
    styleDepth, style, rowChange, propertyList,
    propertyListObjects, storedValue, examinedMemory,
  ]
}
