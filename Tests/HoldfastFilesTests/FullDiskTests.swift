import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// A real volume that is full, and one that cannot be written.
@Suite(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
struct FullDiskTests {
  private static let old = Data("old".utf8)

  @Test func aFullDiskKeepsTheOldFileAndLeavesNothing() throws {
    let directory = try TemporaryDirectory()
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 256)
    let book = volume.url.appending(path: "book.db")
    try Self.old.write(to: book)
    try Data(repeating: 7, count: 1_000_000).write(to: directory.file("source"))

    let copying = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).copy(from: directory.file("source"))
    }
    #expect(copying?.code == .noSpace)
    #expect(copying?.message == "'book.db' was not replaced: no space is left on the volume.")
    #expect(throws: (any Error).self) {
      try AtomicReplace(at: book).write { staging in
        try Data(repeating: 7, count: 1_000_000).write(to: staging)
      }
    }
    #expect(try Data(contentsOf: book) == Self.old)
    #expect(try FileManager.default.contentsOfDirectory(atPath: volume.url.path) == ["book.db"])

    try Data("small".utf8).write(to: directory.file("source"))
    try AtomicReplace(at: book).copy(from: directory.file("source"))
    #expect(try Data(contentsOf: book) == Data("small".utf8))
  }

  @Test func aReadOnlyVolumeIsNamedAsSuch() throws {
    let directory = try TemporaryDirectory()
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 256)
    let book = volume.url.appending(path: "book.db")
    try Self.old.write(to: book)
    try volume.becomeReadOnly()
    let error = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    }
    #expect(error?.code == .readOnly)
    #expect(try Data(contentsOf: book) == Self.old)
  }
}

/// A file system in memory, of a few kilobytes, until the test ends.
private final class SmallVolume: Sendable {
  let url: URL

  static let isPossible: Bool = {
    #if os(Linux)
      guard let directory = try? TemporaryDirectory() else { return false }
      return (try? SmallVolume(at: directory.file("volume"), kilobytes: 64)) != nil
    #else
      return false
    #endif
  }()

  struct NotMounted: Error {}

  init(at url: URL, kilobytes: Int) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    self.url = url
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path)
  }

  deinit {
    try? Self.run("umount", url.path)
  }

  func becomeReadOnly() throws {
    try Self.run("mount", "-o", "remount,ro", url.path)
  }

  private static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NotMounted() }
  }
}
