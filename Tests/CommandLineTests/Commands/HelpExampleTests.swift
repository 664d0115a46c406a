import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// The examples in the help, run in a clone of the package.
@Suite struct HelpExampleTests {
  @Test func everyExampleWorksInAClone() throws {
    let directory = try TemporaryDirectory()
    let samples = URL(filePath: Workplace.sample).deletingLastPathComponent()
    try FileManager.default.createSymbolicLink(
      at: directory.file("Samples"), withDestinationURL: samples)
    // In the order of the help: the first verb creates the database that the others use.
    let tree = CommandTree.holdfast
    let commands =
      tree.nouns.flatMap { noun in noun.verbs.map { (noun.name, $0.declaration) } }
      + tree.verbs.map { ("", $0.declaration) }
    var ran = 0
    for (noun, verb) in commands where !verb.example.isEmpty {
      let result = try ToolProcess.shell(
        #""$HOLDFAST" \#(noun) \#(verb.name) \#(verb.example)"#, in: directory.url)
      #expect(result.status == 0, "\(noun) \(verb.name) \(verb.example): \(result.errors)")
      ran += 1
    }
    #expect(ran > 5)
  }
}
