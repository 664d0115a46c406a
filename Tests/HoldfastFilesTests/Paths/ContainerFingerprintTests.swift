import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct ContainerFingerprintTests {
  let directory: TemporaryDirectory
  let container: Container

  init() throws {
    directory = try TemporaryDirectory()
    container = Container(at: directory.file("old"), appGroups: ["group.x"])
    for root in [StorageRoot.documents, .caches, .applicationSupport, .temporary] {
      try container.createDirectory(at: RelocatablePath(root))
    }
  }

  @Test func aContainerThatStaysMatches() throws {
    let before = try ContainerFingerprint(of: container)
    try Data("new".utf8).write(to: container.url(for: RelocatablePath(.caches, "book")))
    #expect(try ContainerFingerprint(of: container).matches(before))
    #expect(try ContainerFingerprint(of: container).changedRoots(since: before) == [])
  }

  @Test func aContainerThatMovedDoesNotMatch() throws {
    let before = try ContainerFingerprint(of: container)
    try FileManager.default.moveItem(at: directory.file("old"), to: directory.file("new"))
    let moved = Container(at: directory.file("new"), appGroups: ["group.x"])
    let after = try ContainerFingerprint(of: moved)
    #expect(!after.matches(before))
    #expect(after.changedRoots(since: before).count == 7)
  }

  @Test func aRootThatIsRecreatedOrAddedIsNamed() throws {
    let before = try ContainerFingerprint(of: container)
    let caches = try container.url(for: .caches)
    // Renamed, so that the new folder cannot get the same inode.
    try FileManager.default.moveItem(at: caches, to: directory.file("aside"))
    #expect(try ContainerFingerprint(of: container).changedRoots(since: before) == [.caches])
    try container.createDirectory(at: RelocatablePath(.caches))
    try container.createDirectory(at: RelocatablePath(.appGroup("group.x")))
    let after = try ContainerFingerprint(of: container)
    #expect(after.changedRoots(since: before) == [.appGroup("group.x"), .caches])
    #expect(!after.matches(before))
  }

  @Test func itCostsOneCallPerRootAndListsNoFolder() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    _ = try SystemCalls.$fault.withValue(trace) { try ContainerFingerprint(of: container) }
    #expect(trace.callsSeen == Array(repeating: .stat, count: 7))
  }

  @Test func aRootThatCannotBeExaminedIsAnError() throws {
    for ordinal in 1...6 {
      let error = SystemCalls.$fault.withValue(SystemFault(atCall: ordinal, .fail(.accessDenied))) {
        #expect(throws: FileError.self) { try ContainerFingerprint(of: container) }
      }
      #expect(error?.code == .accessDenied)
    }
  }

  @Test func itsTextIsStableAndContainsNoPath() throws {
    let fingerprint = try ContainerFingerprint(of: container)
    let text = fingerprint.description
    #expect(ContainerFingerprint(text) == fingerprint)
    #expect(!text.contains(directory.url.lastPathComponent))
    #expect(text.hasPrefix("1 app-group:group.x="))
    #expect(text.contains("/- "))
    let json = try JSONEncoder().encode([fingerprint])
    #expect(try JSONDecoder().decode([ContainerFingerprint].self, from: json) == [fingerprint])
  }

  @Test func anotherTextIsNoFingerprint() throws {
    let text = try ContainerFingerprint(of: container).description
    for other in [
      "", "1 ", "2" + text.dropFirst(), text + " ", text + " x=1/-",
      text.replacing("caches=", with: "cellar="), text.replacing("/", with: "/+"),
      String(text.dropLast(2)) + "-",
    ] {
      #expect(ContainerFingerprint(other) == nil, "\(other)")
    }
  }
}
