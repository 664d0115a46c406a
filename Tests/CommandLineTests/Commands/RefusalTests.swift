import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// The exit codes and messages of refused commands.
@Suite struct RefusalTests {
  let place: Workplace

  init() throws {
    place = try Workplace()
    let files = FileManager.default
    try files.createDirectory(
      at: place.folder.appending(path: "folder"), withIntermediateDirectories: false)
    try files.createSymbolicLink(
      at: place.folder.appending(path: "link"),
      withDestinationURL: place.folder.appending(path: "folder"))
    try Data(repeating: UInt8(ascii: "x"), count: 200).write(to: place.directory.file("text.db"))
    try Data().write(to: place.directory.file("empty.db"))
    try Data().write(to: place.directory.file("empty.zip"))
  }

  private static let reading = [
    ["transit", "search", "DB", "circ"], ["transit", "stops", "DB"], ["transit", "routes", "DB"],
    ["db", "check", "DB"], ["db", "query", "DB", "SELECT 1"],
  ]

  private func expect(
    _ words: [String], _ code: Int32, _ name: String, _ file: String?, _ lines: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let names = try place.directory.names
    let people = try ToolProcess.run(words: words, in: place.folder)
    #expect(people.status == code, sourceLocation: sourceLocation)
    #expect(people.output == "", sourceLocation: sourceLocation)
    #expect(people.complaint == lines, sourceLocation: sourceLocation)

    let programs = try ToolProcess.run(words: words + ["--json"], in: place.folder)
    #expect(programs.status == code, sourceLocation: sourceLocation)
    let error = try JSONSerialization.jsonObject(with: Data(programs.errors.utf8))
    let object = try #require(error as? [String: Any], sourceLocation: sourceLocation)
    #expect(
      object.keys.sorted() == ["advice", "error", "field", "file", "line", "message"],
      sourceLocation: sourceLocation)
    #expect(object["error"] as? String == name, sourceLocation: sourceLocation)
    #expect(object["message"] as? String == lines.first, sourceLocation: sourceLocation)
    #expect(object["advice"] as? String == lines.last, sourceLocation: sourceLocation)
    #expect(object["file"] as? String == file, sourceLocation: sourceLocation)
    #expect(try place.directory.names == names, sourceLocation: sourceLocation)
  }

  @Test(arguments: reading)
  func theErrorNamesAMissingDatabaseAsItWasGiven(words: [String]) throws {
    for path in ["no.db", "./no.db", "folder/no.db", "text.db/no.db"] {
      try expect(
        words.map { $0 == "DB" ? path : $0 }, 66, "no_input", path,
        [
          "There is no file '\(path)'.", "Check the path; it is relative to the current folder.",
        ])
    }
    let absolute = place.directory.file("no.db").path(percentEncoded: false)
    try expect(
      words.map { $0 == "DB" ? absolute : $0 }, 66, "no_input", absolute,
      ["There is no file '\(absolute)'.", "Check the path."])
  }

  @Test(
    arguments: reading + [["map", "check", "DB"], ["db", "locks", "DB"]], ["folder", "link"])
  func aFolderIsNotADatabase(words: [String], folder: String) throws {
    try expect(
      words.map { $0 == "DB" ? folder : $0 }, 66, "no_input", folder,
      ["'\(folder)' is a folder, not a database.", "Name the database file itself."])
  }

  @Test(arguments: ["folder", "link"])
  func aFolderIsNotATemplate(folder: String) throws {
    try expect(
      ["map", "style", folder, "style.json"], 66, "no_input", folder,
      ["'\(folder)' is a folder, not the template of a style.", "Name the template file itself."])
  }

  @Test func theTemplateIsReadFromAPipe() throws {
    let made = try ToolProcess.shell(
      #"echo '{"version": 8, "sources": {}, "layers": []}' | "$HOLDFAST" map style /dev/stdin out"#,
      in: place.folder)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test(arguments: reading)
  func aTextFileIsNotADatabase(words: [String]) throws {
    try expect(
      words.map { $0 == "DB" ? "text.db" : $0 }, 65, "bad_data", "text.db",
      [
        "'text.db' is not a SQLite database.",
        "Check the path; a database that is encrypted is read by a tool that was built with "
          + "SQLCipher.",
      ])
  }

  @Test(arguments: [
    ("a.db-wal", [0x37, 0x7F, 0x06, 0x82, 0, 0x2D, 0xE2, 0x18], "write-ahead log", "'a.db'"),
    (
      "saved", [0x37, 0x7F, 0x06, 0x83, 0, 0x2D, 0xE2, 0x18], "write-ahead log",
      "which lay next to it"
    ),
    (
      "a.db-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], "rollback journal", "'a.db'"
    ),
  ])
  func `a log in place of its database is named`(
    name: String, start: [UInt8], log: String, database: String
  ) throws {
    try Data(start + [UInt8](repeating: 0, count: 600)).write(to: place.directory.file(name))
    for words in [["db", "check", name], ["transit", "stops", name]] {
      try expect(
        words, 65, "bad_data", name,
        [
          "'\(name)' is the \(log) of a database, and no database itself.",
          "Name the database, \(database).",
        ])
    }
  }

  @Test(arguments: [
    (
      "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
      "a pointer of Git LFS in place of the file", "Fetch the file itself: git lfs pull"
    ),
    (
      "\n<!DOCTYPE html><title>404</title>",
      "a page in HTML, as servers send it in place of a file",
      "Look at what the page says, and fetch the file again."
    ),
  ])
  func `what lies in place of a file is named`(
    text: String, sentence: String, advice: String
  ) throws {
    for name in ["a.db", "a.mbtiles", "a.pmtiles", "a.zip"] {
      try Data(text.utf8).write(to: place.directory.file(name))
    }
    for words in [["db", "check", "a.db"], ["transit", "stops", "a.db"]] {
      try expect(
        words, 65, "bad_data", "a.db", ["'a.db' is no database: it is \(sentence).", advice])
    }
    for name in ["a.mbtiles", "a.pmtiles"] {
      try expect(
        ["map", "info", name], 65, "bad_data", nil,
        ["'\(name)' is not a tileset: it is \(sentence).", advice])
    }
    try expect(
      ["transit", "import", "a.zip", "new.db"], 65, "bad_data", "a.zip",
      ["'a.zip' is no feed: it is \(sentence).", advice])
  }

  @Test func aTextFileIsNoCurrentTimetable() throws {
    try FileManager.default.moveItem(
      at: place.directory.file("text.db"), to: place.folder.appending(path: "folder/1f0c4a5e.db"))
    try Data(#"{"database":"1f0c4a5e.db","format":1}"#.utf8)
      .write(to: place.folder.appending(path: "folder/current"))
    let found = try ToolProcess.run(words: ["transit", "stops", "folder"], in: place.folder)
    #expect((found.status, found.output) == (65, ""))
    #expect(found.complaint.first == "'folder/1f0c4a5e.db' is not a SQLite database.")
  }

  @Test func aKeyIsTakenFromTheEnvironmentAndRefusedWithoutEncryption() throws {
    for (assignment, status, words) in [
      ("HOLDFAST_KEY=secret", 69, "this tool was built without encryption"),
      ("HOLDFAST_KEY_FILE=text.db", 69, "this tool was built without encryption"),
      ("HOLDFAST_KEY_FILE=nowhere", 66, "The file 'nowhere' with the key cannot be read"),
      ("HOLDFAST_KEY=", 64, "is empty"),
      ("HOLDFAST_KEY=secret HOLDFAST_CIPHER_SALT=0x1", 64, "HOLDFAST_CIPHER_SALT is no salt"),
    ] {
      let run = try ToolProcess.shell(
        "\(assignment) \"$HOLDFAST\" db query text.db 'SELECT 1'", in: place.folder)
      #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
      #expect(!run.errors.contains("secret"))
    }
  }

  /// SQLite's error when it cannot create a log; the code depends on the folder.
  @Test func aReadOnlyFolderIsNotReportedAsAnInternalFault() {
    let cause = DatabaseError(
      resultCode: .SQLITE_READONLY_DIRECTORY, message: "attempt to write a readonly database",
      path: "log.db")
    let report = ErrorReport(cause)
    #expect(report.error.exitCode == .noInput)
    #expect(report.error.file == "log.db")
    #expect(
      report.lines == [
        "'log.db' cannot be read: attempt to write a readonly database.",
        "Make the folder of the database writable, or ship the file without write-ahead log: "
          + "`PRAGMA journal_mode = DELETE` before it is shipped.",
      ])
  }

  @Test(arguments: reading.prefix(3))
  func anotherDatabaseIsNotATimetable(words: [String]) throws {
    try expect(
      words.map { $0 == "DB" ? "empty.db" : $0 }, 65, "bad_data", "empty.db",
      [
        "'empty.db' is not a timetable database: its application_id is 0, expected 1212576884.",
        "Make a timetable database with `holdfast transit import FEED OUT.db`.",
      ])
  }

  @Test func anUnwritableDestinationIsRefusedFirst() throws {
    for folder in ["folder", "link"] {
      try expect(
        ["transit", "import", Workplace.sample, folder], 73, "cannot_create", folder,
        ["'\(folder)' is a folder, and a file is to be made.", "Name a file in it."])
    }
    try expect(
      ["transit", "import", Workplace.sample, "no/such.db"], 73, "cannot_create", "no/such.db",
      [
        "'no/such.db' cannot be made: there is no such folder.",
        "Make the folder first, or name another one.",
      ])
    try expect(
      ["transit", "import", Workplace.sample, "text.db"], 73, "cannot_create", "text.db",
      [
        "'text.db' exists and is not a timetable database; it was left as it is.",
        "Choose another name for the database, or remove the file.",
      ])
  }

  @Test func thePreviousDatabaseMustBeATimetable() throws {
    try expect(
      ["transit", "import", Workplace.sample, "new.db", "--previous", "folder"], 66, "no_input",
      "folder", ["'folder' is a folder, not a database.", "Name the database file itself."])
    let text = try place.run(
      "transit", "import", Workplace.sample, "new.db", "--previous", "text.db")
    #expect(text.status == 65)
    #expect(text.complaint.first == "'text.db' is not a SQLite database.")
    let missing = try place.run(
      "transit", "import", Workplace.sample, "new.db", "--previous", "no.db")
    #expect(missing.status == 66)
    #expect(missing.complaint.first == "There is no file 'no.db'.")
  }

  @Test(arguments: ["import", "report"])
  func theFeedMustBeAFeed(verb: String) throws {
    let output = verb == "import" ? ["new.db"] : []
    try expect(
      ["transit", verb, "no.zip"] + output, 66, "no_input", "no.zip",
      [
        "There is no feed 'no.zip': there is no such file or folder.",
        "Check the path; it must name a GTFS zip archive or a folder.",
      ])
    try expect(
      ["transit", verb, "text.db"] + output, 65, "bad_data", "text.db",
      [
        "'text.db' is neither a zip archive nor a folder.",
        "Name a GTFS Schedule feed: a zip archive or the folder of its text files.",
      ])
    for nothing in ["empty.zip", "folder"] {
      try expect(
        ["transit", verb, nothing] + output, 65, "bad_data", nothing,
        ["'\(nothing)' is empty.", "Name the feed, or fetch it again."])
    }
  }

  @Test(arguments: [
    ["transit"], ["transit", "serch", "a.db"], ["transit", "search"],
    ["transit", "search", "a.db", "b", "c"], ["transit", "stops", "a.db", "--type", "9"],
    ["db", "query", "a.db", "--limt", "3"], ["demo", "--container", ""], ["--version", "x"],
  ])
  func anInvalidCommandLineIsAUsageError(words: [String]) throws {
    let refused = try ToolProcess.run(words: words, in: place.folder)
    #expect(refused.status == 64)
    #expect(refused.output == "")
    #expect(refused.complaint.count == 2)
  }
}
