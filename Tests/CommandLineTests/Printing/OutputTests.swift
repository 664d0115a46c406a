import Foundation
import Testing

@testable import HoldfastTool

@Suite struct OutputTests {
  @Test func anEmptyListingIsNotedOnlyInTextOutput() throws {
    let people = try Transcript()
    try Output(.table, console: people.console).records(of: "stops", [])
    #expect(try people.output == "")
    #expect(try people.errors == "No stops found.\n")

    let programs = try Transcript()
    try Output(.json, console: programs.console).records(of: "stops", [])
    #expect(try programs.output == "")
    #expect(try programs.errors == "")
  }

  @Test func `A summary's names cannot control a terminal`() throws {
    let transcript = try Transcript()
    try Output(.table, console: transcript.console).record([
      "rows": .record(["a\nb\u{1B}[2J.txt": .integer(1)]), "bytes": .integer(2),
    ])
    #expect(
      try transcript.output == #"""
        rows.a\nb\u001b[2J.txt  1
        bytes                   2

        """#)
  }

  @Test func `Names in remarks and errors cannot control a terminal`() throws {
    let transcript = try Transcript()
    let output = Output(.table, console: transcript.console)
    output.note("No \u{1B}[31mstop")
    output.explain("in \u{9B}2J", [:])
    #expect(try transcript.errors == "No \\u001b[31mstop\nin \\u009b2J\n")
  }

  @Test func `A summary has no line without a value, and numbers that belong together on one`()
    throws
  {
    let record: OutputRecord = [
      "wal_bytes": .null, "bounds": .list([.real(-1.5), .integer(2)]),
      "layers": .list([.text("a"), .text("b")]), "inner": .record(["none": .null]),
      "warnings": .list([]),
    ]
    let people = try Transcript()
    try Output(.table, console: people.console).record(record)
    #expect(
      try people.output == """
        bounds    -1.5, 2
        layers    a
                  b
        warnings  none

        """)
    let programs = try Transcript()
    try Output(.json, console: programs.console).record(record)
    #expect(try programs.output.contains(#""wal_bytes":null"#))
  }

  @Test func `Styles are on terminals that show them, and texts cannot add any`() throws {
    for (columns, isStyled) in [(80, true), (80, false), (nil, false)] as [(Int?, Bool)] {
      let transcript = try Transcript(outputColumns: columns, isStyled: isStyled)
      let instant = Cell(Date(timeIntervalSince1970: 0), in: .gmt)
      try Output(.table, console: transcript.console).records(
        of: "stops", as: TextTable.Layout(styles: ["name": ["": .green]]),
        [["at": instant, "name": .text("A\u{1B}[31m")]])
      let (bold, green, end) =
        isStyled ? ("\u{1B}[1m", "\u{1B}[32m", "\u{1B}[0m") : ("", "", "")
      #expect(
        try transcript.output == """
          \(bold)Thursday 1970-01-01, UTC\(end)
          \(bold)at     name\(end)
          00:00  \(green)A\\u001b[31m\(end)

          """)
    }
  }

  @Test func jsonIsWrittenBeforeTheListingEnds() throws {
    let transcript = try Transcript()
    let console = transcript.console
    var bytesBeforeTheEnd = 0
    try Output(.json, console: console).records(of: "rows") { listing in
      for number in 0..<5000 { try listing.write(["n": Cell(number)]) }
      bytesBeforeTheEnd = try transcript.output.utf8.count
    }
    #expect(bytesBeforeTheEnd >= 32 << 10)
    let lines = try transcript.output.split(separator: "\n")
    #expect(lines.count == 5000)
    #expect(lines.last == #"{"n":4999}"#)
  }

  @Test func aLongTableKeepsTheWidthsOfItsFirstRows() throws {
    let transcript = try Transcript()
    try Output(.table, console: transcript.console).records(of: "rows") { listing in
      for number in 0..<1000 { try listing.write(["n": Cell(number), "t": .text("x")]) }
      #expect(throws: Never.self) { try listing.write(["n": .integer(123_456), "t": .text("y")]) }
    }
    let lines = try transcript.output.split(separator: "\n")
    #expect(lines.count == 1002)
    #expect(lines[0] == "  n  t")
    #expect(lines[1] == "  0  x")
    #expect(lines[1001] == "123456  y")
  }

  @Test func anIdentifierAfterTheFirstRowsIsComplete() throws {
    let columns = 60
    let transcript = try Transcript(outputColumns: columns)
    let name = String(repeating: "y", count: 60)
    let long = String(repeating: "x1", count: 40)
    try Output(.table, console: transcript.console).records(of: "stops") { listing in
      func write(_ id: String, parent: String = "") {
        #expect(throws: Never.self) {
          try listing.write([
            "stop_id": .text(id), "stop_name": .text(name), "parent_id": .text(parent),
          ])
        }
      }
      for number in 0..<1000 { write("\(number)") }
      write(long)
      write("1001")
      write("1002", parent: "a parent")
    }
    let lines = try transcript.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= columns })
    #expect(lines[0] == "stop_id  stop_name")
    #expect(lines[1000].hasPrefix("999      yyy"))
    // A block, with an empty line before and after it.
    #expect(lines[1001] == "")
    #expect(lines[1002] == "stop_id    " + long.prefix(49))
    #expect(lines[1003] == "           " + long.dropFirst(49))
    #expect(lines[1004] == "stop_name  " + name.prefix(49))
    #expect(lines[1006] == "")
    #expect(lines[1007].hasPrefix("1001     yyy"))
    #expect(lines[1009] == "stop_id    1002")
    #expect(lines[1012] == "parent_id  a parent")
  }

  @Test func aRecordIsOneLinePerKeyOrOneJSONObject() throws {
    let record: OutputRecord = [
      "feed": .text("harbour.zip"), "rows": .record(["stops.txt": .integer(60)]),
    ]
    let people = try Transcript()
    try Output(.table, console: people.console).record(record)
    #expect(try people.output == "feed            harbour.zip\nrows.stops.txt  60\n")

    let programs = try Transcript()
    try Output(.json, console: programs.console).record(record)
    #expect(try programs.output == #"{"feed":"harbour.zip","rows":{"stops.txt":60}}"# + "\n")
  }

  @Test func notesAreAbsentFromJSONOutput() throws {
    for (format, output, errors) in [(Output.Format.table, "step\n", "aside\n"), (.json, "", "")] {
      let transcript = try Transcript()
      let printer = Output(format, console: transcript.console)
      try printer.line("step")
      printer.note("aside")
      try transcript.console.flush()
      #expect(try transcript.output == output)
      #expect(try transcript.errors == errors)
    }
  }
}
