import Holdfast
import HoldfastFiles

/// The signs that a write-ahead log does not belong to the database next to it.
///
/// SQLite compares neither, and replays any log with a valid header: one that stayed where a database
/// was restored or replaced overlays the new one.
///
/// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html>, section 1.2
enum ForeignLog {
  /// The reason where nothing but the content shows it.
  static let damages = "the database is sound without it, and damaged with it"

  /// Returns why a log with commits does not belong to a database; `nil` when nothing shows it.
  ///
  /// - Parameters:
  ///   - log: The log, of which all frames were read.
  ///   - start: The first bytes of the database.
  ///   - index: The first bytes of the `-shm` file; empty when there is none.
  /// - Returns: The reason, without a period.
  static func reason(_ log: WriteAheadLog, start: [UInt8], index: [UInt8]) -> String? {
    let header = DatabaseHeader(start, fileByteCount: Int64(start.count))
    guard log.committedFrameCount > 0, header.isDatabase else { return nil }
    // A database enters the mode in its file before it has a log, and leaves it after.
    if !header.hasWriteAheadLog { return "the database is not in write-ahead-log mode" }
    if let size = log.pageByteCount, size != header.pageSize {
      return "its pages have \(size) bytes, and the database has pages of \(header.pageSize)"
    }
    if let page = log.firstPage {
      // A checkpoint copies the numbers, which only grow.
      func isNewer(_ number: (ArraySlice<UInt8>) -> UInt32) -> Bool {
        Int32(bitPattern: number(start[...]) &- number(page)) > 0
      }
      if isNewer(WriteAheadLog.changeCounter) || isNewer(WriteAheadLog.schemaCookie) {
        return "the database has changed since, without it"
      }
      if hasOtherSchema(page, start) { return "it was made for a database with another schema" }
    }
    return isOfOtherLife(log, index) ? "the database was last used with another log" : nil
  }

  /// Whether two first pages, whose schemas have the same number, name other tables.
  ///
  /// All else on them may change without the number: where commits move pages, and by SQL that edits the schema.
  private static func hasOtherSchema(_ page: ArraySlice<UInt8>, _ start: [UInt8]) -> Bool {
    guard
      WriteAheadLog.schemaCookie(ofFirstPage: page)
        == WriteAheadLog.schemaCookie(ofFirstPage: start[...]),
      let names = SchemaPage.names(Array(page)), let ownNames = SchemaPage.names(start)
    else { return false }
    return names != ownNames
  }

  /// Whether the index of the log, as the last process left it, belongs to other frames.
  ///
  /// - SeeAlso: <https://www.sqlite.org/walformat.html#the_wal_index_file_format>
  private static func isOfOtherLife(_ log: WriteAheadLog, _ index: [UInt8]) -> Bool {
    // Both copies of its header are equal unless a process is writing it.
    guard index.count >= 96, index[0..<48].elementsEqual(index[48..<96]), index[12] == 1,
      index[16..<20].contains(where: { $0 != 0 })
    else { return false }
    let salts = [Array(index[32..<40]), Array(log.salts)].map { bytes in
      bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    // A log that restarts has the next number. The index is never synced, so that a loss of power may bring
    // the index of an earlier start back.
    let startCount = salts[1] &- salts[0]
    return !index[32..<40].elementsEqual(log.salts) && !(1...1 << 20).contains(startCount)
  }

  /// Returns why the log of a database that is not open here is not its own.
  static func reason(of files: DatabaseFiles) -> String? {
    guard files.unreadableCompanion == nil else { return nil }
    do throws(Errno) {
      let database = try SystemCalls.openFile(files.main.text, for: .read)
      let start = try SystemCalls.readBytes(database, at: 0, count: FileStart.byteCount)
      let log = try WriteAheadLog(file: files.writeAheadLog, for: .read)
      return reason(log, start: start, index: index(of: files, for: .read))
    } catch {
      // Without a log there is nothing to compare; what cannot be read is reported by SQLite.
      return nil
    }
  }

  static func index(
    of files: DatabaseFiles, for access: SystemCalls.Access = .readPlain
  ) -> [UInt8] {
    do throws(Errno) {
      let file = try SystemCalls.openFile(files.sharedMemory.text, for: access)
      return try SystemCalls.readBytes(file, at: 0, count: 96)
    } catch {
      // Most copies are without it.
      return []
    }
  }
}

extension DatabaseFiles {
  /// Whether the log has the first page, or the journal may have it; one that cannot be read may.
  var mayHaveFirstPage: Bool {
    func has(_ page: () throws(Errno) -> Bool) -> Bool {
      do throws(Errno) { return try page() } catch { return error != .notFound }
    }
    return has { () throws(Errno) in try RollbackJournal(at: journal).isHot }
      || has { () throws(Errno) in try WriteAheadLog(file: writeAheadLog).firstPage != nil }
  }

  /// Whether the log has the first page of a database that is not encrypted.
  var logHasDatabase: Bool {
    do throws(Errno) {
      let page = try WriteAheadLog(file: writeAheadLog).firstPage
      return page.map { FileStart(Array($0)).content == .database } ?? false
    } catch {
      // Without a log there is no page, and one that cannot be read is noted where it lies.
      return false
    }
  }

  /// Why the log or the journal cannot be read, without which the database has another content.
  ///
  /// The reason has no period; `nil` where both are readable, empty or missing.
  var unreadableCompanion: String? {
    for (kind, path) in [("log", writeAheadLog), ("journal", journal)] {
      let subject = "its \(kind) '\(path.name)'"
      do throws(Errno) {
        let status = try SystemCalls.status(of: path.text)
        // To open a pipe waits for who writes into it.
        guard status.kind == .regular else { return subject + " is no plain file" }
        // SQLite takes an empty one for none.
        if status.byteCount > 0 { _ = try SystemCalls.openFile(path.text, for: .read) }
      } catch .notFound, .nameTooLong {
        // No file can be there; that the own name is too long for SQLite is said elsewhere.
        continue
      } catch {
        return subject + " cannot be read: \(SystemCalls.description(of: error))"
      }
    }
    return nil
  }
}

extension WriteAheadLog {
  /// Reads a log with all of its frames.
  ///
  /// - Parameters:
  ///   - path: The log.
  ///   - pageCount: The number of pages in the database file; the log's later ones are noted.
  ///   - access: Whether a symbolic link is followed.
  /// - Throws: The number of the system's error.
  init(
    file path: FilePath, pageCount: UInt32 = .max, for access: SystemCalls.Access = .readPlain
  ) throws(Errno) {
    let file = try SystemCalls.openFile(path.text, for: access)
    var place = Self.headerByteCount
    self.init(
      header: try SystemCalls.readBytes(file, at: 0, count: place), pageCount: pageCount)
    let frameByteCount = Self.frameHeaderByteCount + (pageByteCount ?? 4096)
    while !hasEnded, firstBreak != .header {
      let frame = try SystemCalls.readBytes(file, at: place, count: frameByteCount)
      if frame.isEmpty { break }
      read(frame: frame)
      place += frameByteCount
    }
  }
}

/// The first page of a database, where a short schema is listed.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html#b_tree_pages>
private enum SchemaPage {
  /// Returns the names of the tables, indexes, views and triggers that the page lists.
  ///
  /// - Parameter page: The page, or its beginning.
  /// - Returns: The bytes of the names; `nil` where the schema has more pages, where a name is not among
  ///   the bytes, and if the page is damaged.
  static func names(_ page: [UInt8]) -> Set<ArraySlice<UInt8>>? {
    let header = DatabaseHeader.byteCount
    // A page without pages below it.
    guard page.count >= header + 8, page[header] == 13 else { return nil }
    var names: Set<ArraySlice<UInt8>> = []
    for index in 0..<number(page, at: header + 3) {
      let pointer = header + 8 + 2 * index
      guard pointer + 2 <= page.count,
        let name = name(page, ofCellAt: number(page, at: pointer))
      else { return nil }
      names.insert(name)
    }
    return names
  }

  private static func name(_ page: [UInt8], ofCellAt start: Int) -> ArraySlice<UInt8>? {
    var place = start
    // The size of the record and its rowid; then the record, which begins with the sizes of `type` and `name`.
    guard integer(page, at: &place) != nil, integer(page, at: &place) != nil else { return nil }
    let record = place
    guard let header = integer(page, at: &place), let type = integer(page, at: &place),
      let name = integer(page, at: &place), type >= 13, name >= 13
    else { return nil }
    let begin = record + header + (type - 13) / 2
    let end = begin + (name - 13) / 2
    return end <= page.count ? page[begin..<end] : nil
  }

  private static func number(_ page: [UInt8], at place: Int) -> Int {
    Int(page[place]) << 8 | Int(page[place + 1])
  }

  /// Returns an integer of at most three bytes, behind which it moves the place.
  private static func integer(_ page: [UInt8], at place: inout Int) -> Int? {
    var integer = 0
    for _ in 0..<3 {
      guard place < page.count else { return nil }
      let byte = Int(page[place])
      place += 1
      integer = integer << 7 | byte & 0x7F
      if byte < 0x80 { return integer }
    }
    return nil
  }
}
