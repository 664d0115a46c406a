import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct InvocationTests {
  @Test(arguments: [
    ("holdfast", "holdfast"), ("./holdfast", "./holdfast"), ("../bin/holdfast", "../bin/holdfast"),
    ("/usr/local/bin/holdfast", "/usr/local/bin/holdfast"), ("/home/me/holdfast", "./holdfast"),
    ("/home/me/bin/holdfast", "bin/holdfast"), ("/home/me/my bin/holdfast", "'my bin/holdfast'"),
    ("/home/ann/holdfast", "/home/ann/holdfast"),
  ])
  func theShortestInvocationIsFound(word: String, command: String) {
    #expect(Invocation(word: word, currentFolder: "/home/me").command == command)
  }

  @Test func thePlatformIsOmittedWhenALinkBypassesIt() throws {
    let directory = try TemporaryDirectory()
    let folder = directory.url.path
    let files = FileManager.default
    for platform in ["x86_64-unknown-linux-gnu", "arm64-apple-macosx"] {
      let built = directory.url.appending(path: ".build/\(platform)/debug")
      try files.createDirectory(at: built, withIntermediateDirectories: true)
      try Data().write(to: built.appending(path: "holdfast"))
    }
    try files.createSymbolicLink(
      atPath: folder + "/.build/debug", withDestinationPath: "arm64-apple-macosx/debug")
    func command(_ platform: String) -> String {
      Invocation(word: folder + "/.build/\(platform)/debug/holdfast", currentFolder: folder).command
    }
    #expect(command("arm64-apple-macosx") == ".build/debug/holdfast")
    #expect(
      command("x86_64-unknown-linux-gnu") == ".build/x86_64-unknown-linux-gnu/debug/holdfast")
  }

  @Test(arguments: [
    "plain", "with blank", "o'brien", "o'\u{301}b", "", "$HOME", "a\"b", "`ls`", "naïve", "-x",
  ])
  func aQuotedWordReachesAProgramUnchanged(word: String) throws {
    let echoed = try ToolProcess.shell("printf '%s' \(word.quotedForShell)")
    #expect(echoed.output == word)
  }
}
