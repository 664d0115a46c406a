import Foundation
import HoldfastFiles
import Testing

@Suite struct LegacyPathTests {
  static let uuid = "1B2C3D4E-0000-4111-8222-ABCDEFabcdef"
  static let dataContainers = [
    "/var/mobile/Containers/Data/Application/\(uuid)",
    "/private/var/mobile/Containers/Data/Application/\(uuid)",
    "/Users/ann/Library/Developer/CoreSimulator/Devices/\(uuid)/data/Containers/Data/Application/"
      + uuid,
  ]

  /// SS-B1: a converter that knew one root stored all paths below other roots as absolute.
  @Test(arguments: dataContainers)
  func everyRootOfAnOlderContainerIsRecognized(_ container: String) throws {
    for (folder, root) in [
      ("Documents", StorageRoot.documents), ("Library/Caches", .caches),
      ("Library/Application Support", .applicationSupport), ("tmp", .temporary),
      ("Library", .library),
    ] {
      let expected = try RelocatablePath(root, "downloads", "li_7", "book.m4b")
      let path = "\(container)/\(folder)/downloads/li_7/book.m4b"
      #expect(try RelocatablePath(legacy: path) == expected)
      #expect(try RelocatablePath(legacy: URL(filePath: path).absoluteString) == expected)
      #expect(try RelocatablePath(legacy: "\(container)/\(folder)/") == RelocatablePath(root))
    }
  }

  @Test(arguments: [
    "/private/var/mobile/Containers/Data/PluginKitPlugin/\(uuid)",
    "/Users/ann/Library/Containers/org.example.books/Data",
    "/Users/ann/Library/Containers/\(uuid)/Data",
    "/Users/ann/Downloads/org.example.books 2024-05-01 10:22.xcappdata/AppData",
    "/tmp/COPY.XCAPPDATA/AppData", "/var/mobile/Applications/\(uuid)",
    "/Users/ann/Library/Developer/CoreSimulator/Devices/\(uuid)/data/Applications/\(uuid)",
    "/Users/ann/Library/Application Support/iPhone Simulator/7.1/Applications/\(uuid)",
  ])
  func everyRootOfAnotherKindOfContainerIsRecognized(_ container: String) throws {
    try everyRootOfAnOlderContainerIsRecognized(container)
  }

  /// `AVAssetDownloadTask` returns paths relative to the home folder.
  @Test func aTableThatWritesDocumentsWritesTheOtherFoldersToo() throws {
    let tags = ["Documents/": StorageRoot.documents]
    func read(_ text: String) throws -> String {
      try RelocatablePath(legacy: text, tags: tags).description
    }
    #expect(try read("Documents/a") == "@documents/a")
    #expect(
      try read("Library/com.apple.UserManagedAssets.Q/E.movpkg")
        == "@library/com.apple.UserManagedAssets.Q/E.movpkg")
    #expect(try read("Library/Caches/a") == "@caches/a")
    #expect(throws: FileError.self) { try read("other/a") }
    #expect(throws: FileError.self) {
      try RelocatablePath(legacy: "Library/a", tags: ["D:": .documents])
    }
  }

  @Test func theOutermostContainerCounts() throws {
    let mac = "/Users/ann/Library/Containers/org.example.tool/Data/Documents"
    #expect(
      try RelocatablePath(legacy: "\(mac)/x.xcappdata/AppData/Documents/a")
        == RelocatablePath(.documents, "x.xcappdata", "AppData", "Documents", "a"))
    #expect(
      try RelocatablePath(legacy: "/tmp/x.xcappdata/AppData/tmp/Library/Containers/y/Data/tmp/a")
        == RelocatablePath(.temporary, "Library", "Containers", "y", "Data", "tmp", "a"))
  }

  @Test(arguments: [
    "/var/mobile/Containers/Data/PluginKitPlugin/not-a-uuid/Documents/a",
    "/Users/ann/Library/Containers/org.example.books/Documents/a",
    "/Users/ann/Containers/org.example.books/Data/Documents/a",
    "/tmp/.xcappdata/AppData/Documents/a", "/tmp/x.xcappdata/Documents/a",
    "/home/ann/data/Applications/\(uuid)/Documents/a", "/Applications/\(uuid)/Documents/a",
    "/U/CoreSimulator/Devices/\(uuid)/data/Applications/not-a-uuid/Documents/a",
  ])
  func aPathThatOnlyResemblesAContainersIsRefused(_ path: String) throws {
    let error = #expect(throws: FileError.self) { try RelocatablePath(legacy: path) }
    #expect(error?.code == .outsideRoot)
  }

  @Test func aGroupFolderIsReadWhenTheGroupIsNamed() throws {
    let path = "/private/var/mobile/Containers/Shared/AppGroup/\(Self.uuid)/db/x.sqlite"
    #expect(
      try RelocatablePath(legacy: path, appGroup: "group.x")
        == RelocatablePath(.appGroup("group.x"), "db", "x.sqlite"))
    let error = #expect(throws: FileError.self) { try RelocatablePath(legacy: path) }
    #expect(error?.message.contains("container of an app group") == true)
  }

  @Test(arguments: [
    "/var/containers/Bundle/Application/\(uuid)/Map.app/map.mbtiles",
    "/private/var/containers/Bundle/Application/\(uuid)/Map.app/map.mbtiles",
    "/U/CoreSimulator/Devices/\(uuid)/data/Containers/Bundle/Application/\(uuid)/M.app/map.mbtiles",
    "/var/mobile/Applications/\(uuid)/Map.app/map.mbtiles",
    "/U/CoreSimulator/Devices/\(uuid)/data/Applications/\(uuid)/Map.app/map.mbtiles",
  ])
  func aFileInTheBundleIsRead(_ path: String) throws {
    #expect(try RelocatablePath(legacy: path) == RelocatablePath(.bundle, "map.mbtiles"))
  }

  /// SS-B7: "50%41 off.m4b" was decoded repeatedly until it named another file.
  @Test func aPercentSignInAPlainPathIsAPercentSign() throws {
    let name = "50%41 off.m4b"
    let expected = try RelocatablePath(.documents, name)
    let plain = "\(Self.dataContainers[0])/Documents/\(name)"
    #expect(try RelocatablePath(legacy: plain) == expected)
    #expect(try RelocatablePath(legacy: name, bareRoot: .documents) == expected)
    #expect(
      try RelocatablePath(legacy: "D:" + name, tags: ["D:": .documents]) == expected)
  }

  /// SS-B7: a URL is decoded exactly once.
  @Test func aPercentSignInAURLIsDecodedOnce() throws {
    let url = "file://\(Self.dataContainers[0])/Documents/50%2541%20off.m4b"
    #expect(try RelocatablePath(legacy: url) == RelocatablePath(.documents, "50%41 off.m4b"))
  }

  /// SS-B7: "%2F" in a name became a separator.
  @Test func anEscapedSlashDoesNotBecomeASeparator() throws {
    let plain = "\(Self.dataContainers[0])/Documents/a%2Fb"
    #expect(try RelocatablePath(legacy: plain) == RelocatablePath(.documents, "a%2Fb"))
    let error = #expect(throws: FileError.self) {
      try RelocatablePath(legacy: "file://" + plain)
    }
    #expect(error?.message.contains("contains a '/'") == true)
  }

  @Test(arguments: RelocatablePathTests.hostileNames)
  func everyNameSurvivesEachForm(_ name: String) throws {
    let expected = try RelocatablePath(.caches, "a", name)
    let plain = "\(Self.dataContainers[1])/Library/Caches/a/\(name)"
    #expect(try RelocatablePath(legacy: plain) == expected)
    #expect(try RelocatablePath(legacy: URL(filePath: plain).absoluteString) == expected)
    #expect(try RelocatablePath(legacy: "a/\(name)", bareRoot: .caches) == expected)
  }

  /// SS-B8: neither the tag nor the container kept a path inside its root.
  @Test(arguments: [
    "D:../../x", "D:a/../../x", "../x", "a/./x",
    "\(dataContainers[0])/Documents/../Library/x",
    "file://\(dataContainers[0])/Documents/%2E%2E/x",
  ])
  func noFormEscapesItsRoot(_ text: String) {
    let error = #expect(throws: FileError.self) {
      try RelocatablePath(legacy: text, bareRoot: .caches, tags: ["D:": .documents])
    }
    #expect(error?.code == .invalidPath)
  }

  /// SS-B9: the tags clashed with legal names, so they are read only on request.
  @Test func aNameThatLooksTaggedIsANameUnlessTagsAreGiven() throws {
    let text = "D:book.m4b"
    #expect(
      try RelocatablePath(legacy: text, bareRoot: .caches) == RelocatablePath(.caches, text))
    let tags: [String: StorageRoot] = ["D:": .documents, "C:": .caches]
    #expect(
      try RelocatablePath(legacy: text, bareRoot: .caches, tags: tags)
        == RelocatablePath(.documents, "book.m4b"))
    #expect(
      try RelocatablePath(legacy: "C:covers/7", tags: tags)
        == RelocatablePath(.caches, "covers", "7"))
  }

  /// SS-B9: a path without a tag was assumed to be in Caches.
  @Test func aBarePathIsNotGuessed() {
    let error = #expect(throws: FileError.self) { try RelocatablePath(legacy: "downloads/x") }
    #expect(
      error?.message
        == "The stored path 'downloads/x' was not read: it is relative, and no root was given.")
  }

  /// SS-B9: the new text form cannot be confused with a legacy one, or the reverse.
  @Test func aBareNameThatLooksLikeTheNewFormIsAName() throws {
    #expect(
      try RelocatablePath(legacy: "@documents/x", bareRoot: .caches)
        == RelocatablePath(.caches, "@documents", "x"))
  }

  @Test(arguments: [
    ("", FileError.Code.invalidPath, "it is empty"),
    ("https://example.org/a.mp3", .invalidPath, "it is a 'https' address"),
    ("file://server/a", .invalidPath, "it names the host 'server'"),
    ("file:a/b", .invalidPath, "without an absolute path"),
    ("file:///a?b", .invalidPath, "unescaped '?'"),
    ("file:///a#b", .invalidPath, "unescaped '#'"),
    ("file:///a%4", .invalidPath, "'a%4' does not percent-decode"),
    ("file:///a%FF", .invalidPath, "'a%FF' does not percent-decode"),
    ("/etc/passwd", .outsideRoot, "in no app's container"),
    ("/var/mobile/Containers/Data/Application/not-a-uuid/Documents/x", .outsideRoot, "no app's"),
    ("\(dataContainers[0])/SystemData/x", .outsideRoot, "'SystemData/x' is in"),
    ("\(dataContainers[0])", .outsideRoot, "in none of the roots"),
    ("file://\(dataContainers[0])/Documents/a%00b", .invalidPath, "NUL"),
  ])
  func anUnreadableTextIsRefusedWithAReason(
    _ text: String, _ code: FileError.Code, _ reason: String
  ) {
    let error = #expect(throws: FileError.self) {
      try RelocatablePath(legacy: text, bareRoot: .caches)
    }
    #expect(error?.code == code)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func doubledAndTrailingSlashesAreDropped() throws {
    let expected = try RelocatablePath(.caches, "a", "b")
    #expect(try RelocatablePath(legacy: "a//b/", bareRoot: .caches) == expected)
    #expect(
      try RelocatablePath(legacy: "file:\(Self.dataContainers[0])//Library/Caches//a/b/")
        == expected)
  }

  @Test func theOutermostContainerIsUsed() throws {
    let inner = "Containers/Data/Application/\(Self.uuid)/tmp/x"
    let path = try RelocatablePath(legacy: "\(Self.dataContainers[0])/Documents/\(inner)")
    #expect(path.root == .documents)
    #expect(path.components.suffix(2) == ["tmp", "x"])
  }
}
