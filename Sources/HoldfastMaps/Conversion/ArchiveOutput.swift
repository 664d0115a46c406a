import HoldfastFiles

/// The file of an archive that is written: contents from a place on, and what lies before them at the end.
///
/// What is written lies in memory until it is more than a part; then another thread writes it.
final class ArchiveOutput {
  /// The bytes of a part.
  private static let partByteCount = 1 << 20

  /// The bytes that wait to be written.
  private static let mostByteCount = 8 << 20

  private let path: FilePath
  private let start: UInt64
  private var end: UInt64
  private var buffer: [UInt8] = []
  private var parts: OrderedPipeline<Part, Errno?>?

  private struct Part: Sendable {
    var bytes: [UInt8]
    var offset: UInt64
  }

  /// A file that several threads use.
  private final class File: Sendable {
    let file: OpenFile

    init(creating path: FilePath) throws(Errno) {
      file = try SystemCalls.openFile(path.text, for: .createNew)
    }

    func write(_ part: Part) -> Errno? {
      do throws(Errno) {
        let offset = Int64(clamping: part.offset)
        try SystemCalls.writeBytes(file, part.bytes.span, at: offset)
        SystemCalls.beginSync(file, from: offset, byteCount: part.bytes.count)
        return nil
      } catch {
        return error
      }
    }
  }

  /// - Parameters:
  ///   - path: The file, which does not exist.
  ///   - start: Where contents begin if they do not fit into memory.
  init(at path: FilePath, from start: UInt64) {
    (self.path, self.start, end) = (path, start, start)
  }

  /// Whether a part was written from the start on, so that it must stay there.
  var hasWritten: Bool { parts != nil }

  /// Adds bytes to the end.
  func append(_ bytes: ArraySlice<UInt8>) throws {
    buffer += bytes
    if buffer.count >= Self.partByteCount { try flush() }
  }

  // MARK: - The end

  /// Writes a file of which nothing was written: a beginning and the contents.
  func finish(after beginning: [UInt8]) throws {
    let file = try create()
    try check(file.write(Part(bytes: beginning, offset: 0)))
    try check(file.write(Part(bytes: buffer, offset: UInt64(beginning.count))))
  }

  /// Writes the rest, and what lies before the contents.
  ///
  /// - Parameters:
  ///   - beginning: The bytes at the beginning of the file.
  ///   - other: Further bytes.
  ///   - offset: The place of these.
  /// - Throws: `FileError` when they cannot be written.
  func finish(beginning: [UInt8], _ other: [UInt8], at offset: UInt64) throws {
    try flush()
    let file = try pipeline()
    for part in [Part(bytes: beginning, offset: 0), Part(bytes: other, offset: offset)] {
      try file.add(part, cost: part.bytes.count, check)
    }
    try file.finish(check)
  }

  // MARK: - Writing

  private func flush() throws {
    let file = try pipeline()
    let part = Part(bytes: buffer, offset: end)
    end += UInt64(buffer.count)
    buffer = []
    buffer.reserveCapacity(Self.partByteCount + Self.partByteCount / 4)
    try file.add(part, cost: part.bytes.count, check)
  }

  private func pipeline() throws -> OrderedPipeline<Part, Errno?> {
    if let parts { return parts }
    let file = try create()
    // A task-local value does not reach another thread.
    let fault = SystemCalls.fault
    // One thread, because parts that are written one after the other lie one after the other on the disk, too.
    let made = OrderedPipeline<Part, Errno?>(threads: 1, mostCost: Self.mostByteCount) {
      { part in SystemCalls.$fault.withValue(fault) { file.write(part) } }
    }
    parts = made
    return made
  }

  private func create() throws -> File {
    do throws(Errno) {
      return try File(creating: path)
    } catch {
      throw FileError.couldNotReplace(path, error)
    }
  }

  private func check(_ error: Errno?) throws {
    if let error { throw FileError.couldNotReplace(path, error) }
  }
}
