import Foundation
import HoldfastFiles

/// What the files of a database show of its last commit, without opening the database or its
/// `-shm`.
///
/// In write-ahead-log mode it is the last frame that ends a transaction; the log may be opened and
/// closed by anybody. Otherwise it is what the file system knows of the database, and of a log that
/// cannot be opened.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>
struct CommitFingerprint: Sendable {
  /// What identifies the log since it was last begun anew: page size and salts.
  private struct Frames: Equatable, Sendable {
    var pageSize: Int
    var salts: [UInt8]
    /// Where the frame after the last commit begins.
    var end: Int
    /// The checksum of that commit's last frame.
    var checksum: [UInt8] = []
  }

  private enum Log: Equatable, Sendable {
    /// There is none, or it is empty.
    case none
    /// It was read.
    case read(Frames)
    /// It is there and cannot be read, as where no descriptor is left.
    case closed(FileStatus)
    /// Nothing is known of it.
    case unknown
  }

  private let files: DatabaseFiles
  private var status: FileStatus?
  private var log = Log.none

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// How coarse the times of a file may be: within it two commits can look like one.
  private static let timeStep: Int64 = 20_000_000

  /// Takes the fingerprint of this moment.
  init(_ files: DatabaseFiles) {
    self.files = files
    _ = update()
  }

  /// Takes it again.
  ///
  /// - Returns: Whether something may have been committed since the last time.
  mutating func update() -> Bool {
    let (oldStatus, oldLog) = (status, log)
    // That the file is absent is part of the fingerprint.
    do throws(Errno) { status = try SystemCalls.status(of: files.main.text) } catch _ {
      status = nil
    }
    log = readLog()
    if status != oldStatus || log != oldLog { return true }
    switch log {
    case .none: return isRecent(status)
    case .read: return false
    case .closed(let log): return isRecent(status) || isRecent(log)
    case .unknown: return true
    }
  }

  private func isRecent(_ status: FileStatus?) -> Bool {
    status.map { abs(Self.now - $0.modified) < Self.timeStep } ?? false
  }

  private func readLog() -> Log {
    do throws(Errno) {
      return try readFrames().map(Log.read) ?? .none
    } catch .notFound {
      return .none
    } catch {
      // In doubt something was committed whenever anything was written.
      do throws(Errno) {
        return .closed(try SystemCalls.status(of: files.writeAheadLog.text))
      } catch {
        return error == .notFound ? .none : .unknown
      }
    }
  }

  private func readFrames() throws(Errno) -> Frames? {
    let file = try SystemCalls.openFile(files.writeAheadLog.text, for: .read)
    let header = try SystemCalls.readBytes(file, at: 0, count: Self.headerSize)
    guard header.count == Self.headerSize else { return nil }
    let salts = Array(header[16..<24])
    let size = Self.number(header[8..<12])
    let pageSize = size == 1 ? 65536 : size
    var found = Frames(pageSize: pageSize, salts: salts, end: Self.headerSize)
    // What was committed stays where it is until the log begins anew, with other salts.
    if case .read(let last) = log, last.salts == salts, last.pageSize == pageSize { found = last }
    var place = found.end
    while true {
      let frame = try SystemCalls.readBytes(file, at: place, count: Self.frameHeaderSize)
      // Frames with other salts are left from before the log began anew.
      guard frame.count == Self.frameHeaderSize, frame[8..<16].elementsEqual(salts) else {
        return found
      }
      place += Self.frameHeaderSize + pageSize
      guard Self.number(frame[4..<8]) != 0 else { continue }
      found.end = place
      found.checksum = Array(frame[16..<24])
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The time as files have it, in nanoseconds since 1970.
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000_000) }
}
