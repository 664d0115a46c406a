import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFiles

/// A folder of generations, whose owner here names them by numbers.
@Suite struct GenerationFolderTests {
  private let directory: TemporaryDirectory
  private let folder: GenerationFolder

  init() throws {
    directory = try TemporaryDirectory()
    folder = GenerationFolder(try FilePath(of: directory.url))
  }

  private static func name(_ choice: Int) -> String { choice == 1 ? "a" : "a-\(choice)" }

  /// Makes a generation with a content durable, gives it a name, and makes it the current one.
  private static func add(_ content: String, to folder: GenerationFolder) throws {
    let staging = folder.path.appending([".staging"])
    try staging.createFile(with: Array(content.utf8))
    let found = try folder.publish(staging, as: name)
    try folder.replaceCurrent(with: Array(name(found.choice).utf8))
  }

  /// The content of the current generation; `nil` when there is none.
  private func current() throws -> String? {
    guard case .bytes(let bytes) = try folder.readCurrent(upTo: 64) else { return nil }
    let name = String(decoding: bytes, as: UTF8.self)
    return try String(contentsOf: directory.url.appending(path: name), encoding: .utf8)
  }

  @Test func aNameThatSomethingHasIsNeverTaken() throws {
    try Data("user".utf8).write(to: directory.file("a"))
    try FileManager.default.createDirectory(
      at: directory.file("a-2"), withIntermediateDirectories: false)
    try Self.add("first", to: folder)
    #expect(try current() == "first")
    #expect(
      try directory.names.filter { $0 != "current" } == ["a", "a-2", "a-3"])
    #expect(try String(contentsOf: directory.file("a"), encoding: .utf8) == "user")
  }

  @Test func theSameGenerationIsNotMovedTwice() throws {
    try Self.add("one", to: folder)
    let staging = folder.path.appending([".staging"])
    try staging.createFile(with: Array("one".utf8))
    let found = try folder.publish(staging, as: Self.name) { place in
      try Data(contentsOf: place.url) == Data("one".utf8)
    }
    #expect(found == (1, false))
    #expect(try directory.names == [".staging", "a", "current"])
  }

  /// Whatever fails, and wherever the process ends: the current generation is the old or the new one.
  @Test(arguments: [true, false])
  func theCurrentGenerationIsWholeAtEachCall(endsProcess: Bool) async throws {
    try Self.add("old", to: folder)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) { try Self.add("trace", to: folder) }
    let count = trace.callsSeen.count
    #expect(count > 8)
    var found: Set<String> = []
    for ordinal in 1...count {
      let old = try #require(try current())
      let new = "new \(ordinal)"
      if endsProcess {
        await #expect(processExitsWith: .exitCode(77)) {
          [ordinal = ordinal as Int, url = directory.url as URL, new = new as String] in
          let folder = GenerationFolder(try FilePath(of: url))
          try SystemCalls.$fault.withValue(SystemFault(atCall: ordinal, .exit(status: 77))) {
            try Self.add(new, to: folder)
          }
        }
      } else {
        SystemCalls.$fault.withValue(SystemFault(atCall: ordinal, .fail(.inputOutput))) {
          // An error that comes after the switch is one of the durability of names only.
          _ = try? Self.add(new, to: folder)
        }
      }
      let present = try #require(try current())
      #expect([old, new].contains(present), "call \(ordinal), \(trace.callsSeen[ordinal - 1])")
      found.insert(present == old ? "old" : "new")
      // What an owner removes before it begins again.
      for name in [".staging"] + GenerationFolder.leftoverNames {
        try? FileManager.default.removeItem(at: directory.file(name))
      }
    }
    #expect(found.contains("old"))
  }

  @Test func theUsesOfAGenerationDecideWhetherItIsNeeded() throws {
    let lease = LeaseFolder.lease("a", for: "reader")
    let (held, unknown) = (LeaseFolder.Use(lease, .held), LeaseFolder.Use(lease, .unknown))
    func need(_ name: String, _ uses: [LeaseFolder.Use]) -> GenerationNeed? {
      GenerationNeed(of: name, current: "c", previous: "p", uses)
    }
    #expect(need("c", [held]) == .current)
    #expect(need("p", []) == .previous)
    #expect(need("a", [unknown, held]) == .held(lease))
    #expect(need("a", [unknown]) == .mayBeHeld(lease))
    #expect(need("a", []) == nil)
    #expect(need("a", [LeaseFolder.Use(lease, .ended)]) == nil)
    #expect(GenerationNeed(of: "a", current: nil, previous: nil, []) == nil)
  }

  @Test func leasesThatHaveEndedAreRemoved() throws {
    let leases = folder.leases
    let present = LeaseFolder.lease("a", for: "reader")
    try leases.record(present)
    var ended = LeaseFolder.lease("b", for: "reader")
    ended.process = ProcessIdentity(number: ended.process.number, start: 1)
    try leases.record(ended)
    #expect(try leases.leases().count == 2)
    #expect(try leases.usesByGeneration() == ["a": [LeaseFolder.Use(present, .held)]])
    #expect(try leases.leases() == [present])
  }
}
