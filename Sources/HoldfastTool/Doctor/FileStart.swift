import Holdfast
import HoldfastFiles

/// The first bytes of a file, which show what it contains.
struct FileStart: Equatable, Sendable {
  /// The number of bytes to read.
  static let byteCount = 4096

  enum Content: Equatable, Sendable {
    case database
    /// Map tiles in PMTiles.
    case tileArchive
    case binaryPropertyList
    case xmlPropertyList
    case json
    case other
  }

  /// How each database begins that is not encrypted.
  private static let magic = Array("SQLite format 3\0".utf8)

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The content of the file, judging by its bytes and not by its name.
  var content: Content {
    if bytes.starts(with: Self.magic) { return .database }
    if PMTilesStart.version(in: bytes) != nil { return .tileArchive }
    if bytes.starts(with: BinaryPropertyList.magic) { return .binaryPropertyList }
    let head = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if head.starts(with: "<?xml".utf8) || head.starts(with: "<!DOCTYPE plist".utf8)
      || head.starts(with: "<plist".utf8)
    {
      return Array(head).firstRange(of: Array("<plist".utf8), from: 0) == nil
        ? .other : .xmlPropertyList
    }
    // A string alone is JSON too: apps of React Native store long ones in files of their own.
    guard let first = head.first, "{[".utf8.contains(first) || JSONTexts.isString(head),
      // Text; what is binary may begin with a brace too.
      !head.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) })
    else { return .other }
    return .json
  }

  /// The bytes as UTF-8, without a byte order mark.
  private var text: ArraySlice<UInt8> {
    if var text = UTF16Text(markOf: bytes[...]) { return text.utf8(bytes.dropFirst(2))[...] }
    return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// Whether a file of this name is a text whose lines may name files, such as a table or a list of tracks.
  func isTextOfLines(_ name: String) -> Bool {
    [".csv", ".tsv", ".yaml", ".yml", ".gpx", ".m3u", ".m3u8"].contains {
      name.lowercased().hasSuffix($0)
    } && FileStart(Array(text)).isText
  }

  /// Whether the bytes look random, as in an encrypted file.
  var looksEncrypted: Bool {
    // Bytes 16 to 100 are in the clear where only a database's header is not encrypted.
    let sample = bytes.dropFirst(bytes.count > 1024 ? 100 : 0).prefix(1024)
    guard sample.count >= 512 else { return false }
    // Of 1024 random bytes about 251 of 256 values occur; text and databases have far fewer.
    return Set(sample).count >= 200
  }

  /// Whether a file of this name may be an encrypted database for which the environment has a key.
  func mayBeDecrypted(_ name: String) -> Bool {
    InputKey.isUsable && looksEncrypted && Self.isNamedLikeDatabase(name)
  }

  /// What lies in place of the beginning of a database; `nil` where nothing shows that it is one.
  var lostBeginning: String? {
    if isZero { return "its first bytes are all zero" }
    if isCutInHeader { return "it ends within its header, after \(bytes.count) bytes" }
    return isPageOfTree ? "another page of it lies in place of its first one" : nil
  }

  /// Whether the file has no more than a part of a database's header; one byte shows nothing.
  private var isCutInHeader: Bool {
    (2..<DatabaseHeader.byteCount).contains(bytes.count)
      && bytes.prefix(Self.magic.count).elementsEqual(Self.magic.prefix(bytes.count))
  }

  /// Whether the file has the one byte that SQLite writes to a new database on volumes such as FAT.
  ///
  /// "The one byte written is an ASCII 'S' character" (`findInodeInfo` in SQLite's `os_unix.c`).
  var isNewDatabase: Bool { bytes == Array("S".utf8) }

  /// Whether the file has no room for a page, whatever it contains.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fileformat2.html#page_size>
  var isShorterThanPage: Bool { bytes.count < 512 }

  /// Whether the first page of a database lists a table, or may have pages below that do.
  var mayHaveSchema: Bool {
    bytes.count > 104 && (bytes[100] != 13 || bytes[103] != 0 || bytes[104] != 0)
  }

  /// Whether all bytes are zero, as where a copy lost its beginning; one byte shows nothing.
  private var isZero: Bool { bytes.count > 1 && bytes.allSatisfy { $0 == 0 } }

  /// Whether the bytes are a page of a table or an index, as where something has overwritten a database's first one.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fileformat2.html#b_tree_pages>
  private var isPageOfTree: Bool {
    guard bytes.count >= 512, [2, 5, 10, 13].contains(bytes[0]) else { return false }
    func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    let header = bytes[0] < 8 ? 12 : 8
    let (cellCount, content) = (number(3), number(5))
    let end = header + 2 * cellCount
    guard cellCount > 0, end <= content, end <= bytes.count else { return false }
    return (0..<cellCount).allSatisfy { number(header + 2 * $0) >= content }
  }

  /// Whether the file is a ZIP archive.
  ///
  /// - SeeAlso: APPNOTE.TXT of PKWARE, section 4.3.7, "Local file header".
  var isArchive: Bool { bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) }

  /// Whether a file of this name keeps the attributes of another one, as a Mac writes it where the volume or the
  /// archive has no place for them.
  ///
  /// - SeeAlso: RFC 1740, appendix A.
  func keepsAttributes(_ name: String) -> Bool {
    name.hasPrefix("._") && bytes.starts(with: [0, 5, 0x16, 7])
  }

  /// What the file is, if it is one that SQLite keeps next to a database.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fileformat2.html#the_rollback_journal> and
  ///   <https://www.sqlite.org/fileformat2.html#walformat>.
  var log: String? {
    if bytes.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]) {
      return "rollback journal"
    }
    // The last bit says in which order the bytes of checksums are.
    let magic: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]
    return magic.contains { bytes.starts(with: $0) } ? "write-ahead log" : nil
  }

  /// The words for an archive of map tiles.
  static let tileArchive = "a PMTiles archive"

  /// What the file is, with its article, if it is one of another library than SQLite.
  var otherFormat: String? {
    if content == .tileArchive { return Self.tileArchive }
    if isRealm { return "a Realm database" }
    if isLMDB { return "an LMDB database" }
    if isMDBX { return "a libmdbx database" }
    if isDuckDB { return "a DuckDB database" }
    return isUnQLite ? "an UnQLite database" : nil
  }

  /// Whether the file is a Realm database that is not encrypted.
  var isRealm: Bool { bytes.dropFirst(16).starts(with: "T-DB".utf8) }

  /// Whether the file is a database of UnQLite.
  ///
  /// - SeeAlso: <https://unqlite.org/internals.html>, "UnQLite Database File Format"
  private var isUnQLite: Bool { bytes.starts(with: "unqlite".utf8) }

  /// Whether the file is a database of LMDB, which other libraries such as ObjectBox use.
  ///
  /// - SeeAlso: `MDB_MAGIC` in LMDB's `mdb.c`, behind the header of the first page.
  private var isLMDB: Bool {
    let magic: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]
    return bytes.dropFirst(16).starts(with: magic)
      || bytes.dropFirst(16).starts(with: magic.reversed())
  }

  /// Whether the file is a database of libmdbx, which Isar uses.
  ///
  /// - SeeAlso: `MDBX_DATA_MAGIC` in libmdbx, behind the header of the first page.
  private var isMDBX: Bool {
    // The first byte, which is left out, is a version.
    bytes.dropFirst(21).starts(with: [0x11, 0x4C, 0xEF, 0xBD, 0x9D, 0x65, 0x59])
  }

  /// Whether the file is a database of DuckDB.
  ///
  /// - SeeAlso: <https://duckdb.org/docs/stable/internals/storage>, behind a checksum.
  private var isDuckDB: Bool { bytes.dropFirst(8).starts(with: "DUCK".utf8) }

  /// Whether the file is the one that names the current state of a LevelDB database, or of one of RocksDB.
  func isLevelDB(_ name: String) -> Bool {
    (name == "CURRENT" || name.hasSuffix("/CURRENT")) && bytes.starts(with: "MANIFEST-".utf8)
  }

  /// Whether a file is a box of Hive, which apps of Flutter use; it has no mark of its own.
  static func isHiveBox(_ name: String) -> Bool { name.lowercased().hasSuffix(".hive") }

  /// Whether the bytes are text, as a server's page that was saved under another name is.
  var isText: Bool {
    var text = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    // A letter of several bytes may be cut at the end.
    while text.last == "\u{FFFD}" { text.removeLast() }
    return !text.isEmpty
      && text.allSatisfy { scalar in
        scalar != "\u{FFFD}" && (scalar.value >= 0x20 || [0x09, 0x0A, 0x0D].contains(scalar.value))
      }
  }

  /// Whether a file of this name is usually an archive of map tiles.
  static func isNamedLikeTileArchive(_ name: String) -> Bool {
    name.lowercased().hasSuffix(".pmtiles")
  }

  /// Whether a file of this name is usually a database.
  static func isNamedLikeDatabase(_ name: String) -> Bool {
    [
      ".sqlite", ".sqlite3", ".sqlitedb", ".db", ".db3", ".s3db", ".sl3", ".store", ".storedata",
      ".mbtiles", ".gpkg", ".realm",
    ].contains {
      name.lowercased().hasSuffix($0)
    }
  }
}
