import CZip
import HoldfastFiles
package import Foundation

/// A zip archive whose files are read without unpacking them to disk.
///
/// This is the only file of the module that calls libzip. An archive and its streams belong to one
/// thread at a time.
///
/// - SeeAlso: <https://libzip.org/documentation/>
@safe package final class ZipArchive {
  package struct Entry: Sendable {
    package var index: UInt64
    /// The path as written in the archive; only to be compared, never used as a path.
    package var path: String
    /// The declared length in bytes; reading more ends with an error.
    package var size: Int
    package var packedSize: Int
  }

  /// The uncompressed size in bytes up to which any compression ratio is accepted: the rows, which
  /// are kept in memory, are few.
  private static let harmlessSize = 1 << 20
  /// The largest accepted compression ratio: a real `stop_times.txt` reaches 30, a file of one
  /// repeated byte 1000.
  private static let plausibleRatio = 200

  package let name: String
  package let entries: [Entry]
  private let handle: OpaquePointer

  package init(at url: URL) throws(FeedError) {
    name = url.lastPathComponent
    let handle = unsafe try Self.opened(url)
    unsafe self.handle = handle

    // The compressed size may be wrong too; no file takes more space than the archive has.
    let file = url.resolvingSymlinksInPath()
    // Without a size, the limits on unpacking still hold.
    let length = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? .max
    var entries: [Entry] = []
    let count = unsafe Int(zip_get_num_entries(handle, 0))
    if count > ReadingLimit.archiveEntries.most {
      unsafe zip_discard(handle)
      throw .archiveTooLarge(name, count: count, limit: ReadingLimit.archiveEntries.most)
    }
    for index in 0..<UInt64(clamping: count) {
      var stat = unsafe zip_stat_t()
      guard unsafe zip_stat_index(handle, index, 0, &stat) == 0, let path = unsafe stat.name else {
        let reason = unsafe String(cString: zip_strerror(handle))
        unsafe zip_discard(handle)
        throw .damagedArchive(name, because: reason)
      }
      entries.append(
        unsafe Entry(
          index: index, path: String(cString: path), size: Int(clamping: stat.size),
          packedSize: min(Int(clamping: stat.comp_size), length)))
    }
    self.entries = entries
  }

  deinit { unsafe zip_discard(handle) }

  /// Opens a file as a source of bytes, which ends after its length and its CRC are checked.
  ///
  /// A file that is compressed by deflate, as nearly all are, is taken out of the archive as it is
  /// and decompressed here; libzip decompresses the others.
  package func open(_ entry: Entry) throws(FeedError) -> ByteSource {
    var stat = unsafe zip_stat_t()
    guard unsafe zip_stat_index(handle, entry.index, 0, &stat) == 0 else {
      throw unsafe .damagedArchive(name, because: String(cString: zip_strerror(handle)))
    }
    if unsafe stat.encryption_method != ZIP_EM_NONE { throw .encryptedFile(entry.path, in: name) }
    let method = unsafe Int32(stat.comp_method)
    if zip_compression_method_supported(method, 0) == 0 {
      throw .unknownCompression(entry.path, in: name, method: Int(method))
    }
    let isDeflated = method == ZIP_CM_DEFLATE
    let stream = try Stream(entry, of: self, asStored: isDeflated)
    guard isDeflated else { return { buffer, range in try stream.read(&buffer, range) } }
    let inflated = unsafe InflatedStream(stream, crc: stat.crc)
    return { buffer, range in try inflated.read(&buffer, range) }
  }

  /// Refuses a file with an implausible declared size, before the size is used.
  func checkSize(of entry: Entry) throws(FeedError) {
    if entry.size > Self.harmlessSize, entry.size / Self.plausibleRatio > entry.packedSize {
      throw .implausibleSize(
        entry.path, in: name, size: entry.size, packed: entry.packedSize)
    }
  }

  /// Opens an archive, also behind other bytes: a publisher's script may send a blank line or a warning first.
  private static func opened(_ url: URL) throws(FeedError) -> OpaquePointer {
    let path = url.path(percentEncoded: false)
    var code: Int32 = 0
    if let handle = unsafe zip_open(path, ZIP_RDONLY, &code) { return unsafe handle }
    // A file that cannot be read is reported as libzip has found it.
    let head = code == ZIP_ER_NOZIP ? (try? firstBytes(of: url, upTo: 1 << 16)) ?? [] : []
    if let start = head.firstRange(of: Self.firstEntry)?.lowerBound, start > 0 {
      var error = unsafe zip_error_t()
      unsafe zip_error_init(&error)
      defer { unsafe zip_error_fini(&error) }
      if let rest = unsafe zip_source_file_create(path, UInt64(start), -1, &error) {
        if let handle = unsafe zip_open_from_source(rest, ZIP_RDONLY, &error) {
          return unsafe handle
        }
        unsafe zip_source_free(rest)
      }
    }
    throw refusal(of: url, code: code)
  }

  /// The bytes with which the first file of an archive begins.
  private static let firstEntry = Array("PK\u{3}\u{4}".utf8)

  private static func refusal(of url: URL, code: Int32) -> FeedError {
    let name = url.lastPathComponent
    let reason = reason(code)
    switch code {
    case ZIP_ER_NOZIP, ZIP_ER_INCONS:
      // A file that cannot be read is reported as not being an archive.
      let head = (try? firstBytes(of: url, upTo: SubstituteContent.byteCount)) ?? []
      if head.isEmpty { return .emptyArchive(name) }
      if head.starts(with: "SQLi".utf8) { return .databaseAsFeed(name) }
      if head.starts(with: firstEntry) { return .cutOffArchive(name) }
      guard let content = SubstituteContent(head) else { return .notAnArchive(name) }
      return .notAnArchive(name, content)
    case ZIP_ER_NOENT: return .nothing(at: name)
    case ZIP_ER_OPEN, ZIP_ER_READ, ZIP_ER_SEEK: return .cannotRead(name, because: reason)
    default: return .damagedArchive(name, because: reason)
    }
  }

  private static func firstBytes(of url: URL, upTo count: Int) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: url)
    // Nothing is lost when closing a file fails that was only read.
    defer { try? file.close() }
    return [UInt8](try file.read(upToCount: count) ?? Data())
  }

  /// The sentence of libzip for one of its codes.
  private static func reason(_ code: Int32) -> String {
    var error = unsafe zip_error_t()
    unsafe zip_error_init_with_code(&error, code)
    defer { unsafe zip_error_fini(&error) }
    return unsafe String(cString: zip_error_strerror(&error))
  }

  /// A file as libzip returns it: decompressed, or as it is stored in the archive.
  @safe private final class Stream {
    let archive: ZipArchive
    let entry: Entry
    private let handle: OpaquePointer
    /// The number of bytes up to the declared length.
    private var left: Int

    init(_ entry: Entry, of archive: ZipArchive, asStored: Bool) throws(FeedError) {
      self.archive = archive
      self.entry = entry
      left = asStored ? .max : entry.size
      let flags = asStored ? UInt32(ZIP_FL_COMPRESSED) : 0
      guard let handle = unsafe zip_fopen_index(archive.handle, entry.index, flags) else {
        throw unsafe .damagedFile(
          entry.path, in: archive.name, because: String(cString: zip_strerror(archive.handle)))
      }
      unsafe self.handle = handle
    }

    deinit { unsafe _ = zip_fclose(handle) }

    func read(_ buffer: inout [UInt8], _ range: Range<Int>) throws -> Int {
      let count = unsafe try buffer.withUnsafeMutableBufferPointer { buffer in
        unsafe try read(into: UnsafeMutableBufferPointer(rebasing: buffer[range]))
      }
      left -= count
      if left < 0 { throw archive.wrongSize(of: entry) }
      return count
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(FeedError) -> Int {
      guard buffer.count > 0 else { return 0 }
      let count = unsafe zip_fread(handle, buffer.baseAddress!, UInt64(buffer.count))
      if count < 0 {
        throw unsafe .damagedFile(
          entry.path, in: archive.name, because: String(cString: zip_file_strerror(handle)))
      }
      return Int(count)
    }
  }

  /// A file that is compressed by deflate.
  private final class InflatedStream {
    private let stream: Stream
    private let inflater = Inflater()
    private let crc: UInt32
    /// The number of bytes up to the declared length.
    private var left: Int

    init(_ stream: Stream, crc: UInt32) {
      self.stream = stream
      self.crc = crc
      left = stream.entry.size
    }

    func read(_ buffer: inout [UInt8], _ range: Range<Int>) throws -> Int {
      let count: Int
      do {
        count = unsafe try buffer.withUnsafeMutableBufferPointer { buffer in
          unsafe try inflater.inflate(into: UnsafeMutableBufferPointer(rebasing: buffer[range])) {
            unsafe try stream.read(into: $0)
          }
        }
      } catch is Inflater.Invalid {
        throw damage(ZIP_ER_COMPRESSED_DATA)
      }
      left -= count
      if left < 0 { throw stream.archive.wrongSize(of: stream.entry) }
      if count == 0, !range.isEmpty {
        // In this order as libzip checks its own streams.
        if inflater.crc != crc { throw damage(ZIP_ER_CRC) }
        if left > 0 { throw damage(ZIP_ER_INCONS) }
      }
      return count
    }

    private func damage(_ code: Int32) -> FeedError {
      .damagedFile(
        stream.entry.path, in: stream.archive.name, because: ZipArchive.reason(code))
    }
  }

  private func wrongSize(of entry: Entry) -> FeedError {
    .wrongSize(entry.path, in: name, declared: entry.size)
  }
}
