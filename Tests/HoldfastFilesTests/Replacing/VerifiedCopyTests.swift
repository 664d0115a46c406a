import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct VerifiedCopyTests {
  let directory: TemporaryDirectory
  let source: FilePath
  let target: FilePath
  let content: FileDigest

  init() throws {
    directory = try TemporaryDirectory()
    var bytes = Data("SQLite format 3\0".utf8)
    bytes.append(Data((0..<1_300_000).map { UInt8(truncatingIfNeeded: $0) }))
    try bytes.write(to: directory.file("source"))
    source = try FilePath(of: directory.file("source"))
    target = try FilePath(of: directory.file("target"))
    content = try FileDigest(of: source.url)
  }

  private func copy(
    expecting digest: FileDigest? = nil, until isStopped: () -> Bool = { false }
  ) throws(FileError) -> VerifiedCopy.Outcome {
    try VerifiedCopy(of: source, to: target, expecting: digest ?? content).perform(
      startCount: 16, attributes: FileAttributes(isExcludedFromBackup: true), until: isStopped)
  }

  @Test func `The bytes that are written are those that are digested`() throws {
    let outcome = try copy()
    #expect(outcome.attributesError == nil)
    #expect(outcome.start == Array("SQLite format 3\0".utf8))
    #expect(try FileDigest(of: target.url) == content)
    #expect(try FileAttributes(of: target.url).isExcludedFromBackup)
  }

  @Test func `Other content than the expected one is refused`() throws {
    let other = try #require(SHA256Digest(bytes: [UInt8](repeating: 1, count: 32)))
    for digest in [
      FileDigest(byteCount: content.byteCount, sha256: other),
      FileDigest(byteCount: content.byteCount + 1, sha256: content.sha256),
    ] {
      let error = #expect(throws: FileError.self) { _ = try copy(expecting: digest) }
      #expect(error?.code == .digestMismatch)
      try? FileManager.default.removeItem(at: target.url)
    }
  }

  @Test func `What exists at the target is not overwritten`() throws {
    try Data("mine".utf8).write(to: target.url)
    let error = #expect(throws: FileError.self) { _ = try copy() }
    #expect(error?.errno == EEXIST)
    #expect(try Data(contentsOf: target.url) == Data("mine".utf8))
  }

  @Test func `A link or a folder is refused as the source`() throws {
    let link = try FilePath(of: directory.file("link"))
    try FileManager.default.createSymbolicLink(at: link.url, withDestinationURL: source.url)
    for path in [link, try FilePath(of: directory.url)] {
      let error = #expect(throws: FileError.self) {
        _ = try VerifiedCopy(of: path, to: target, expecting: content).perform(
          attributes: FileAttributes())
      }
      #expect(error?.code == .notRegularFile)
    }
  }

  @Test func `A copy can be stopped between two chunks`() throws {
    var count = 0
    let error = #expect(throws: FileError.self) {
      _ = try copy(until: {
        count += 1
        return count > 1
      })
    }
    #expect(error?.errno == EINTR)
    #expect(count == 2)
  }

  @Test func `Any failing call is an error or leaves the whole file`() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    _ = try SystemCalls.$fault.withValue(trace) { try copy() }
    for ordinal in 1...trace.callsSeen.count {
      try? FileManager.default.removeItem(at: target.url)
      let fault = SystemFault(atCall: ordinal, .fail(.inputOutput))
      let isDone = SystemCalls.$fault.withValue(fault) { (try? copy()) != nil }
      if isDone { #expect(try FileDigest(of: target.url) == content) }
    }
  }
}
