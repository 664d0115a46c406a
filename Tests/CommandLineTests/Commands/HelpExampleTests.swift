import Foundation
import Holdfast
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
    // A container comes from a device, so a clone has none.
    try ContainerExample.write(to: directory.file("Audiobooks.xcappdata"))
    try MapExample.write(to: directory.url)
    try FestivalExample.write(to: directory.url)
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

/// A copied container with a file that its database records.
enum ContainerExample {
  static func write(to folder: URL) throws {
    let documents = folder.appending(path: "AppData/Documents")
    try FileManager.default.createDirectory(
      at: documents.appending(path: "downloads"), withIntermediateDirectories: true)
    try Data("sound".utf8).write(to: documents.appending(path: "downloads/quay.m4b"))
    let queue = try DatabaseQueue(path: documents.appending(path: "app.sqlite").path)
    try queue.write { db in
      try db.execute(
        sql: FilesTests.table
          + "INSERT INTO local_audio_file_downloads VALUES ('1', 1, 'D:downloads/quay.m4b', 1, 1)")
    }
    try queue.close()
  }
}

/// A copied container with two versions of a pack.
enum FestivalExample {
  static func write(to folder: URL) throws {
    try FestivalPacks.write(to: folder)
    for version in ["1.0", "1.1"] {
      for words in [
        ["build", "source", "map", "--version", version, "--replace"],
        ["install", "map", "Festival.xcappdata"],
      ] {
        let result = try ToolProcess.run(words: ["pack"] + words, in: folder)
        try #require(result.status == 0, "\(result.errors)")
      }
    }
  }
}
