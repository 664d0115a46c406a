import Foundation
import Holdfast
import HoldfastFiles

/// The files of a folder that become a pack.
struct PackContent {
  /// The paths of files that are left out.
  private(set) var ignored: [String] = []

  /// The parts of the databases that depend on SQLite's version, as sentences.
  private(set) var warnings: [String] = []

  private let source: FilePath
  private let description: PackDescription
  private var paths: [PackPath] = []
  private var folders: [String] = []

  /// Lists a folder.
  ///
  /// - Throws: ``PackError`` with `.unsuitable`, `.invalidName` or `.invalidManifest`; `FileError`.
  init(of source: FilePath, _ description: PackDescription) throws {
    self.source = source
    self.description = description
    let entries = try FolderListing(of: source).entries.filter { entry in
      let isHidden = entry.path.utf8.first == UInt8(ascii: ".") || entry.path.contains("/.")
      if isHidden, entry.kind != .directory { ignored.append(entry.path) }
      return !isHidden
    }
    for entry in entries {
      switch entry.kind {
      case .directory: folders.append(entry.path)
      case .regular: try add(entry.path)
      case .symbolicLink, .other: throw PackError.notPlain(entry.path)
      }
    }
    guard !paths.isEmpty else { throw PackError.nothingToBuild(source) }
    if paths.contains(where: { $0.folded == PackManifest.fileName }) {
      throw PackError.builtAlready(source)
    }
    if let flaw = PathCollision.first(in: paths) { throw PackError.unbuildable(flaw) }
    for path in Array(description.kinds.keys) + Array(description.storages.keys)
    where !paths.contains(path) {
      throw PackError.describedFileMissing(path)
    }
  }

  private mutating func add(_ path: String) throws {
    if path == PackDescription.fileName {
      ignored.append(path)
      return
    }
    let file = source.appending([path])
    if let companion = try DatabaseCompanion.found(at: file) {
      // Without content it changes nothing; one with content is found with its database.
      let isLog = [.writeAheadLog, .journal].contains(companion.kind)
      if isLog, let first = try Self.firstByte(of: file),
        companion.kind == .writeAheadLog || first != 0
      {
        throw PackError.logInSource(path, of: companion.database.name)
      }
      ignored.append(path)
      return
    }
    paths.append(try PackPath(path))
  }

  /// Returns the first byte of a file; `nil` for an empty one.
  ///
  /// That of a journal is zero when SQLite has nothing to write back from it, as where `PRAGMA journal_mode = PERSIST`
  /// keeps it (`hasHotJournal` in SQLite's `pager.c`).
  private static func firstByte(of path: FilePath) throws(FileError) -> UInt8? {
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .readPlain)
      return try SystemCalls.readBytes(file, at: 0, count: 1).first
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  // MARK: Copying

  /// Copies the files to a new folder, durably, and describes them.
  ///
  /// - Throws: ``PackError`` with `.unsuitable`; `FileError`.
  mutating func copy(to folder: FilePath) throws -> [PackFile] {
    try folder.makeDirectory()
    let needed = folders.filter { folder in
      paths.contains { $0.description.utf8.starts(with: (folder + "/").utf8) }
    }
    // The order of the bytes: a folder comes before what it contains.
    for name in needed { try folder.appending([name]).makeDirectory() }
    var files: [PackFile] = []
    for path in paths { files.append(try copy(path, to: folder)) }
    for name in needed.reversed() { try folder.appending([name]).syncNames() }
    return files
  }

  private mutating func copy(_ path: PackPath, to folder: FilePath) throws -> PackFile {
    let original = source.appending(path.names)
    let copy = folder.appending(path.names)
    let (content, start) = try Self.copy(original, to: copy)
    // Whatever its kind, no app can use it; a page or a compressed file may be meant.
    if SubstituteContent(start) == .pointer { throw PackError.pointer(path) }
    let header = DatabaseHeader(start, fileByteCount: content.byteCount)
    let kind = try description.kinds[path] ?? PackFileContent.kind(path, copy, header, start)
    let storage = description.storages[path] ?? .sealed
    let isNamedLikeStyle =
      description.kinds[path] == nil && PackFileContent.isNamedLikeStyle(path)
    if kind == .style || isNamedLikeStyle, let flaw = try PackFileContent.styleFlaw(copy) {
      let claim = kind == .style ? "it is no style" : "it is called like a style, and is none"
      throw PackError.unsuitable(path, "\(claim): \(flaw)")
    }
    let isNamedLikeArchive =
      description.kinds[path] == nil && PackFileContent.isNamedLikeArchive(path)
    if kind == .pmtiles || isNamedLikeArchive, PMTilesStart.version(in: start) == nil {
      throw PackError.noArchive(path)
    }
    guard kind.isDatabase else {
      if description.kinds[path] == nil, PackFileContent.isNamedLikeDatabase(path) {
        throw PackError.noDatabase(path)
      }
      if storage == .seeded { throw PackError.seededFileIsNoDatabase(path) }
      return try PackFile(path: path, content: content, kind: kind, storage: storage)
    }
    try checkDatabase(path, copy, header)
    return try PackFile(
      path: path, content: content, kind: kind, storage: storage,
      schema: PackFile.Schema(
        applicationID: header.applicationID, userVersion: header.userVersion),
      pageSize: header.pageSize)
  }

  /// Refuses a database that an app could not use.
  ///
  /// The copy is examined, and not the original, because it is what will be shipped.
  private mutating func checkDatabase(
    _ path: PackPath, _ copy: FilePath, _ header: DatabaseHeader
  ) throws {
    guard header.isDatabase else { throw PackError.noDatabase(path) }
    if header.hasWriteAheadLog { throw PackError.inWriteAheadLogMode(path) }
    // SQLite ignores what follows the last page.
    guard header.fileByteCount >= header.statedByteCount ?? 0,
      header.fileByteCount.isMultiple(of: Int64(max(header.pageSize, 1)))
    else { throw PackError.cutDatabase(path, header) }
    let state = try Self.examine(copy, path)
    guard state.damage.isEmpty else { throw PackError.damagedDatabase(path, state.damage) }
    warnings += state.broken.map { "In '\(path)' \($0)." }
    warnings += state.expressions.map { "In '\(path)' \($0)." }
  }

  /// What SQLite's quick check finds in a database, and what of its schema depends on SQLite's version: a
  /// pack is built by one and read by others.
  private struct DatabaseState {
    var damage: [String] = []
    var broken: [BrokenConstraint] = []
    var expressions: [VersionDependentExpression] = []
  }

  private static func examine(
    _ database: FilePath, _ path: PackPath
  ) throws -> DatabaseState {
    do {
      var configuration = Configuration()
      configuration.hasForeignSchema = true
      let queue = try DatabaseQueue(
        readOnlyFileAt: database.url, isNeverModified: true, configuration: configuration)
      let result = try queue.read { db in
        var state = DatabaseState(expressions: try db.versionDependentExpressions())
        try db.forEachLine(ofCheck: "quick_check", most: 10) { line, count in
          if var constraint = BrokenConstraint(line) {
            constraint.count = count
            state.broken.add(constraint)
          } else {
            state.damage.append(line)
          }
        }
        return state
      }
      try queue.close()
      return result
    } catch let error as DatabaseError where error.foreignSyntax != nil {
      throw PackError.foreignDatabase(
        path, error.foreignSyntax ?? "", version: SQLiteLibrary.current.version)
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT].contains(error.resultCode)
    {
      return DatabaseState(damage: [error.message ?? "\(error.resultCode)"])
    }
  }

  /// Copies a file, and returns what was copied with its first bytes.
  private static func copy(
    _ original: FilePath, to copy: FilePath
  ) throws -> (FileDigest, start: [UInt8]) {
    let sealed = try ImmutableFile(original)
    var start: [UInt8] = []
    var offset: Int64 = 0
    let output = try create(copy)
    let content = try sealed.digest(chunk: { bytes throws(FileError) in
      let missing = min(DatabaseHeader.byteCount - start.count, bytes.count)
      for index in 0..<missing { start.append(bytes[index]) }
      do throws(Errno) {
        try SystemCalls.writeBytes(output, bytes, at: offset)
      } catch {
        throw .couldNotReplace(copy, error)
      }
      offset += Int64(bytes.count)
    })
    do throws(Errno) {
      try SystemCalls.sync(output)
      try output.close()
    } catch {
      throw FileError.couldNotReplace(copy, error)
    }
    guard try isUnchanged(original, sealed.status, content) else {
      throw PackError.changedWhileRead(original)
    }
    return (content, start)
  }

  private static func create(_ copy: FilePath) throws(FileError) -> OpenFile {
    do throws(Errno) {
      return try SystemCalls.openFile(copy.text, for: .createNew)
    } catch {
      throw .couldNotReplace(copy, error)
    }
  }

  private static func isUnchanged(
    _ original: FilePath, _ before: FileStatus, _ content: FileDigest
  ) throws(FileError) -> Bool {
    do throws(Errno) {
      let present = try SystemCalls.linkStatus(of: original.text)
      return present.isSameFile(as: before) && present.modified == before.modified
        && present.byteCount == content.byteCount
    } catch {
      throw .couldNotRead(original, error)
    }
  }
}
