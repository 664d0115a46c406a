import CFloor
import Foundation

/// A zip archive of a feed, whose files are deflated as they are written.
@safe
final class FeedArchive {
  private let archive: OpaquePointer
  private let path: String
  private var isClosed = false

  init(at url: URL) throws {
    guard let archive = unsafe floor_archive_make(url.path) else {
      throw BenchmarkError.floor("create", message: url.path)
    }
    unsafe self.archive = archive
    path = url.path
  }

  deinit {
    if !isClosed { _ = unsafe floor_archive_close(archive) }
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - header: The names of its columns.
  ///   - body: A closure that writes the rows.
  func write(_ name: String, header: String, _ body: (inout FeedText) -> Void) {
    unsafe floor_archive_begin(archive, name)
    var text = FeedText(self)
    text.add(header)
    text.endRow()
    body(&text)
    text.flush()
    unsafe floor_archive_end(archive)
  }

  fileprivate func write(_ bytes: [UInt8]) {
    unsafe floor_archive_write(archive, bytes, Int64(bytes.count))
  }

  /// Writes the directory.
  ///
  /// - Throws: ``BenchmarkError`` when this or any earlier step failed.
  func close() throws {
    isClosed = true
    guard unsafe floor_archive_close(archive) else {
      throw BenchmarkError.floor("write", message: path)
    }
  }
}

/// The rows of a file that are not yet in its archive.
struct FeedText {
  private static let most = 1 << 20

  private let archive: FeedArchive
  private var bytes: [UInt8] = []

  fileprivate init(_ archive: FeedArchive) {
    self.archive = archive
    bytes.reserveCapacity(Self.most + 4096)
  }

  mutating func add(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func add(_ part: [UInt8]) {
    bytes.append(contentsOf: part)
  }

  /// Adds a time of GTFS, of two digits each.
  ///
  /// - Parameter seconds: The seconds since the beginning of the service day.
  mutating func add(time seconds: Int) {
    add(twoDigits: seconds / 3600)
    bytes.append(UInt8(ascii: ":"))
    add(twoDigits: seconds / 60 % 60)
    bytes.append(UInt8(ascii: ":"))
    add(twoDigits: seconds % 60)
  }

  private mutating func add(twoDigits number: Int) {
    bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Adds the text that ends a row.
  mutating func addRow(_ text: String) {
    add(text)
    endRow()
  }

  mutating func endRow() {
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.most { flush() }
  }

  fileprivate mutating func flush() {
    archive.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
