import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTransit

/// The content of a folder, found by names, sizes and the first bytes of files.
///
/// Symbolic links are not followed, and no database is opened.
struct FileSurvey: Sendable {
  /// A file that is of interest.
  struct Found: Sendable {
    var kind: InspectedItem.Kind
    var path: FilePath
    var name: String
    var byteCount: Int64
    var logByteCount: Int64 = 0
    /// Whether it is opened with the key of the environment.
    var needsKey = false
    /// Further kinds that are in the same file.
    var contents: [InspectedItem.Kind] = []
    var note: String?
  }

  /// A folder whose files are counted.
  struct Root: Sendable {
    var name: String
    var folder: FilePath
    var path: String
    var fileCount = 0
    /// Not an integer, because sparse files may have more bytes together than one can count.
    var byteCount = 0.0
  }

  private(set) var found: [Found] = []
  private(set) var roots: [Root]
  private(set) var fileCount = 0
  private(set) var byteCount = 0.0
  private(set) var unreadable: [(path: String, reason: String)] = []

  private let container: CopiedContainer
  private let openHere: Set<FileStatus.Identity>
  private let known: [FilePath: Found]

  /// The number of unreadable files and folders that are listed.
  private static let mostUnreadable = 100

  /// The bytes of a schema that are searched for the names of tables.
  private static let schemaByteCount = 64 << 10

  /// Examines a folder.
  ///
  /// - Parameters:
  ///   - container: The folder.
  ///   - openHere: The files that SQLite has open in this process: to close another descriptor of them
  ///     would release its locks. They are not opened.
  ///   - known: What was found of those before.
  init(
    of container: CopiedContainer, openHere: Set<FileStatus.Identity> = [],
    known: [FilePath: Found] = [:]
  ) {
    (self.container, self.openHere, self.known) = (container, openHere, known)
    roots = Self.roots(of: container)
    var folders = [container.folder]
    while let folder = folders.popLast() {
      do throws(Errno) {
        var entries = try OpenDirectory(folder.text, followsLink: false)
        while let entry = try entries.next() {
          guard let name = entry.name else {
            note(folder, "A name in it is not valid UTF-8.")
            continue
          }
          let path = folder.appending([name])
          do throws(Errno) {
            let status = try SystemCalls.linkStatus(of: path.text)
            switch status.kind {
            case .directory: folders.append(path)
            case .regular: try add(path, status)
            case .symbolicLink, .other: break
            }
          } catch .notFound {
            // It is gone meanwhile.
            continue
          } catch {
            note(path, SystemCalls.description(of: error))
          }
        }
      } catch {
        note(folder, SystemCalls.description(of: error))
      }
    }
    found.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    roots.removeAll { $0.fileCount == 0 }
  }

  private static func roots(of container: CopiedContainer) -> [Root] {
    guard container.data != nil else { return [] }
    return StorageRoot.fixed.compactMap { root in
      guard let folder = container.folder(of: root),
        let names = folder.names(below: container.folder)
      else { return nil }
      return Root(name: root.description, folder: folder, path: names.joined(separator: "/"))
    }
  }

  private mutating func note(_ path: FilePath, _ reason: String) {
    guard unreadable.count < Self.mostUnreadable else { return }
    let name = path.names(below: container.folder)?.joined(separator: "/") ?? path.text
    unreadable.append((name.isEmpty ? "." : name, reason))
  }

  private mutating func add(_ path: FilePath, _ status: FileStatus) throws(Errno) {
    fileCount += 1
    byteCount += Double(status.byteCount)
    if let index = roots.firstIndex(where: { path.names(below: $0.folder) != nil }) {
      roots[index].fileCount += 1
      roots[index].byteCount += Double(status.byteCount)
    }
    guard status.byteCount > 0, DatabaseCompanion(named: path) == nil else { return }
    let names = path.names(below: container.folder) ?? path.names
    if path.name == PackManifest.fileName { addStore(path) }
    if openHere.contains(status.identity) {
      guard var file = known[path] else { return }
      file.byteCount = status.byteCount
      file.logByteCount = Self.logByteCount(of: path)
      found.append(file)
      return
    }
    let name = names.joined(separator: "/")
    if let file = try Self.file(at: path, name, status) { found.append(file) }
  }

  /// Examines one file, which nothing in this process has open.
  static func file(
    at path: FilePath, _ name: String, _ status: FileStatus
  ) throws(Errno) -> Found? {
    let bytes = try start(of: path, count: FileStart.byteCount)
    let start = FileStart(bytes)
    var file = Found(kind: .database, path: path, name: name, byteCount: status.byteCount)
    if bytes.starts(with: "PMTiles".utf8) {
      file.kind = .tileset
      return file
    }
    let isEncrypted = start.mayBeDecrypted(name)
    guard start.content == .database || isEncrypted else {
      guard FileStart.isNamedLikeDatabase(name), start.looksEncrypted else { return nil }
      file.note = "It is encrypted, or no database."
      return file
    }
    file.logByteCount = logByteCount(of: path)
    let header = DatabaseHeader(bytes, fileByteCount: status.byteCount)
    file.needsKey =
      InputKey.isUsable && [.possible, .afterPlaintextHeader].contains(header.encryption)
    if isEncrypted { return file }
    let number = applicationID(bytes)
    if number == TimetableSchema.applicationID { file.contents.append(.timetable) }
    // "MPBX", the application id that MBTiles registers; most writers of tilesets leave it out.
    if number == 0x4D50_4258 || name.lowercased().hasSuffix(".mbtiles") {
      file.contents.append(.tileset)
    }
    let log = DatabaseFiles(main: path).writeAheadLog
    var schema = try self.start(of: path, count: schemaByteCount)
    if file.logByteCount > 0 { schema += try self.start(of: log, count: schemaByteCount) }
    if hasLedger(schema) { file.contents.append(.ledger) }
    return file
  }

  private static func start(of path: FilePath, count: Int) throws(Errno) -> [UInt8] {
    let file = try SystemCalls.openFile(path.text, for: .readPlain)
    return try SystemCalls.readBytes(file, at: 0, count: count)
  }

  private static func logByteCount(of path: FilePath) -> Int64 {
    // A log that cannot be examined has no known size.
    ((try? DatabaseFiles(main: path).writeAheadLog.byteCount()) ?? nil) ?? 0
  }

  /// - SeeAlso: <https://www.sqlite.org/fileformat2.html#application_id>
  private static func applicationID(_ bytes: [UInt8]) -> Int32 {
    Int32(bitPattern: bytes.dropFirst(68).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
  }

  /// Whether the first pages of a database declare a table that `holdfast files` knows.
  ///
  /// One that is declared later is found when the database is opened.
  private static func hasLedger(_ bytes: [UInt8]) -> Bool {
    TableChoice.recognizedNames.contains { name in
      bytes.firstRange(of: Array(name.utf8), from: 0) != nil
    }
  }

  /// Notes the store of a pack, whose generation has this manifest.
  private mutating func addStore(_ manifest: FilePath) {
    let generation = manifest.directory
    guard PackFolder.Entry(generation.name) == .generation,
      let root = container.folder(of: PackStore.Configuration().root),
      let names = generation.names(below: root), names.count >= 3, let name = names.first
    else { return }
    let store = root.appending([name])
    guard !found.contains(where: { $0.path == store }) else { return }
    let path = store.names(below: container.folder) ?? store.names
    found.append(
      Found(kind: .packs, path: store, name: path.joined(separator: "/"), byteCount: 0))
  }
}
