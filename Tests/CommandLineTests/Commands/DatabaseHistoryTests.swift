import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct DatabaseHistoryTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    var configuration = Configuration()
    configuration.historyAuthor = "app"
    let queue = try DatabaseQueue(
      path: place.directory.file("any.db").path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE stop (line, number, name UNIQUE, PRIMARY KEY (line, number))")
      try ChangeHistory.install(on: db, tables: ["stop"])
      try db.execute(sql: "INSERT INTO stop VALUES ('A', 1, 'Quay'), (x'00', 2, 'Pier')")
      try db.execute(sql: "REPLACE INTO stop VALUES ('B', 1, 'Quay')")
    }
    try queue.close()
  }

  @Test func eachChangeIsPrintedOnOneLine() throws {
    let shown = try place.run("db", "history", "any.db", "--json")
    #expect(shown.status == 0)
    #expect(shown.keys == ["time", "kind", "table", "key", "line", "number", "author", "token"])
    let lines = try shown.objects
    try #require(lines.count == 4)
    #expect(lines.map { $0["kind"] as? String } == ["insert", "insert", "delete", "insert"])
    #expect(lines.allSatisfy { $0["author"] as? String == "app" })
    #expect(lines.allSatisfy { $0["table"] as? String == "stop" })
    #expect((lines[2]["key"] as? [String: Any])?["line"] as? String == "A")
    let time = try #require(lines[0]["time"] as? String)
    #expect(try /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.wholeMatch(in: time) != nil)
    let people = try place.run("db", "history", "any.db")
    #expect(people.output.split(separator: "\n").count == 5)
    #expect(people.output.contains("delete  stop"))
  }

  @Test func aTokenResumesTheListing() throws {
    let lines = try place.run("db", "history", "any.db", "--json").objects
    try #require(lines.count == 4)
    let token = try #require(lines[1]["token"] as? String)
    let rest = try place.run("db", "history", "any.db", "--after", token, "--json")
    #expect(
      try rest.objects.map { $0["token"] as? String } == lines[2...].map { $0["token"] as? String })
    let last = try #require(lines[3]["token"] as? String)
    let none = try place.run("db", "history", "any.db", "--after", last)
    #expect((none.status, none.output, none.errors) == (0, "", "No changes found.\n"))
  }

  /// The tokens as a terminal of some width shows them.
  @Test(arguments: [80, 110])
  func tokensAreCompleteOnATerminal(columns: Int) async throws {
    let transcript = try Transcript(outputColumns: columns)
    let path = place.directory.file("any.db").path
    let code = await CommandTree.holdfast.run(["db", "history", path], console: transcript.console)
    #expect(code == .success)
    let shown = try transcript.output
    let tokens = try place.run("db", "history", "any.db", "--json").objects
      .map { $0["token"] as? String ?? "" }
    #expect(tokens.count == 4)
    for token in tokens { #expect(shown.contains(token), "\(shown)") }
    for line in shown.split(separator: "\n") { #expect(line.count <= columns) }
  }

  @Test func anUnanswerableRequestIsRefused() throws {
    let refused = try place.run("db", "history", "harbour.db")
    #expect(refused.status == 65)
    #expect(refused.complaint.first == "'harbour.db' has no change history.")
    let other = String(repeating: "0", count: 32) + "-1-1"
    let expired = try place.run("db", "history", "any.db", "--after", other)
    #expect(expired.status == 65)
    #expect(
      expired.complaint == [
        "The token is from another database than 'any.db'.",
        "Omit --after to see all changes that are kept.",
      ])
    #expect(try place.run("db", "history", "any.db", "--after", "yesterday").status == 64)
    #expect(try place.run("db", "history", "nothing.db").status == 66)
  }

  @Test func theDatabaseIsNotModified() throws {
    let before = try Data(contentsOf: place.directory.file("any.db"))
    #expect(try place.run("db", "history", "any.db").status == 0)
    #expect(try Data(contentsOf: place.directory.file("any.db")) == before)
    #expect(try place.directory.names == ["any.db", "harbour.db"])
  }
}
