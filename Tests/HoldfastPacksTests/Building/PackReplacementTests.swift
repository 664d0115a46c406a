import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// A pack is replaced while a disk fails, a process ends or a script interferes.
@Suite struct PackReplacementTests {
  private static let staging = ".pack.holdfast-staging"
  private static let replaced = ".pack.holdfast-replaced"

  private let directory: TemporaryDirectory

  init() throws {
    directory = try Self.folderWithPack()
  }

  /// Returns a folder with a pack, and the folder that it was built from.
  private static func folderWithPack() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.file("source"), withIntermediateDirectories: false)
    try build("old", in: directory.url)
    return directory
  }

  private static func build(
    _ text: String, in folder: URL, replacesPack: Bool = true, _ fault: SystemFault? = nil
  ) throws {
    try Data(text.utf8).write(to: folder.appending(path: "source/about.txt"))
    var builder = PackBuilder(PackDescription(version: try PackVersion("1")))
    builder.replacesPack = replacesPack
    try SystemCalls.$fault.withValue(fault) {
      _ = try builder.build(
        filesIn: folder.appending(path: "source"), to: folder.appending(path: "pack"))
    }
  }

  private func build(_ text: String, _ fault: SystemFault? = nil) throws {
    try Self.build(text, in: directory.url, fault)
  }

  /// Returns the text in a pack, which is whole.
  private func text(_ name: String) throws -> String {
    #expect(try PackVerification(of: directory.file(name)).isWhole, "\(name)")
    return try String(
      contentsOf: directory.file(name).appending(path: "about.txt"), encoding: .utf8)
  }

  private func move(_ name: String, to newName: String) throws {
    try FileManager.default.moveItem(at: directory.file(name), to: directory.file(newName))
  }

  /// Expects that the next build that can sync replaces the pack, and leaves nothing.
  private func expectNextBuild() throws {
    try build("next")
    #expect(try text("pack") == "next")
    #expect(try directory.names == ["pack", "source"])
  }

  /// Returns the number of the call that makes the exchange of two packs durable.
  private static func syncOfExchange() throws -> Int {
    let twin = try folderWithPack()
    let counting = SystemFault(atCall: .max, .fail(.inputOutput))
    try build("new", in: twin.url, counting)
    let exchange = try #require(counting.callsSeen.firstIndex(of: .renameat2))
    return try #require(counting.callsSeen[exchange...].firstIndex(of: .fsync)) + 1
  }

  /// A folder that was not synced is the old one after a loss of power, and another attempt to sync
  /// may not notice.
  @Test(arguments: [SystemFault.Effect.fail(.inputOutput), .refuse([.fsync: .inputOutput])])
  func `A replaced pack stays while the exchange is not durable`(
    _ effect: SystemFault.Effect
  ) throws {
    let fault = SystemFault(atCall: try Self.syncOfExchange(), effect)
    let error = try #require(throws: FileError.self) { try build("new", fault) }
    #expect(error.code == .inputOutput)
    #expect(try text("pack") == "new")
    #expect(try text(Self.staging) == "old")
    try expectNextBuild()
  }

  @Test func `What a process leaves at the exchange stays until the exchange is durable`()
    async throws
  {
    let call = try Self.syncOfExchange()
    await #expect(processExitsWith: .exitCode(77)) {
      [url = directory.url as URL, call = call as Int] in
      try PackReplacementTests.build("new", in: url, SystemFault(atCall: call, .exit(status: 77)))
    }
    #expect(throws: FileError.self) {
      try build("newer", SystemFault(atCall: 1, .refuse([.fsync: .inputOutput])))
    }
    #expect(try text("pack") == "new")
    #expect(try text(Self.staging) == "old")
    try expectNextBuild()
  }

  /// Makes what a process leaves that ended after both renames, on a volume that exchanges no names.
  private static func endAfterRenames(in directory: TemporaryDirectory) throws {
    try FileManager.default.copyItem(at: directory.file("pack"), to: directory.file("copy"))
    try build("new", in: directory.url)
    try FileManager.default.moveItem(at: directory.file("copy"), to: directory.file(replaced))
  }

  /// The link used to be replaced by the pack, and its target was no longer found.
  @Test func `A link in the pack's place is left as it is`() throws {
    try move("pack", to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("pack").path, withDestinationPath: "elsewhere")
    #expect(throws: FileError.self) { try build("new") }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: directory.file("pack").path)
        == "elsewhere")
    #expect(try text("elsewhere") == "old")
  }

  @Test func `A pack that was moved away stays until the new one's name is durable`() throws {
    try Self.endAfterRenames(in: directory)
    #expect(throws: FileError.self) {
      try build("newer", SystemFault(atCall: 1, .refuse([.fsync: .inputOutput])))
    }
    #expect(try text("pack") == "new")
    #expect(try text(Self.replaced) == "old")
    try expectNextBuild()
  }

  /// Half removed under its own name, it would be no pack, and stay.
  @Test func `A pack that was moved away gets another name, durably, before it is removed`() throws
  {
    let twin = try Self.folderWithPack()
    try Self.endAfterRenames(in: twin)
    let counting = SystemFault(atCall: .max, .fail(.inputOutput))
    try Self.build("newer", in: twin.url, counting)
    let syncs = counting.callsSeen.enumerated().filter { $0.element == .fsync }.map(\.offset)

    try Self.endAfterRenames(in: directory)
    #expect(throws: FileError.self) {
      try build("newer", SystemFault(atCall: syncs[1] + 1, .fail(.inputOutput)))
    }
    #expect(try text("pack") == "new")
    #expect(try text(Self.staging) == "old")
    try expectNextBuild()
  }

  /// As a process leaves it that ended between both renames, on a volume that exchanges no names.
  @Test func `A pack that was moved away comes back in the place of an empty folder`() throws {
    try move("pack", to: Self.replaced)
    try FileManager.default.createDirectory(
      at: directory.file("pack"), withIntermediateDirectories: false)
    let bad = directory.file("source/bad.sqlite")
    try Data("no database".utf8).write(to: bad)
    #expect(throws: PackError.self) { try build("new") }
    #expect(try text("pack") == "old")
    #expect(try directory.names == ["pack", "source"])
    try FileManager.default.removeItem(at: bad)
    try expectNextBuild()
  }

  @Test func `A pack that was moved away stays while something else has its name`() throws {
    try move("pack", to: Self.replaced)
    try FileManager.default.createDirectory(
      at: directory.file("pack"), withIntermediateDirectories: false)
    try Data().write(to: directory.file("pack/.gitkeep"))
    let error = try #require(throws: PackError.self) { try build("new") }
    #expect(error.code == .occupied)
    #expect(try text(Self.replaced) == "old")
    #expect(FileManager.default.fileExists(atPath: directory.file("pack/.gitkeep").path))
    try FileManager.default.removeItem(at: directory.file("pack"))
    try expectNextBuild()
  }

  @Test(arguments: [false, true])
  func `A user's folder with a similar name is neither moved nor removed`(
    _ replacesPack: Bool
  ) throws {
    let backups = [".pack.old", ".pack.staging"]
    for name in backups {
      try FileManager.default.copyItem(at: directory.file("pack"), to: directory.file(name))
    }
    // No pack, under a name of the builder.
    try FileManager.default.createDirectory(
      at: directory.file(Self.replaced), withIntermediateDirectories: false)
    try FileManager.default.removeItem(at: directory.file("pack"))
    try Self.build("new", in: directory.url, replacesPack: replacesPack)
    #expect(try text("pack") == "new")
    for name in backups { #expect(try text(name) == "old") }
    #expect(try directory.names == ([Self.replaced, "pack", "source"] + backups).sorted())
  }
}
