import HoldfastFiles

/// The file formats of tilesets.
enum TilesetFileFormat: String, CaseIterable {
  case mbtiles, pmtiles

  /// Creates the format that a file's name stands for; `nil` for another name.
  init?(nameOf path: FilePath) {
    let ending = path.name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    self.init(rawValue: ending.lowercased())
  }

  /// Returns what is wrong with the name of a file of this format, as a sentence without its end; `nil` for a name that
  /// does not stand for the other format.
  func wrongName(of path: FilePath) -> String? {
    guard let named = TilesetFileFormat(nameOf: path), named != self else { return nil }
    return "'\(path.name)' is \(title), and is called like \(named.title), as which a style has "
      + "it read: rename it to '.\(rawValue)'"
  }

  private var title: String {
    switch self {
    case .mbtiles: "a database (MBTiles)"
    case .pmtiles: "a PMTiles archive"
    }
  }

  /// Returns whether a plain file begins as a tileset does; a link is none.
  static func isTileset(_ path: FilePath) throws(FileError) -> Bool {
    do throws(Errno) {
      guard try SystemCalls.linkStatus(of: path.text).kind == .regular else { return false }
      let file = try SystemCalls.openFile(path.text, for: .readPlain)
      let start = try SystemCalls.readBytes(file, at: 0, count: 16)
      return PMTilesStart.version(in: start) != nil
        || start.elementsEqual("SQLite format 3\0".utf8)
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Creates the format of a file, by its first bytes: everything that is no PMTiles archive may be MBTiles.
  init(contentOf path: FilePath) throws {
    let start: [UInt8]
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .read)
      start = try SystemCalls.readBytes(file, at: 0, count: PMTilesStart.byteCount)
    } catch .notFound, .notDirectory {
      throw MapError.notFound(path, Errno.notFound)
    } catch {
      throw FileError.couldNotRead(path, error)
    }
    self = PMTilesStart.version(in: start) != nil ? .pmtiles : .mbtiles
  }
}
