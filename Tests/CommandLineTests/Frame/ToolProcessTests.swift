import Foundation
import Testing

@testable import HoldfastTool

@Suite struct ToolProcessTests {
  @Test func theVersionIsPrinted() throws {
    let people = try ToolProcess.run("--version")
    #expect(people.status == 0)
    #expect(people.output == "holdfast \(Version.number)\n")
    #expect(people.errors == "")
    let programs = try ToolProcess.run("--version", "--json")
    #expect(programs.output == "{\"version\":\"\(Version.number)\"}\n")
  }

  private let overview =
    CommandTree.holdfast.help.lines(columns: nil).map { $0 + "\n" }.joined()

  @Test(arguments: ["help", "--help", "-h"])
  func helpIsPrinted(word: String) throws {
    let help = try ToolProcess.run(word)
    #expect(help.status == 0)
    #expect(help.output == overview)
    #expect(help.errors == "")
  }

  @Test func withoutArgumentsHelpIsPrinted() throws {
    #expect(try ToolProcess.run().output == overview)
  }

  @Test func aMisspeltWordIsRefusedInTwoLines() throws {
    let refused = try ToolProcess.run("--verison")
    #expect(refused.status == 64)
    #expect(refused.output == "")
    #expect(
      refused.errors == """
        'holdfast' does not know '--verison'.
        Did you mean 'holdfast --version'? 'holdfast --help' lists all of them.

        """)
  }

  @Test func aClosedPipeIsNotAnError() throws {
    let unread = try ToolProcess.runUnread("help")
    #expect(unread.status == 141)
    #expect(unread.errors == "")
  }

  @Test func aReaderThatStopsAfterOneLineIsNotAnError() throws {
    let headed = try ToolProcess.shell(#""$HOLDFAST" help | head -1"#)
    #expect(headed.status == 0)
    #expect(headed.output == CommandTree.holdfast.abstract + "\n")
    #expect(headed.errors == "")
  }

  @Test func aClosedOutputIsAnError() throws {
    let closed = try ToolProcess.shell(#""$HOLDFAST" help >&-"#)
    #expect(closed.status == 74)
    #expect(
      closed.errors == """
        Standard output could not be written: Bad file descriptor.
        Send the output somewhere that is open for writing and has room, and run it again.

        """)
  }

  @Test func aClosedStandardErrorIsHarmless() throws {
    let closed = try ToolProcess.shell(#""$HOLDFAST" nonsense 2>&-"#)
    #expect(closed.status == 64)
    #expect(closed.output == "")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "Linux has /dev/full."))
  func aFullDiskIsAnError() throws {
    let full = try ToolProcess.shell(#""$HOLDFAST" --version --json >/dev/full"#)
    #expect(full.status == 74)
    let error = try JSONSerialization.jsonObject(with: Data(full.errors.utf8)) as? [String: Any]
    #expect(error?["error"] as? String == "input_output")
    #expect(
      error?["message"] as? String
        == "Standard output could not be written: No space left on device.")
  }
}
