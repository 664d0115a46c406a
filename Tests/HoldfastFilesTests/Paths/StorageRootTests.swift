import Foundation
import HoldfastFiles
import Testing

@Suite struct StorageRootTests {
  static let all = StorageRoot.fixed + [.appGroup("group.org.example.books")]

  @Test func tagsNeverChangeBecauseDatabasesStoreThem() {
    #expect(
      Self.all.map(\.tag) == [
        "documents", "caches", "application-support", "temporary", "bundle",
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

  @Test(arguments: ["..", ".", "", "a/b", "../../x", "a\0b", "é", "a b"])
  func aGroupThatCouldLeaveItsFolderIsNotLegal(_ identifier: String) {
    #expect(!StorageRoot.appGroup(identifier).isLegal)
    #expect(throws: FileError.self) { try RelocatablePath(.appGroup(identifier), "x") }
    #expect(throws: FileError.self) {
      try Container(at: URL(filePath: "/c")).url(for: .appGroup(identifier))
    }
  }
}
