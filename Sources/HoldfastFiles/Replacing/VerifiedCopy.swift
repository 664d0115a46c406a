/// A copy of a file whose digest is known, made durable and verified in one pass.
///
/// The bytes that are digested are those that are written. Where the volume can share the content
/// of two files, nothing is written, and the new file itself is read for its digest.
package struct VerifiedCopy: Sendable {
  /// The way in which a file was copied.
  package enum Method: Hashable, Sendable {
    case shared, written
  }

  /// The outcome of the copy.
  package struct Outcome: Sendable {
    package var method: Method
    /// The first bytes of the file, at most as many as were asked for.
    package var start: [UInt8]
    /// The reason the attributes were not set; `nil` when they were.
    package var attributesError: FileError?
  }

  package let source: FilePath
  package let target: FilePath
  package let expected: FileDigest

  /// Prepares a copy, without changing anything.
  ///
  /// - Parameters:
  ///   - source: A plain file, which may be a database that this process has open for reading.
  ///   - target: The path of the new file, in an existing folder; nothing may exist there.
  ///   - expected: The length and the digest of the content.
  package init(of source: FilePath, to target: FilePath, expecting expected: FileDigest) {
    self.source = source
    self.target = target
    self.expected = expected
  }

  /// Makes the copy.
  ///
  /// After an error, an incomplete file may be at the target.
  ///
  /// - Parameters:
  ///   - startCount: How many of the first bytes are returned.
  ///   - attributes: The attributes of the new file. A volume that does not keep them does not
  ///     prevent the copy.
  ///   - isStopped: Asked before each chunk of half a mebibyte.
  ///   - beforeWriting: Called if the content must be written, before its first byte.
  /// - Returns: The outcome of the copy.
  /// - Throws: ``FileError`` with `.digestMismatch` when the content is not the expected one,
  ///   `.notRegularFile`, `.notFound`, `.noSpace`, `.accessDenied`, `.readOnly`, `.inputOutput`;
  ///   whatever `beforeWriting` throws.
  package func perform(
    startCount: Int = 0, attributes: FileAttributes, until isStopped: () -> Bool = { false },
    beforeWriting: () throws(FileError) -> Void = {}
  ) throws(FileError) -> Outcome {
    let file = try ImmutableFile(source)
    guard file.status.byteCount == expected.byteCount else {
      throw .lengthDiffers(source, expected: expected.byteCount, found: file.status.byteCount)
    }
    let isShared = try call { () throws(Errno) in
      try SystemCalls.cloneFile(file.descriptor, to: target.text)
    }
    var start: [UInt8] = []
    func keepStart(_ bytes: Span<UInt8>) {
      for index in 0..<min(startCount - start.count, bytes.count) { start.append(bytes[index]) }
    }
    if isShared {
      try compare(ImmutableFile(target).digest(until: isStopped) { keepStart($0) })
      let copy = try call { () throws(Errno) in
        try SystemCalls.openFile(target.text, for: .readPlain)
      }
      return Outcome(method: .shared, start: start, attributesError: try finish(copy, attributes))
    }
    try beforeWriting()
    let copy = try call { () throws(Errno) in
      // A volume that shares no content may have left an empty file.
      try SystemCalls.openFile(target.text, for: .openOrCreate)
    }
    var offset: Int64 = 0
    let digest = try file.digest(until: isStopped) { bytes throws(FileError) in
      do throws(Errno) {
        try SystemCalls.writeBytes(copy, bytes, at: offset)
      } catch {
        throw .couldNotCopy(source, to: target, error)
      }
      offset += Int64(bytes.count)
      keepStart(bytes)
    }
    try compare(digest)
    return Outcome(method: .written, start: start, attributesError: try finish(copy, attributes))
  }

  private func compare(_ found: FileDigest) throws(FileError) {
    guard found == expected else {
      throw .sourceDiffers(source, expected: expected, found: found)
    }
  }

  /// Sets the attributes and makes the file durable with them.
  ///
  /// - Returns: The reason the attributes were not set; `nil` when they were.
  private func finish(
    _ copy: consuming OpenFile, _ attributes: FileAttributes
  ) throws(FileError) -> FileError? {
    var attributesError: FileError?
    do throws(Errno) {
      // A shared file may have the permissions of its source, which may forbid the attributes.
      try SystemCalls.changePermissions(of: copy, to: 0o644)
    } catch {
      throw .couldNotCopy(source, to: target, error)
    }
    do throws(FileError) {
      try attributes.set(on: target.url)
    } catch {
      attributesError = error
    }
    do throws(Errno) {
      try SystemCalls.sync(copy)
      try copy.close()
    } catch {
      throw .couldNotCopy(source, to: target, error)
    }
    return attributesError
  }

  private func call<Value: ~Copyable>(
    _ body: () throws(Errno) -> Value
  ) throws(FileError) -> Value {
    do throws(Errno) {
      return try body()
    } catch {
      throw .couldNotCopy(source, to: target, error)
    }
  }
}
