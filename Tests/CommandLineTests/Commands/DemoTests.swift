import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct DemoTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func demo(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: ["demo"] + words, in: directory.url)
  }

  /// Returns the paths of the folders and files below the container folder.
  private func contents(of name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: directory.file(name).path).sorted()
  }

  @Test func eachChapterIsPrintedAndVerified() throws {
    let result = try demo("--container", "stage")
    #expect(result.status == 0)
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n")
    for (number, chapter) in DemoStory.chapters.enumerated() {
      #expect(lines.contains("\(number + 1). \(chapter.title)"))
    }
    let proofs = lines.count { $0.hasPrefix("   ✓ ") }
    #expect(proofs >= DemoStory.chapters.count)
    #expect(lines.contains("All \(proofs) checks passed. Try next:"))
    // The output fits one screen.
    #expect(lines.count <= 40)
    // A command has the path of the tool, which is quoted where the clone's has a space.
    #expect(lines.allSatisfy { String($0).displayWidth <= 100 || $0.contains(#/holdfast'? /#) })
  }

  @Test func aSecondDemoUsesTheSameFolder() throws {
    let first = try demo("--container", "stage", "--json")
    // The lease of a process that has ended may lie there until the next update of the timetable.
    let files = try contents(of: "stage").filter { !$0.contains("/leases/") }
    let second = try demo("--container", "stage", "--json")
    #expect((first.status, second.status) == (0, 0))
    #expect(try contents(of: "stage").filter { !$0.contains("/leases/") } == files)
    #expect(first.errors + second.errors == "")
    #expect(first.keys == ["chapter", "proved"])
    let chapters = Set(try second.objects.compactMap { $0["chapter"] as? Int })
    #expect(chapters == Set(1...DemoStory.chapters.count))
  }

  @Test func foreignFilesAreNotTouched() throws {
    let folder = directory.file("mine")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "Containers"), withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: folder.appending(path: "Containers/letter.txt"))
    let refused = try demo("--container", "mine")
    #expect(refused.status == 73)
    #expect(refused.output == "")
    #expect(
      refused.complaint == [
        "'mine' holds files that are not the demo's.",
        "Name an empty folder, or one that does not exist yet.",
      ])
    #expect(try contents(of: "mine") == ["Containers", "Containers/letter.txt"])
  }

  @Test func aFileIsNotAcceptedAsAFolder() throws {
    try Data("precious".utf8).write(to: directory.file("file"))
    let refused = try demo("--container", "file")
    #expect(refused.status == 73)
    #expect(refused.complaint.first == "'file' is a file, and the demo needs a folder.")
    #expect(try Data(contentsOf: directory.file("file")) == Data("precious".utf8))
  }

  @Test func theSuggestedCommandsWorkWhenPasted() throws {
    let folder = directory.url
    let result = try ToolProcess.shell(
      #""$HOLDFAST" demo --container "o'clock and so on""#, in: folder)
    let commands = result.output.split(separator: "\n").drop { !$0.hasSuffix("Try next:") }
      .dropFirst()
    #expect(commands.count == 4)
    for command in commands {
      let pasted = try ToolProcess.shell(String(command), in: folder)
      #expect(pasted.status == 0, "\(command)")
      #expect(pasted.errors == "", "\(command)")
      #expect(pasted.output != "", "\(command)")
    }
  }

  @Test func aCopiedToolRunsTheDemo() throws {
    let copy = directory.file("holdfast")
    try FileManager.default.copyItem(at: ToolProcess.executable, to: copy)
    let result = try ToolProcess.run(copy, ["demo", "--container", "stage"], in: directory.url)
    #expect(result.status == 0)
    #expect(result.errors == "")
  }

  @Test func aFailedVerificationEndsTheDemo() throws {
    let transcript = try Transcript()
    let output = Output(.table, console: transcript.console)
    let stage = try DemoStage(folder: directory.file("stage"), output: output)
    try stage.prove("water is wet", true)
    let error = try #require(throws: ToolError.self) { try stage.prove("the tide waits", false) }
    #expect(output.report(error).rawValue == 70)
    #expect(try transcript.output == "   ✓ water is wet\n")
    #expect(
      try transcript.errors == """
        The demo could not prove that the tide waits.
        Please report it with everything the demo printed.

        """)
  }
}
