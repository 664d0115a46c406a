import Foundation
import Testing

/// The house obeys the rules of ARCHITECTURE.md.
@Suite struct ArchitectureTests {
  /// Read once for all tests, because telling code from comments takes its time.
  private static let package = Result {
    let tree = try SourceTree.ofThisPackage()
    return (tree, try tree.sources(in: "Sources", "Tests"))
  }

  let tree: SourceTree
  let sources: [SwiftSource]

  init() throws {
    (tree, sources) = try Self.package.get()
  }

  @Test func everySourceIsReadByTheRules() {
    #expect(sources.contains { $0.path.hasPrefix("Sources/") })
    #expect(sources.contains { $0.path == "Tests/ConsumerTests/ArchitectureTests.swift" })
    expectNone(sources.flatMap(ArchitectureRules.readability))
  }

  @Test func arrowsPointDown() {
    expectNone(sources.flatMap(ArchitectureRules.imports))
  }

  @Test func everyRowOfTheTableIsAModule() {
    let modules = tree.files.filter { $0.hasPrefix("Sources/") }
      .map { String($0.split(separator: "/")[1]) }
    #expect(Set(modules) == Set(ArchitectureTable.arrows.keys))
  }

  @Test func pointersOccurOnlyBehindTheirDoors() {
    expectNone(sources.flatMap(ArchitectureRules.pointers))
  }

  @Test func unprovenSendabilityHasAReason() {
    expectNone(sources.flatMap(ArchitectureRules.unprovenSendability))
  }

  @Test func noTestSleeps() {
    let tests = sources.filter { $0.path.hasPrefix("Tests/") }
    expectNone(tests.flatMap(ArchitectureRules.sleeping))
  }

  @Test func noErrorIsDroppedAndNoWorkPutOff() {
    let exceptions = ArchitectureTable.exceptions
    expectNone(ArchitectureRules.exceptions(exceptions, files: tree.files))
    let products = sources.filter { $0.path.hasPrefix("Sources/") }
    expectNone(products.flatMap { ArchitectureRules.avoidedWords($0) })
  }

  @Test func everyFileHasACaption() throws {
    expectNone(ArchitectureRules.captions(try tree.text("ARCHITECTURE.md"), files: tree.files))
  }

  @Test func nothingKnowsTheMachineItWasMadeOn() throws {
    var root = tree.root.path(percentEncoded: false)
    if root.hasSuffix("/") { root.removeLast() }
    expectNone(
      try tree.files.flatMap { file in
        ArchitectureRules.machinePaths(file, try tree.data(file), root: root)
      })
  }

  private func expectNone(
    _ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let list = Comment(rawValue: violations.map(\.description).joined(separator: "\n"))
    let isKept = violations.isEmpty
    #expect(isKept, list, sourceLocation: sourceLocation)
  }
}
