import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The move of a plain file, on one volume and to another one.
@Suite struct FileTransferTests {
  /// The volume of the destination.
  enum Volume: String, CaseIterable {
    case same, other
  }

  private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
  private static let modified: Int64 = 1_500_000_000_000_000_000

  /// The folders of the source and of the destination.
  private final class Folders: Sendable {
    let from: TemporaryDirectory
    let to: TemporaryDirectory

    init(_ volume: Volume) throws {
      from = try TemporaryDirectory()
      let other = volume == .same ? nil : TemporaryDirectory.otherVolume
      to = try other.map { try TemporaryDirectory(in: $0) } ?? TemporaryDirectory()
      try reset()
    }

    func reset() throws {
      for directory in [from, to] {
        for name in try directory.names {
          try FileManager.default.removeItem(at: directory.file(name))
        }
      }
      try content.write(to: source)
      try SystemCalls.setAttribute("user.rating", to: Array("five".utf8), of: source.path)
      try FileAttributes(isExcludedFromBackup: true).set(on: source)
      let file = try SystemCalls.openFile(source.path, for: .update)
      try SystemCalls.changePermissions(of: file, to: 0o640)
      try SystemCalls.changeModified(of: file, to: modified)
      try file.close()
    }

    var source: URL { from.file("book.m4b") }
    var destination: URL { to.file("book.m4b") }

    var transfer: FileTransfer {
      get throws { try FileTransfer(from: source, to: destination) }
    }

    /// Whether the complete file with all that belongs to it is at a path.
    func isWhole(_ url: URL) throws -> Bool {
      guard FileManager.default.fileExists(atPath: url.path) else { return false }
      let status = try SystemCalls.status(of: url.path)
      return try Data(contentsOf: url) == content && status.permissions == 0o640
        && status.modified == modified && FileAttributes(of: url).isExcludedFromBackup
        && SystemCalls.attribute("user.rating", of: url.path) == Array("five".utf8)
    }

    func expectMoved(_ comment: Comment) throws {
      #expect(try from.names == [], comment)
      #expect(try to.names == ["book.m4b"], comment)
      #expect(try isWhole(destination), comment)
    }
  }

  @Test(arguments: Volume.allCases)
  func aFileMovesWithAllThatBelongsToIt(_ volume: Volume) throws {
    let folders = try Folders(volume)
    let transfer = try folders.transfer
    let isOther = TemporaryDirectory.otherVolume != nil && volume == .other
    #expect(try transfer.method() == (isOther ? .copy : .rename))
    try transfer.move()
    try folders.expectMoved("\(volume)")
    try transfer.move()
    try folders.expectMoved("a second move finds it done")
  }

  @Test func theStepsOfACopyCanBeCalledOneByOne() throws {
    let folders = try Folders(.same)
    let transfer = try folders.transfer
    let digest = try transfer.stage()
    #expect(digest == (try FileDigest(of: folders.source)))
    #expect(try folders.to.names == [".book.m4b.moving"])
    try transfer.publish(.copy)
    #expect(try folders.isWhole(folders.source) && folders.isWhole(folders.destination))
    try transfer.finish(.copy)
    try folders.expectMoved("step by step")
  }

  @Test func theCopyAndBothFoldersAreSyncedInOrder() throws {
    let folders = try Folders(.same)
    let transfer = try folders.transfer
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) {
      _ = try transfer.stage()
      try transfer.publish(.copy)
      try transfer.finish(.copy)
    }
    let steps = trace.callsSeen.drop { $0 != .fsync }
      .filter { [.fsync, .renameat2, .unlink].contains($0) }
    #expect(steps == [.fsync, .renameat2, .fsync, .unlink, .fsync])
  }

  @Test func aCopyThatIsDiscardedLeavesNothing() throws {
    let folders = try Folders(.other)
    let transfer = try folders.transfer
    _ = try transfer.stage()
    try transfer.discard()
    #expect(try folders.to.names == [])
    #expect(try folders.isWhole(folders.source))
  }

  @Test(arguments: Volume.allCases)
  func anotherFileAtTheDestinationStays(_ volume: Volume) throws {
    let folders = try Folders(volume)
    try Data("mine".utf8).write(to: folders.destination)
    let error = #expect(throws: FileError.self) { try folders.transfer.move() }
    #expect(error?.errno == EEXIST)
    #expect(try Data(contentsOf: folders.destination) == Data("mine".utf8))
    #expect(try folders.isWhole(folders.source))
    #expect(try folders.to.names == ["book.m4b"])
  }

  @Test func aFileThatAppearsAtTheLastMomentIsNotReplaced() throws {
    for method in [FileTransfer.Method.rename, .copy] {
      let folders = try Folders(.same)
      let transfer = try folders.transfer
      if method == .copy { _ = try transfer.stage() }
      let destination = folders.destination
      let trace = SystemFault(
        atCall: 1, .refuse([.renameat2: .inputOutput]))
      SystemCalls.$fault.withValue(trace) {
        _ = #expect(throws: FileError.self) { try transfer.publish(method) }
      }
      let ordinal = try #require(trace.callsSeen.firstIndex(of: .renameat2)) + 1
      let fault = SystemFault(
        atCall: ordinal, .overtake { try? Data("mine".utf8).write(to: destination) })
      let error = SystemCalls.$fault.withValue(fault) {
        #expect(throws: FileError.self) { try transfer.publish(method) }
      }
      #expect(error?.errno == EEXIST)
      #expect(try Data(contentsOf: destination) == Data("mine".utf8))
      #expect(try folders.isWhole(folders.source))
    }
  }

  /// A look alone would take the second name for a copy and remove the file.
  @Test func anotherFormOfTheNameIsTheSameFile() throws {
    let folders = try Folders(.same)
    try SystemCalls.$fault.withValue(SystemFault(atCall: 1, .foldNames)) {
      let other = folders.from.file("BOOK.M4B")
      let transfer = try FileTransfer(from: folders.source, to: other)
      try transfer.finish(.copy)
      #expect(try folders.from.names == ["book.m4b"], "the only name stays")
      try transfer.move()
      #expect(try folders.from.names == ["BOOK.M4B"])
      try FileTransfer(from: other, to: other).move()
    }
    #expect(try folders.isWhole(folders.from.file("BOOK.M4B")))
  }

  @Test func twoLinksOfOneFileBecomeOne() throws {
    let folders = try Folders(.same)
    let second = folders.from.file("second")
    try FileManager.default.linkItem(at: folders.source, to: second)
    try FileTransfer(from: folders.source, to: second).move()
    #expect(try folders.from.names == ["second"])
    #expect(try folders.isWhole(second))
  }

  @Test(arguments: Volume.allCases)
  func aFileThatIsPlayedMoves(_ volume: Volume) throws {
    let folders = try Folders(volume)
    let player = try FileHandle(forReadingFrom: folders.source)
    try folders.transfer.move()
    #expect(try player.readToEnd() == Self.content)
    try player.close()
    try folders.expectMoved("while it is open")
  }

  @Test(arguments: [true, false])
  func aDatabaseIsRefusedWhetherOpenOrNot(_ isOpen: Bool) throws {
    let folders = try Folders(.other)
    try (Data("SQLite format 3\0".utf8) + Self.content).write(to: folders.source)
    let user = isOpen ? try FileHandle(forUpdating: folders.source) : nil
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let error = SystemCalls.$fault.withValue(trace) {
      #expect(throws: FileError.self) { try folders.transfer.move() }
    }
    #expect(error?.code == .database)
    if isOpen { #expect(!trace.callsSeen.contains(.open), "only SQLite opens it") }
    #expect(try folders.from.names == ["book.m4b"])
    #expect(try folders.to.names == [])
    try user?.close()
  }

  @Test func aFileThatIsOpenOnlyForWritingIsRefused() throws {
    let folders = try Folders(.same)
    let user = try FileHandle(forWritingTo: folders.source)
    let error = #expect(throws: FileError.self) { try folders.transfer.move() }
    #expect(error?.code == .busy)
    try user.close()
    try folders.transfer.move()
    try folders.expectMoved("after it was closed")
  }

  @Test func aFileNextToADatabaseIsRefusedAtBothEnds() throws {
    let folders = try Folders(.same)
    try Data("x".utf8).write(to: folders.to.file("app.db"))
    let toLog = try FileTransfer(from: folders.source, to: folders.to.file("app.db-wal"))
    #expect(#expect(throws: FileError.self) { try toLog.move() }?.code == .companion)
    let log = folders.to.file("app.db-journal")
    try Data("changes".utf8).write(to: log)
    let away = try FileTransfer(from: log, to: folders.to.file("journal"))
    #expect(#expect(throws: FileError.self) { try away.move() }?.code == .companion)
    try FileManager.default.removeItem(at: folders.to.file("app.db"))
    let over = try FileTransfer(from: folders.source, to: folders.to.file("app.db"))
    #expect(#expect(throws: FileError.self) { try over.move() }?.code == .sidecarPresent)
    #expect(try folders.isWhole(folders.source))
  }

  @Test func whatIsMissingIsReported() throws {
    let folders = try Folders(.same)
    let nowhere = try FileTransfer(
      from: folders.source, to: folders.to.file("missing/book.m4b"))
    #expect(#expect(throws: FileError.self) { try nowhere.move() }?.code == .notFound)
    let nothing = try FileTransfer(from: folders.from.file("no"), to: folders.destination)
    #expect(#expect(throws: FileError.self) { try nothing.move() }?.code == .notFound)
    #expect(try folders.isWhole(folders.source))
  }

  @Test func aLongNameHasAStagingName() throws {
    let folders = try Folders(.other)
    let name = String(repeating: "é", count: 127)
    let transfer = try FileTransfer(from: folders.source, to: folders.to.file(name))
    _ = try transfer.stage()
    #expect(try folders.to.names.allSatisfy { $0.hasSuffix(".moving") })
    try transfer.move()
    #expect(try folders.to.names == [name])
  }

  @Test func aSourceThatChangesAfterTheCopyIsKept() throws {
    let folders = try Folders(.same)
    let transfer = try folders.transfer
    _ = try transfer.stage()
    try transfer.publish(.copy)
    try Data("newer".utf8).write(to: folders.source)
    #expect(throws: FileError.self) { try transfer.finish(.copy) }
    #expect(try Data(contentsOf: folders.source) == Data("newer".utf8))
  }

  @Test func twoMountsOfOneVolumeAreCopiedBetween() throws {
    let folders = try Folders(.same)
    let fault = SystemFault(atCall: 1, .refuse([.renameat2: .otherVolume]))
    let error = SystemCalls.$fault.withValue(fault) {
      // The copy's own rename is refused too, which a real volume does not do.
      #expect(throws: FileError.self) { try folders.transfer.move() }
    }
    #expect(error?.errno == EXDEV)
    #expect(fault.callsSeen.filter { $0 == .renameat2 }.count == 2, "renamed, then copied")
    #expect(try folders.isWhole(folders.source))
    try folders.transfer.move()
    try folders.expectMoved("with the leftover of the failed one")
  }

  #if os(Linux)
    @Test(.enabled(if: SmallVolume.isPossible, "this user cannot mount a volume"))
    func aFullVolumeKeepsTheSourceAlone() throws {
      let folders = try Folders(.same)
      let volume = try SmallVolume(at: folders.to.file("small"), kilobytes: 256)
      let transfer = try FileTransfer(
        from: folders.source, to: volume.url.appending(path: "book.m4b"))
      let error = #expect(throws: FileError.self) { try transfer.move() }
      #expect(error?.code == .noSpace)
      #expect(try FileManager.default.contentsOfDirectory(atPath: volume.url.path) == [])
      #expect(try folders.isWhole(folders.source))
    }
  #endif

  // MARK: Failures and crashes

  private func calls(_ folders: Folders) throws -> [SystemCalls.Name] {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) { try folders.transfer.move() }
    try folders.expectMoved("without a fault")
    try folders.reset()
    return trace.callsSeen
  }

  @Test(arguments: Volume.allCases)
  func anyFailureKeepsTheFileAndTheNextMoveFinishes(_ volume: Volume) throws {
    let folders = try Folders(volume)
    let calls = try calls(folders)
    for ordinal in 1...calls.count {
      for effect in [SystemFault.Effect.fail(.inputOutput), .failFromHere(.inputOutput)] {
        let fault = SystemFault(atCall: ordinal, effect)
        let isDone = SystemCalls.$fault.withValue(fault) {
          (try? folders.transfer.move()) != nil
        }
        let comment: Comment = "\(volume): \(calls[ordinal - 1]), call \(ordinal), done: \(isDone)"
        #expect(fault.hasStruck, comment)
        #expect(
          try folders.isWhole(folders.source) || folders.isWhole(folders.destination), comment)
        if isDone { #expect(try folders.isWhole(folders.destination), comment) }
        try folders.transfer.move()
        try folders.expectMoved(comment)
        try folders.reset()
      }
    }
  }

  @Test(arguments: Volume.allCases)
  func anInterruptedCallIsRetried(_ volume: Volume) throws {
    let folders = try Folders(volume)
    for ordinal in 1...(try calls(folders).count) {
      let fault = SystemFault(atCall: ordinal, .fail(.interrupted))
      try SystemCalls.$fault.withValue(fault) { try folders.transfer.move() }
      try folders.expectMoved("interrupted at call \(ordinal)")
      try folders.reset()
    }
  }

  @Test(arguments: Volume.allCases)
  func aCrashAtAnyCallKeepsTheFileAndTheNextMoveFinishes(_ volume: Volume) async throws {
    let folders = try Folders(volume)
    let calls = try calls(folders)
    var found = Set<String>()
    for ordinal in 1...calls.count {
      await #expect(processExitsWith: .exitCode(77)) {
        [
          ordinal = ordinal as Int, source = folders.source as URL,
          destination = folders.destination as URL
        ] in
        let fault = SystemFault(atCall: ordinal, .exit(status: 77))
        try SystemCalls.$fault.withValue(fault) {
          try FileTransfer(from: source, to: destination).move()
        }
      }
      let comment: Comment = "\(volume): crash at \(calls[ordinal - 1]), call \(ordinal)"
      let isOld = try folders.isWhole(folders.source)
      let isNew = try folders.isWhole(folders.destination)
      #expect(isOld || isNew, comment)
      // What has the name of the destination is complete.
      #expect(try isNew || !folders.to.names.contains("book.m4b"), comment)
      found.insert("\(isOld) \(isNew)")
      try folders.transfer.move()
      try folders.expectMoved(comment)
      try folders.reset()
    }
    #expect(found.isSuperset(of: ["true false", "false true"]))
  }
}
