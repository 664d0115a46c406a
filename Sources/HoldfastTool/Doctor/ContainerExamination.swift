import Foundation
import HoldfastFiles

/// The examination of a copied container, which changes nothing in it.
///
/// Files are read once, in chunks. Symbolic links are not followed, and pipes, sockets and devices
/// are not opened. Databases are examined on several threads, while the others are read.
struct ContainerExamination: Sendable {
  /// The largest binary property list that is read, in bytes: it cannot be read in chunks.
  static let largestPropertyList = ReadingLimit.propertyList.most

  let container: CopiedContainer
  /// The size of a file, in bytes, from which on it should not be in backups without need.
  let largeByteCount: Int64
  let bar: ProgressBar
  var findings = FindingCollector()
  private(set) var fileCount = 0
  var databaseCount = 0

  private(set) var privateFolder: PrivateFolder?

  /// The files that processes used when the examination began.
  private(set) var usedFiles: UsedFiles?
  /// Whether the memory or the temporary volume had no room for a database.
  var lackedRoom = false
  /// The databases whose copies were examined.
  var copiedDatabases: [CopiedDatabase] = []

  /// The file whose paths were found last, and whether nothing opens them.
  var judgedFile: (name: String, isReport: Bool)?
  /// The key of the path that was found last, and whether nothing opens what it leads to.
  var judgedKey: (file: String, key: String, isUnfollowed: Bool)?

  var work = Work()
  private let keepsAttributes: Bool

  /// A database whose copy was examined.
  struct CopiedDatabase {
    var files: DatabaseFiles
    /// Its path relative to the container.
    var name: String
  }

  /// The bytes that were read, and all that there are to read.
  struct Work {
    var done = 0.0
    var total = 0.0

    /// The work for a file, which is more than its bytes; not an integer, because sparse files may have
    /// more bytes together than one can count.
    static func amount(_ byteCount: Int64) -> Double { Double(byteCount) + 4096 }
  }

  private struct Folder {
    var path: FilePath
    /// The path relative to the container; empty for itself.
    var name: String
    var isExcluded: Bool

    var prefix: String { name.isEmpty ? "" : name + "/" }
  }

  /// Prepares the examination of a folder.
  ///
  /// - Throws: ``ToolError`` with `.noInput` when there is no folder, or it cannot be read.
  init(of url: URL, largeByteCount: Int64, bar: ProgressBar) throws {
    container = try CopiedContainer(at: url)
    (self.largeByteCount, self.bar) = (largeByteCount, bar)
    keepsAttributes = Self.keepsAttributes(container.folder)
  }

  /// Examines everything.
  mutating func run() throws {
    try examineFiles()
    examineUses()
  }

  /// Examines each file, in the state of the use at the beginning.
  mutating func examineFiles() throws {
    let folder = try PrivateFolder(outside: container.folder)
    defer { folder.remove() }
    privateFolder = folder
    defer { privateFolder = nil }
    if bar.isShown, bar.console.errors.columns != nil {
      try walk(reportsFailures: false) { examination, _, _, status, _ in
        guard status.kind == .regular else { return }
        examination.work.total += Work.amount(status.byteCount)
      }
    }
    usedFiles = UsedFiles()
    var examined = ExaminedDatabases(self)
    try walk(reportsFailures: true) { examination, path, name, status, isExcluded in
      guard status.kind == .regular else { return try examination.examineLink(path, name) }
      examination.fileCount += 1
      try examination.show(name)
      let begun = examination.work.done
      if let database = try examination.examineFile(path, name, status, isExcluded: isExcluded) {
        examination.databaseCount += 1
        try examined.add(database) { examination.work.done += Work.amount($0) }
      } else {
        examination.work.done = begun + Work.amount(status.byteCount)
      }
    }
    try examined.finish { byteCount in
      work.done += Work.amount(byteCount)
      try show("databases")
    }
    findings.add(examined.findings)
    copiedDatabases = examined.copies
  }

  // MARK: - Walking

  private typealias Visit = (
    inout ContainerExamination, FilePath, _ name: String, FileStatus, _ isExcluded: Bool
  ) throws -> Void

  /// Visits each plain file and each symbolic link, folder by folder.
  private mutating func walk(reportsFailures: Bool, _ visit: Visit) throws {
    var folders = [Folder(path: container.folder, name: "", isExcluded: false)]
    while var folder = folders.popLast() {
      folder.isExcluded = folder.isExcluded || isExcluded(folder.path) == true
      do {
        var entries = try OpenDirectory(folder.path.text, followsLink: false)
        while let entry = try entries.next() {
          try bar.console.checkInterruption()
          do {
            if let inner = try visitEntry(entry, of: folder, visit) { folders.append(inner) }
          } catch let error as Errno {
            // A file that is gone meanwhile hides nothing.
            guard error != .notFound, reportsFailures else { continue }
            let name = String(decoding: entry.nameBytes, as: UTF8.self)
            findings.add(
              .unreadable(
                folder.prefix + name,
                because: error == .illegalBytes
                  ? "Its name is not valid UTF-8" : SystemCalls.description(of: error)))
          }
        }
      } catch let error as Errno {
        guard reportsFailures else { continue }
        findings.add(
          .unreadable(
            folder.name.isEmpty ? "." : folder.prefix,
            because: SystemCalls.description(of: error)))
      }
    }
  }

  /// Visits a file, or returns the folder that is to be visited later.
  private mutating func visitEntry(
    _ entry: DirectoryEntry, of folder: Folder, _ visit: Visit
  ) throws -> Folder? {
    guard let name = entry.name else { throw Errno.illegalBytes }
    let path = folder.path.appending([name])
    let status = try SystemCalls.linkStatus(of: path.text)
    switch status.kind {
    case .directory:
      return Folder(path: path, name: folder.prefix + name, isExcluded: folder.isExcluded)
    case .regular, .symbolicLink:
      try visit(&self, path, folder.prefix + name, status, folder.isExcluded)
    case .other: break
    }
    return nil
  }

  // MARK: - Files

  /// Examines a file, or returns the database that it is, whose examination takes longer.
  private mutating func examineFile(
    _ path: FilePath, _ name: String, _ status: FileStatus, isExcluded: Bool
  ) throws -> FoundDatabase? {
    let isCompanion = DatabaseCompanion(named: path) != nil
    if status.byteCount >= largeByteCount, !isCompanion, !isExcluded, container.isBackedUp(path) {
      examineExclusion(path, name, status)
    }
    guard status.byteCount > 0 else {
      if FileStart.isNamedLikeDatabase(name), !hasLog(path) { findings.add(.emptyDatabase(name)) }
      if FileStart.isNamedLikeTileArchive(name) { findings.add(.noTileArchive(name, nil)) }
      return nil
    }
    let start = try read(path) { file throws(Errno) in
      try SystemCalls.readBytes(file, at: 0, count: FileStart.byteCount)
    }
    if FileStart(start).keepsAttributes(path.name) { return nil }
    // A file of the app may have such a name too, so its content decides.
    if isCompanion { examineOrphan(path, name, start: start) }
    let content = FileStart(start).content
    if content != .tileArchive, FileStart.isNamedLikeTileArchive(name) {
      findings.add(.noTileArchive(name, SubstituteContent(start)))
    }
    let database = FoundDatabase(path: path, name: name, start: start, byteCount: status.byteCount)
    if content != .database, hasBeginningElsewhere(database) { return database }
    if content == .json || content == .xmlPropertyList, FileStart.isNamedLikeDatabase(name) {
      examineUnreadableDatabase(path, name, start)
    }
    switch content {
    case .database: return database
    case .tileArchive: try examineTileArchive(path, name)
    case .binaryPropertyList: try examineBinaryPropertyList(path, name, status)
    case .xmlPropertyList:
      try examineTexts(path, name, XMLPropertyListTexts(where: StoredPath.mayBeIn))
    case .json: try examineTexts(path, name, JSONTexts(where: StoredPath.mayBeIn))
    case .other where FileStart(start).mayBeDecrypted(name): return database
    case .other:
      // Whether a Realm database is in use is asked where others are that are named like databases.
      if let format = FileStart(start).otherFormat, !FileStart(start).isRealm {
        findings.add(.otherFormat(name, format))
      } else if FileStart(start).isLevelDB(name) {
        findings.add(.otherFormat(name, "a part of a LevelDB or RocksDB database"))
      } else if FileStart.isHiveBox(name) {
        findings.add(.otherFormat(name, "a Hive box"))
      } else if FileStart.isNamedLikeDatabase(name) {
        examineUnreadableDatabase(path, name, start)
      } else if SubstituteContent(start) == .pointer, !FileStart.isNamedLikeTileArchive(name) {
        findings.add(.substitute(name, .pointer))
      } else if FileStart(start).isTextOfLines(name) {
        try examineTexts(path, name, LineTexts(where: StoredPath.mayBeIn), isProof: false)
      } else if isKeyValueStore(path) {
        findings.add(.otherFormat(name, "an MMKV store"))
      }
    }
    return nil
  }

  /// Whether SQLite reads the first page of a database from its log, or writes it back from its journal, whatever
  /// lies in its place.
  private func hasBeginningElsewhere(_ database: FoundDatabase) -> Bool {
    let (start, files) = (FileStart(database.start), DatabaseFiles(main: database.path))
    // Of a file of one byte SQLite deletes the log.
    guard FileStart.isNamedLikeDatabase(database.name), database.byteCount > 1,
      SubstituteContent(database.start) == nil, start.otherFormat == nil
    else { return false }
    return start.lostBeginning == nil ? files.logHasDatabase : files.mayHaveFirstPage
  }

  /// Whether a log or a journal with content is next to a database.
  private func hasLog(_ path: FilePath) -> Bool {
    let files = DatabaseFiles(main: path)
    // One that cannot be read is noted when it is visited.
    return [files.writeAheadLog, files.journal].contains { ((try? $0.byteCount()) ?? 0) > 0 }
  }

  /// Whether a file is one of MMKV's, which has its checksum in a file of its own.
  private func isKeyValueStore(_ path: FilePath) -> Bool {
    // A file that cannot be seen is no such file.
    path.directory.name.lowercased() == "mmkv" && !path.name.hasSuffix(".crc")
      && (try? path.sibling(path.name + ".crc").exists()) == true
  }

  private func show(_ name: String) throws {
    try bar.show(
      work.total == 0 ? 0 : work.done / work.total,
      "Examining \(name.withoutMiddle(toLength: 40))")
  }

  private func read<Value>(
    _ path: FilePath, _ body: (borrowing OpenFile) throws(Errno) -> Value
  ) throws(Errno) -> Value {
    try body(SystemCalls.openFile(path.text, for: .readPlain))
  }

  /// Notes a file that is named like a database and does not begin like one.
  private mutating func examineUnreadableDatabase(
    _ path: FilePath, _ name: String, _ start: [UInt8]
  ) {
    databaseCount += 1
    if let reason = DatabaseCopy.liveness(of: DatabaseFiles(main: path), among: usedFiles) {
      findings.add(.liveDatabase(name, because: reason))
    } else if let beginning = FileStart(start).lostBeginning {
      findings.add(.damagedDatabase(name, problems: [beginning]))
    } else if FileStart(start).isRealm {
      findings.add(.otherFormat(name, "a Realm database"))
    } else if let content = SubstituteContent(start) {
      findings.add(.substitute(name, content))
    } else if FileStart(start).isNewDatabase {
      if !hasLog(path) { findings.add(.emptyDatabase(name)) }
    } else if FileStart(start).isText {
      findings.add(.textInPlaceOfDatabase(name))
    } else if FileStart(start).isShorterThanPage {
      findings.add(.noDatabase(name, bytes: start.count))
    } else {
      findings.add(.encryptedDatabase(name))
    }
  }

  // MARK: - Backups

  private static func keepsAttributes(_ folder: FilePath) -> Bool {
    do throws(Errno) {
      _ = try SystemCalls.attribute("user.holdfast", of: folder.text)
      return true
    } catch {
      return error != .notSupported
    }
  }

  /// Whether a file or a folder is itself excluded from backups; `nil` when it cannot be read.
  private func isExcluded(_ path: FilePath) -> Bool? {
    do throws(FileError) {
      return try FileAttributes(of: path.url).isExcludedFromBackup
    } catch {
      // A folder that cannot be read is noted when it is listed.
      return nil
    }
  }

  private mutating func examineExclusion(_ path: FilePath, _ name: String, _ status: FileStatus) {
    switch isExcluded(path) {
    case true: break
    case false where keepsAttributes:
      findings.add(.notExcludedFromBackup(name, bytes: status.byteCount))
    default: findings.add(.exclusionUnknown(name, bytes: status.byteCount))
    }
  }

  // MARK: - Texts

  /// Examines a file of texts.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: Its path in the container.
  ///   - reader: The reader of its texts.
  ///   - isProof: Whether a path in a text that is not there proves that a file is gone.
  /// - Throws: `Errno` when the file cannot be read.
  private mutating func examineTexts(
    _ path: FilePath, _ name: String, _ reader: some TextReader, isProof: Bool = true
  ) throws {
    var reader = reader
    let file = try SystemCalls.openFile(path.text, for: .readPlain)
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var wide: UTF16Text?
    // A hole has no text, and may have terabytes.
    var place: Int64 = 0
    while let start = try SystemCalls.seekData(file, from: place) {
      let count = try SystemCalls.readBytes(file, into: &buffer)
      if count == 0 { break }
      if place == 0 { wide = UTF16Text(markOf: buffer[..<count]) }
      place = start + Int64(count)
      let bytes = wide?.utf8(buffer[..<count])[...] ?? buffer[..<count]
      reader.read(bytes) { text in
        let place = Finding.Place(key: text.key)
        if text.isLeftOut {
          findings.add(
            .notExamined(
              name, at: place,
              because: "Only data of up to \(ReadingLimit.storedValue.most) bytes is searched for "
                + "paths in a property list in XML.",
              advice: "Convert it with 'plutil -convert binary1' and examine it again."))
        } else if let data = text.data {
          examineBytes(data, in: name, at: place)
        } else {
          examineText(text.text, in: name, at: place, isProof: isProof)
        }
      }
      work.done += Double(count)
      try show(name)
    }
    reader.end { text in
      examineText(text.text, in: name, at: Finding.Place(key: text.key), isProof: isProof)
    }
  }

  private mutating func examineBinaryPropertyList(
    _ path: FilePath, _ name: String, _ status: FileStatus
  ) throws {
    guard status.byteCount <= Self.largestPropertyList else {
      findings.add(
        .notExamined(
          name,
          because: "It is a binary property list of \(status.byteCount) bytes, and at most "
            + "\(Self.largestPropertyList) are read.",
          advice: "Convert it with 'plutil -convert xml1' and examine it again."))
      return
    }
    let bytes = try read(path) { file throws(Errno) in
      var bytes = [UInt8](repeating: 0, count: Int(status.byteCount))
      let count = try SystemCalls.readBytes(file, into: &bytes)
      bytes.removeLast(bytes.count - count)
      return bytes
    }
    examineBytes(bytes, in: name, at: .wholeFile)
  }
}
