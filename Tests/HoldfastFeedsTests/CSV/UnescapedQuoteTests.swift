import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

/// Values whose quotes are not doubled, as publishers write them.
@Suite struct UnescapedQuoteTests {
  private static func values(_ text: String, size: Int = 256 << 10) throws -> [[String]] {
    try CSVFile(bytes: Array(text.utf8), size: size).rows().map { row in
      row.values.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(arguments: [
    // At the end, in the middle, at the start of the value, and all of it.
    (#""1","Osnabrück, "emma"","52""#, ["1", #"Osnabrück, "emma""#, "52"]),
    (#""1","Rathaus "Vis-à-Vis Bus" Nord","52""#, ["1", #"Rathaus "Vis-à-Vis Bus" Nord"#, "52"]),
    (#""1",""Vis-à-Vis" Bus","52""#, ["1", #""Vis-à-Vis" Bus"#, "52"]),
    (#""1",""Vis-à-Vis"","52""#, ["1", #""Vis-à-Vis""#, "52"]),
    // A single quote, as of inches.
    (#""1","5" pipe","52""#, ["1", #"5" pipe"#, "52"]),
    (#""1","pipe 5"","52""#, ["1", #"pipe 5""#, "52"]),
    (#""1","pipe 5"",52"#, ["1", #"pipe 5""#, "52"]),
    (#""1","52","pipe 5"""#, ["1", "52", #"pipe 5""#]),
    (#""1",""5 pipe","52""#, ["1", #""5 pipe"#, "52"]),
    // The first and the last field of a row.
    (#""a "b" c","52","d "e"""#, [#"a "b" c"#, "52", #"d "e""#]),
    // Quotes around commas.
    (#""1","Am "Markt, Nord" 5","52""#, ["1", #"Am "Markt, Nord" 5"#, "52"]),
    (#""1","Am "Markt", Nord","52""#, ["1", #"Am "Markt", Nord"#, "52"]),
    (#"1,"Am "Markt", Nord",52"#, ["1", #"Am "Markt", Nord"#, "52"]),
    (#""1","Am "Markt","Nord"","52""#, ["1", #"Am "Markt","Nord""#, "52"]),
    // A value that begins with a quote, in a field without quotes.
    (#"1,"Alte Post" Markt,52"#, ["1", #""Alte Post" Markt"#, "52"]),
    (#"1,"Alte Post" Markt,"52""#, ["1", #""Alte Post" Markt"#, "52"]),
    (#"1,Am "Markt",52"#, ["1", #"Am "Markt""#, "52"]),
    (#"1,Am Markt 5",52"#, ["1", #"Am Markt 5""#, "52"]),
    // Spaces around fields.
    (#""1" , "Am "Markt"" , "52" "#, ["1", #"Am "Markt""#, "52"]),
    // Two such fields.
    (#""a "b"","c "d"","52""#, [#"a "b""#, #"c "d""#, "52"]),
    // A row with fewer fields than the header.
    (#""1","Am "Markt" 5""#, ["1", #"Am "Markt" 5"#]),
    // Quotes that are doubled as they must be.
    (#""1","Am ""Markt"", Nord","52""#, ["1", #"Am "Markt", Nord"#, "52"]),
    (#""1","""Markt""","52""#, ["1", #""Markt""#, "52"]),
  ])
  func `a quote that is not doubled keeps its characters`(row: String, expected: [String]) throws {
    for end in ["\n", "\r\n", "\r"] {
      for mark in ["", "\u{FEFF}"] {
        let lines = [#""a","b","c""#, row, #""x","y","z""#]
        let text = mark + lines.map { $0 + end }.joined()
        for size in [1, 7, 256 << 10] {
          #expect(
            try Self.values(text, size: size) == [["a", "b", "c"], expected, ["x", "y", "z"]])
        }
        // The last line of a file may have no line end.
        #expect(
          try Self.values(mark + lines[0] + end + row) == [["a", "b", "c"], expected])
      }
    }
  }

  @Test(arguments: [
    // A quote that nothing closes ends with its line.
    ("a,b\n1,\"x\n2,\"y\"\n", [["a", "b"], ["1", "x"], ["2", "y"]]),
    ("\"a\",\"b\"\n\"1\",\"x\n\"2\",\"y\"\n", [["a", "b"], ["1", "x"], ["2", "y"]]),
    ("\"a\",\"b\"\n\"1\",\"5\"\"\n\"2\",\"y\"\n", [["a", "b"], ["1", "5\""], ["2", "y"]]),
    // A line break before the quote is part of the value.
    ("a,b\n1,\"x\ny \"z\" w\"\n2,v\n", [["a", "b"], ["1", "x\ny \"z\" w"], ["2", "v"]]),
  ])
  func `a row with such a quote ends with its line`(text: String, expected: [[String]]) throws {
    for size in [1, 5, 1000] { #expect(try Self.values(text, size: size) == expected) }
  }

  /// With time that grows with the square of the length, this test would not end.
  @Test(arguments: [
    #""a"b,"#, #""a"","#, #""""a"","#, #"" ","#, #"a"#, #""a" "#,
  ])
  func `a long line of quotes is read`(repeated: String) throws {
    let line = #""x"y"# + String(repeating: repeated, count: 600_000 / repeated.utf8.count)
    let rows = try Self.values("a,b\n\(line)\n1,2\n")
    // A row with too many fields ends the reading.
    #expect(rows.count == (repeated.contains(",") ? 2 : 3))
  }
}
