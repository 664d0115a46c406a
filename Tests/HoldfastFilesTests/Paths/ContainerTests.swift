import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct ContainerTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var container: Container {
    Container(at: directory.file("container"), appGroups: ["group.x"])
  }

  @Test func aFolderHasTheLayoutOfADeviceContainer() throws {
    let base = directory.file("container").path
    for (root, folder) in [
      (StorageRoot.documents, "Documents"), (.caches, "Library/Caches"),
      (.applicationSupport, "Library/Application Support"), (.temporary, "tmp"),
      (.bundle, "Bundle"), (.appGroup("group.x"), "Shared/AppGroup/group.x"),
    ] {
      #expect(try container.url(for: root).path == "\(base)/\(folder)")
    }
  }

  @Test func theSystemHasAFolderForEachFixedRoot() throws {
    let folders = try StorageRoot.fixed.map { try Container.current.url(for: $0).path }
    #expect(Set(folders).count == StorageRoot.fixed.count)
    #expect(folders.allSatisfy { $0.hasPrefix("/") })
    #expect(
      try Container.current.url(for: .temporary).resolvingSymlinksInPath().path
        == directory.url.deletingLastPathComponent().path)
  }

  @Test func filesAreFoundAfterTheContainerMoves() throws {
    let path = try RelocatablePath(.documents, "downloads", "50%41 off.m4b")
    let folder = try #require(path.parent)
    try container.createDirectory(at: folder)
    let before = try container.url(for: path)
    try Data("audio".utf8).write(to: before)
    let stored = try container.relocatablePath(for: before).description
    #expect(stored == "@documents/downloads/50%41 off.m4b")

    let moved = Container(at: directory.file("moved elsewhere"))
    try FileManager.default.moveItem(
      at: directory.file("container"), to: directory.file("moved elsewhere"))
    let after = try moved.url(for: RelocatablePath(text: stored))
    #expect(try Data(contentsOf: after) == Data("audio".utf8))
    #expect(before != after)
  }

  @Test(arguments: RelocatablePathTests.hostileNames)
  func everyNameRoundTripsThroughTheFileSystem(_ name: String) throws {
    let path = try RelocatablePath(.caches, name)
    try container.createDirectory(at: RelocatablePath(.caches))
    let url = try container.url(for: path)
    try Data("x".utf8).write(to: url)
    let onDisk = try FileManager.default.contentsOfDirectory(
      atPath: container.url(for: .caches).path)
    #expect(onDisk.map { Array($0.utf8) } == [Array(name.utf8)])
    #expect(try container.relocatablePath(for: url) == path)
  }

  @Test func aURLBelowAnotherSpellingOfTheRootIsTheSamePath() throws {
    try container.createDirectory(at: RelocatablePath(.documents, "a"))
    let alias = directory.file("alias")
    try FileManager.default.createSymbolicLink(
      at: alias, withDestinationURL: directory.file("container"))
    let expected = try RelocatablePath(.documents, "a", "new")
    for (spelled, asked) in [("alias", "container"), ("container", "alias"), ("alias", "alias")] {
      let url = directory.file(spelled).appending(path: "Documents/a/new")
      #expect(
        try Container(at: directory.file(asked)).relocatablePath(for: url) == expected,
        "\(spelled) asked of \(asked)")
    }
  }

  @Test func theInnermostRootIsUsed() throws {
    let url = try container.url(for: .appGroup("group.x")).appending(path: "db")
    #expect(try container.relocatablePath(for: url) == RelocatablePath(.appGroup("group.x"), "db"))
    let others = Container(at: directory.file("container"))
    #expect(throws: FileError.self) { try others.relocatablePath(for: url) }
  }

  @Test func aURLOutsideEveryRootIsRefused() throws {
    for url in [
      directory.file("x"), directory.file("container"), directory.file("container/Documentsx/y"),
      directory.file("container/Documents/../../x"),
    ] {
      let error = #expect(throws: FileError.self) { try container.relocatablePath(for: url) }
      #expect(error?.code == .outsideRoot, "\(url)")
    }
    for text in ["https://example.org/x", "file:///a%FFb", "file:///a%00b"] {
      let url = try #require(URL(string: text))
      let error = #expect(throws: FileError.self) { try container.relocatablePath(for: url) }
      #expect(error?.code == .invalidPath, "\(text)")
    }
  }

  /// SS-B8: symbolic links escaped the root.
  @Test func aSymbolicLinkThatLeadsOutOfTheRootIsRefused() throws {
    let documents = try container.createDirectory(at: RelocatablePath(.documents))
    try container.createDirectory(at: RelocatablePath(.caches, "inside"))
    try Data("secret".utf8).write(to: directory.file("secret"))
    for (name, target) in [
      ("out", ".."), ("far", "/"), ("file", directory.file("secret").path),
      ("other-root", "../Library/Caches/inside"), ("loop", "loop"), ("nowhere", "/nowhere/at/all"),
      ("prefix", "../Documents-other"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: documents.appending(path: name).path, withDestinationPath: target)
    }
    try FileManager.default.createDirectory(
      at: directory.file("container/Documents-other"), withIntermediateDirectories: true)
    for names in [
      ["out"], ["out", "x"], ["far", "etc", "passwd"], ["file"], ["other-root", "new"], ["loop"],
      ["loop", "x"], ["nowhere"], ["nowhere", "x", "y"], ["prefix", "x"],
    ] {
      let path = try RelocatablePath(.documents, components: names)
      let error = #expect(throws: FileError.self, "\(path)") { try container.url(for: path) }
      #expect(error?.code == .outsideRoot, "\(path)")
      #expect(throws: FileError.self) { try container.createDirectory(at: path) }
    }
  }

  /// A folder that is not there when it is asked for, and there a moment later.
  @Test func aFolderThatIsBeingCreatedIsNoLink() throws {
    let path = try RelocatablePath(.caches, "packs", "map")
    let url = try container.createDirectory(at: path)
    let fault = SystemFault(atCall: 1, .fail(.notFound))
    #expect(try SystemCalls.$fault.withValue(fault) { try container.url(for: path) } == url)
    #expect(fault.callsSeen.first == .lstat)
  }

  @Test func aSymbolicLinkInsideTheRootKeepsItsName() throws {
    let folder = try container.createDirectory(at: RelocatablePath(.documents, "real"))
    let link = folder.deletingLastPathComponent().appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
    let path = try RelocatablePath(.documents, "link", "new")
    let url = try container.url(for: path)
    #expect(url.lastPathComponent == "new")
    #expect(try container.relocatablePath(for: url) == path)
  }

  @Test func creatingAFolderTwiceIsHarmless() throws {
    let path = try RelocatablePath(.applicationSupport, "a", "b", "c")
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    let url = try SystemCalls.$fault.withValue(trace) { try container.createDirectory(at: path) }
    let steps = trace.callsSeen.filter { [.mkdir, .fsync].contains($0) }
    #expect(
      steps == Array(repeating: [.mkdir, .fsync], count: 6).flatMap { $0 },
      "each folder's name is on the medium before the next one")
    #expect(try container.createDirectory(at: path) == url)
    #expect(try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true)
  }

  @Test func `The names of folders are made durable, whichever process has created them`() throws {
    let path = try RelocatablePath(.applicationSupport, "a", "b")
    try container.createDirectory(at: path)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) { try container.syncNames(of: path) }
    // The folder of the root, the root and the first name.
    #expect(trace.callsSeen.count { $0 == .fsync } == 3)
    for ordinal in trace.callsSeen.indices where trace.callsSeen[ordinal] != .close {
      // The folder of the root is opened and synced first.
      let isAboveRoot = ordinal <= 1
      for errno in [
        Errno.inputOutput, .accessDenied, .notPermitted, .readOnlyVolume, .invalidArgument,
      ] {
        let fault = SystemFault(atCall: ordinal + 1, .fail(errno))
        if isAboveRoot, errno != .inputOutput {
          try SystemCalls.$fault.withValue(fault) { try container.syncNames(of: path) }
        } else {
          #expect(throws: FileError.self) {
            try SystemCalls.$fault.withValue(fault) { try container.syncNames(of: path) }
          }
        }
      }
    }
  }

  @Test func aFileInTheWayOfAFolderIsKept() throws {
    let folder = try container.createDirectory(at: RelocatablePath(.documents))
    try Data("x".utf8).write(to: folder.appending(path: "a"))
    for path in [
      try RelocatablePath(.documents, "a"), try RelocatablePath(.documents, "a", "b"),
    ] {
      #expect(throws: FileError.self) { try container.createDirectory(at: path) }
    }
    #expect(try Data(contentsOf: folder.appending(path: "a")) == Data("x".utf8))
  }

  @Test func aCopyThatXcodeHasMadeHasItsRootsInAppData() throws {
    let directory = try TemporaryDirectory()
    let copy = Container(at: directory.file("org.example.books 2024.xcappdata"))
    let path = try RelocatablePath(.caches, "downloads", "book.m4b")
    let url = try copy.url(for: path)
    #expect(url.path.hasSuffix(".xcappdata/AppData/Library/Caches/downloads/book.m4b"))
    #expect(try copy.relocatablePath(for: url) == path)
  }
}
