import Foundation
import HoldfastFiles
import Testing

@Suite struct StorageRootTests {
  static let all = StorageRoot.fixed + [.appGroup("group.org.example.books")]

  @Test func tagsNeverChangeBecauseDatabasesStoreThem() {
    #expect(
      Self.all.map(\.tag) == [
        "documents", "caches", "application-support", "temporary", "bundle", "library",
        "app-group:group.org.example.books",
      ])
  }

  @Test(arguments: all)
  func aTagRoundTripsToItsRoot(_ root: StorageRoot) throws {
    #expect(StorageRoot(tag: root.tag) == root)
    let stored = try JSONEncoder().encode([root])
    #expect(try JSONDecoder().decode([StorageRoot].self, from: stored) == [root])
  }

  @Test(arguments: [
    "", "Documents", "documents ", "app-group:", "app-group:..", "app-group:a/b",
    "app-group:\u{301}a",
  ])
  func anyOtherTextIsNotARoot(_ tag: String) throws {
    #expect(StorageRoot(tag: tag) == nil)
    let stored = try JSONEncoder().encode([tag])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([StorageRoot].self, from: stored)
    }
  }

  /// One file has one path, though one root lies in another.
  @Test func aPathInTheLibraryIsInTheInnermostRoot() throws {
    let package = try RelocatablePath(.library, "com.apple.UserManagedAssets.Q", "E.movpkg")
    #expect(package.description == "@library/com.apple.UserManagedAssets.Q/E.movpkg")
    #expect(try RelocatablePath(.library, "Caches", "a") == RelocatablePath(.caches, "a"))
    let support = try RelocatablePath(text: "@library/Application Support/a")
    #expect(support.description == "@application-support/a")
    let container = Container(at: URL(filePath: "/c"))
    #expect(try container.url(for: package).path.hasPrefix("/c/Library/com.apple"))
    #expect(try container.relocatablePath(for: container.url(for: package)) == package)
    #expect(
      try container.relocatablePath(for: URL(filePath: "/c/Library/Caches/a")).root == .caches)
  }

  @Test(arguments: ["..", ".", "", "a/b", "../../x", "a\0b", "é", "a b"])
  func aGroupThatCouldLeaveItsFolderIsNotLegal(_ identifier: String) {
    #expect(!StorageRoot.appGroup(identifier).isLegal)
    #expect(throws: FileError.self) { try RelocatablePath(.appGroup(identifier), "x") }
    #expect(throws: FileError.self) {
      try Container(at: URL(filePath: "/c")).url(for: .appGroup(identifier))
    }
  }
}
