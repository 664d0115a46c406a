import Foundation
import HoldfastFiles

/// A fingerprint of a database's last commit, taken without opening the database or its `-shm`.
///
/// In write-ahead-log mode it is the last frame that ends a transaction; the log, unlike the other
/// files, may safely be opened and closed. Otherwise it is the file system's status of the
/// database, and of a log that cannot be opened.
///
/// - SeeAlso: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>
struct CommitFingerprint: Sendable {
  /// The page size and salts, which identify the log since its last restart, and the last commit.
  private struct Frames: Equatable, Sendable {
    var pageSize: Int
    var salts: [UInt8]
    /// The offset, in bytes, of the frame after the last commit.
    var end: Int
    /// The checksum of the last frame of that commit.
    var checksum: [UInt8] = []
  }

  private enum Log: Equatable, Sendable {
    /// There is no log, or it is empty.
    case none
    /// The log was read.
    case read(Frames)
    /// The log exists and cannot be read, for example because no descriptor is left.
    case closed(FileStatus)
    /// The log is in an unknown state.
    case unknown
  }

  private let files: DatabaseFiles
  private var status: FileStatus?
  private var log = Log.none

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// The granularity of file times, in nanoseconds: within it two commits can look like one.
  private static let timeStep: Int64 = 20_000_000

  /// Takes the current fingerprint.
  init(_ files: DatabaseFiles) {
    self.files = files
    _ = update()
  }

  /// Takes the fingerprint again.
  ///
  /// - Returns: Whether something may have been committed since the last time.
  mutating func update() -> Bool {
    let (oldStatus, oldLog) = (status, log)
    // The absence of the file is part of the fingerprint.
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
    status.map { (Self.now - $0.modified).magnitude < Self.timeStep } ?? false
  }

  private func readLog() -> Log {
    do throws(Errno) {
      return try readFrames().map(Log.read) ?? .none
    } catch .notFound {
      return .none
    } catch {
      // In doubt, any write is assumed to be a commit.
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
    // Committed frames stay in place until the log restarts, with other salts.
    if case .read(let last) = log, last.salts == salts, last.pageSize == pageSize { found = last }
    var offset = found.end
    while true {
      let frame = try SystemCalls.readBytes(file, at: offset, count: Self.frameHeaderSize)
      // Frames with other salts remain from before the log restarted.
      guard frame.count == Self.frameHeaderSize, frame[8..<16].elementsEqual(salts) else {
        return found
      }
      offset += Self.frameHeaderSize + pageSize
      guard Self.number(frame[4..<8]) != 0 else { continue }
      found.end = offset
      found.checksum = Array(frame[16..<24])
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The current time in the unit of file times: nanoseconds since 1970.
  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000_000) }
}
