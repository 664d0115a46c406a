import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Replacements on a full volume and on a read-only one.
@Suite(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
struct FullDiskTests {
  private static let old = Data("old".utf8)

  @Test func aFullDiskKeepsTheOldFileAndLeavesNoOther() throws {
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

  @Test func aReadOnlyVolumeIsReported() throws {
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
