import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Paths are found wherever an app stores them.
@Suite struct MissedPathTests {
  private static let gone = "\(StoredPathTests.device)/Documents/gone.jpg"

  let copy: ContainerCopy

  init() throws { copy = try ContainerCopy() }

  private static func json(_ value: String, nestedIn count: Int, escapesSlashes: Bool) throws
    -> String
  {
    let options: JSONSerialization.WritingOptions = escapesSlashes ? [] : [.withoutEscapingSlashes]
    return try (0..<count).reduce(value) { inner, _ in
      let bytes = try JSONSerialization.data(withJSONObject: ["a": inner], options: options)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Stores of JavaScript keep JSON as strings in JSON, with more escapes each time.
  @Test(arguments: 1...5, [true, false])
  func aPathInJSONWithinJSONIsFound(count: Int, escapesSlashes: Bool) throws {
    let names = ["there.jpg", "it's \"one\".jpg", "a\\b.jpg"]
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(sql: "CREATE TABLE gone (a); CREATE TABLE there (a)")
      for name in names {
        try copy.write("x", to: "Documents/\(name)")
        let path = "\(StoredPathTests.device)/Documents/\(name)"
        try db.execute(
          sql: "INSERT INTO there VALUES (?)",
          arguments: [Self.json(path, nestedIn: count, escapesSlashes: escapesSlashes)])
      }
      try db.execute(
        sql: "INSERT INTO gone VALUES (?)",
        arguments: [Self.json(Self.gone, nestedIn: count, escapesSlashes: escapesSlashes)])
    }
    let key = Array(repeating: "a", count: count).joined(separator: ".")
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path Documents/a.sqlite there a \(key) ×3",
        "absolute_path Documents/a.sqlite gone a \(key)",
        "dead_reference Documents/a.sqlite gone a \(key)",
      ])
  }

  /// React Native stores a long value in a file without an ending.
  @Test func aStringAloneInAFileIsJSON() throws {
    let file = "Library/Application Support/app/RCTAsyncLocalStorage_V1/0123456789abcdef"
    try copy.write("\"file://\(Self.gone)\"", to: file)
    #expect(
      try copy.doctor("--json").findings == ["absolute_path \(file)", "dead_reference \(file)"])
  }

  /// Rows of CSV, sentences and sources begin with a quote too, and are no JSON.
  @Test func aTextThatBeginsWithAStringIsRead() throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      for text in [
        "\"a.jpg\",\(Self.gone),\"x\"", "\"a.jpg\" moved to \(Self.gone) \"ok\"",
      ] {
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [text])
      }
    }
    try copy.write("\"use strict\";var a=\"\(Self.gone)\"", to: "Documents/app")
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path Documents/a.sqlite t a ×2", "unknown_reference Documents/a.sqlite t a ×2",
      ])
  }

  /// As editors on Windows store it; the letters do not end where the file is read in parts.
  @Test(arguments: [false, true]) func aPropertyListInUTF16IsRead(isBigEndian: Bool) throws {
    let filler = String(repeating: "😀", count: 70_000)
    let text = """
      <?xml version="1.0" encoding="UTF-16"?><plist version="1.0"><dict><key>note</key>
      <string>a\(filler)</string><key>last</key><string>\(Self.gone)</string></dict></plist>
      """
    let units = ("\u{FEFF}" + text).utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? bytes : bytes.reversed()
    }
    let file = "Library/Preferences/wide.plist"
    try copy.write(Data(units), to: file)
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path \(file) last", "dead_reference \(file) last",
      ])
  }

  /// A quote in a quoted field, or an escape, may go on behind what looks like the end.
  @Test(arguments: ["a.csv", "b.yaml", "c.gpx", "d.m3u8"])
  func aPathInALineOfTextProvesNothing(name: String) throws {
    try copy.write("x", to: "Documents/there.jpg")
    let text = """
      title,path\r
      "My ""best"" one",\(StoredPathTests.device)/Documents/there.jpg,3\r
      - path: '\(StoredPathTests.device)/Documents/it''s.jpg'
      <link href="\(Self.gone)"/>
      Documents/there.jpg
      """
    try copy.write(text, to: "Documents/\(name)")
    // What is for people names no file for the app.
    try copy.write(text, to: "Documents/notes.txt")
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path Documents/\(name) ×3", "unknown_reference Documents/\(name) ×2",
      ])
  }

  @Test func aBoxOfHiveIsNamed() throws {
    try copy.write(Data([9, 0, 0, 0, 1, 1, 0x61, 0, 0, 0]), to: "Documents/settings.hive")
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["not_examined Documents/settings.hive"])
    let message = try found.objects.first?["message"] as? String
    #expect(message == "The file is a Hive box, and was not examined.")
  }

  /// Next to an index are tables of values, and tables of the app with similar names.
  @Test(arguments: [
    ("rtree(id, low, high, +path TEXT)", "INSERT INTO v VALUES (1, 2, 3, ?)", "v_rowid a0"),
    (
      "fts5(t)", "CREATE TABLE v_parent (path); INSERT INTO v_parent VALUES (?)",
      "v_parent path"
    ),
    ("fts4(t)", "CREATE TABLE v_data (path); INSERT INTO v_data VALUES (?)", "v_data path"),
    (
      "rtree(id, low, high)", "CREATE TABLE v_config (path); INSERT INTO v_config VALUES (?)",
      "v_config path"
    ),
  ])
  func aPathBesideAnIndexIsFound(module: String, insertion: String, place: String) throws {
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE v USING \(module)")
      try db.execute(sql: insertion, arguments: [Self.gone])
    }
    #expect(
      try copy.doctor("--json").findings == [
        "absolute_path Documents/a.sqlite \(place)", "dead_reference Documents/a.sqlite \(place)",
      ])
  }
}
