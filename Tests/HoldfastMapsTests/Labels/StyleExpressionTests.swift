import Foundation
import Testing

@testable import HoldfastMaps

@Suite struct StyleExpressionTests {
  private static let feature = StyleFeature(
    [
      "name": .text("Stage"), "name_el": .text("Σκηνή"), "rank": .number(3), "open": .bool(true),
      "null": .null,
    ], geometryType: "Point")

  private static func json(_ text: String) throws -> StyleJSON {
    let document = try JSONDocument(Array(text.utf8))
    return StyleJSON(document.root, in: document)
  }

  /// What is written for the feature, sorted, with the fonts where they differ from the layer's.
  private static func texts(_ field: String) throws -> [String] {
    Set(
      StyleExpression(feature).labelTexts(try json(field)).map { text in
        text.text + (text.fonts.map { " in \($0.joined(separator: ","))" } ?? "")
      }
    ).sorted()
  }

  @Test(
    arguments: [
      (#""{name}""#, ["Stage"]), (#""{name} ({rank})""#, ["Stage (3)"]),
      (#""{gone}|{""#, ["|{"]), (#"["get", "name"]"#, ["Stage"]),
      (#"["get", "gone"]"#, []), (#"["get", ["concat", "na", "me"]]"#, ["Stage"]),
      (#"["upcase", ["get", "name"]]"#, ["STAGE"]), (#"["downcase", "ÀB"]"#, ["àb"]),
      (#"["concat", ["get", "name"], " ", ["to-string", ["get", "rank"]]]"#, ["Stage 3"]),
      (#"["coalesce", ["get", "gone"], ["get", "name"], "x"]"#, ["Stage"]),
      (#"["coalesce", ["get", "null"], "x"]"#, ["x"]),
      (#"["case", ["==", ["get", "rank"], 3], "three", "other"]"#, ["three"]),
      (#"["case", ["has", "gone"], "gone", ["get", "name"]]"#, ["Stage"]),
      // The zoom level is not known, so both may be written.
      (#"["case", [">", ["zoom"], 5], "near", "far"]"#, ["far", "near"]),
      (#"["step", ["zoom"], "a", 5, "b", 9, "c"]"#, ["a", "b", "c"]),
      (#"["step", ["get", "rank"], "a", 3, "b", 9, "c"]"#, ["b"]),
      (#"["match", ["get", "name"], ["Stage", "x"], "s", "y", "t", "u"]"#, ["s"]),
      (#"["match", ["get", "rank"], 1, "one", "many"]"#, ["many"]),
      (#"["match", ["zoom"], 1, "one", 2, "two", "many"]"#, ["many", "one", "two"]),
      (
        #"["format", ["get", "name"], {"text-font": ["literal", ["B"]]}, "\n", {}, ["get", "name_el"], {}]"#,
        ["\n", "Stage in B", "Σκηνή"]
      ),
      (#"["format", ["image", "dot"], ["get", "name"]]"#, ["Stage"]),
      (#"["let", "n", ["get", "name"], ["concat", ["var", "n"], "!"]]"#, ["Stage!"]),
      (
        #"["let", "n", ["step", ["zoom"], "a", 5, "b"], ["upcase", ["var", "n"]]]"#, ["A", "B"]
      ),
      // Two names that stand for each other.
      (#"["let", "a", ["var", "b"], "b", ["var", "a"], ["var", "a"]]"#, []),
      (#"["to-string", ["get", "open"]]"#, ["true"]),
      (#"["number-format", ["get", "rank"], {}]"#, ["0123456789.,-"]),
      (#"{"stops": [[0, "{name}"], [9, "{name_el}"]]}"#, ["Stage", "Σκηνή"]),
      (#"{"type": "identity", "property": "name"}"#, ["Stage"]),
      (#"{"type": "identity", "property": "gone", "default": "d"}"#, ["d"]),
      (#"["case", ["all", ["has", "name"], ["!", ["has", "gone"]]], "y", "n"]"#, ["y"]),
      (#"["case", ["any", ["zoom"], ["==", 1, 1]], "y", "n"]"#, ["y"]),
      (#"["case", ["in", ["get", "name"], ["literal", ["Stage"]]], "y", "n"]"#, ["y"]),
      (#"["case", ["==", ["geometry-type"], "Point"], "y", "n"]"#, ["y"]),
      (#"["unheard-of", 1]"#, []), ("5", ["5"]),
    ] as [(String, [String])])
  func `The texts of a label are those that a map may write`(
    field: String, texts: [String]
  ) throws {
    #expect(try Self.texts(field) == texts)
  }

  @Test(
    arguments: [
      (#"["Open Sans", "Noto"]"#, [["Open Sans", "Noto"]]),
      (#"["literal", ["A"]]"#, [["A"]]),
      (#"["step", ["zoom"], ["literal", ["A"]], 9, ["literal", ["B"]]]"#, [["A"], ["B"]]),
      (#"["case", ["==", ["get", "rank"], 3], ["literal", ["A"]], ["literal", ["B"]]]"#, [["A"]]),
      (#"["match", ["get", "name"], "x", ["literal", ["A"]], ["literal", ["B"]]]"#, [["B"]]),
      (#"{"stops": [[0, ["A"]], [9, ["B", "C"]]]}"#, [["A"], ["B", "C"]]),
    ] as [(String, [[String]])])
  func `The fonts of a label are those that may be used`(
    value: String, stacks: [[String]]
  ) throws {
    #expect(StyleExpression(Self.feature).fontStacks(try Self.json(value)) == stacks)
  }

  @Test(
    arguments: [
      (#"["==", "name", "Stage"]"#, true), (#"["==", "name", "x"]"#, false),
      (#"["!=", "gone", "x"]"#, true), (#"["==", "gone", "x"]"#, false),
      (#"["in", "name", "x", "Stage"]"#, true), (#"["!in", "name", "x", "Stage"]"#, false),
      (#"["has", "name"]"#, true), (#"["!has", "name"]"#, false),
      (#"["==", "$type", "Point"]"#, true), (#"["==", "$type", "Polygon"]"#, false),
      (#"["all", ["==", "name", "Stage"], [">", "rank", 2]]"#, true),
      (#"["all", ["==", "name", "Stage"], ["<", "rank", 2]]"#, false),
      (#"["any", ["==", "name", "x"], [">=", "rank", 3]]"#, true),
      (#"["none", ["==", "name", "x"], ["has", "gone"]]"#, true),
      (#"["none", ["==", "name", "Stage"]]"#, false),
      (#"["==", ["get", "name"], "Stage"]"#, true), (#"["==", ["get", "name"], "x"]"#, false),
      (#"["in", ["get", "name"], ["literal", ["x"]]]"#, false),
      (#"["match", ["get", "name"], ["x"], true, false]"#, false),
      // What is not known lets a feature through.
      (#"[">", ["zoom"], 5]"#, true), (#"["all", [">", ["zoom"], 5], ["==", "name", "x"]]"#, false),
      (#"["unheard-of"]"#, true), ("true", true), ("false", false),
    ] as [(String, Bool)])
  func `A filter lets through what a map may draw`(filter: String, passes: Bool) throws {
    let filters = StyleFilter(expression: StyleExpression(Self.feature))
    #expect(filters.mayPass(try Self.json(filter)) == passes)
    #expect(filters.mayPass(nil))
  }

  @Test(
    arguments: [
      ("Stage", ["0-255"]), ("Σκηνή", ["768-1023"]), ("a’", ["0-255", "8192-8447"]),
      // MapLibre Native looks for each half of an emoji's pair.
      ("😀", ["55296-55551", "56832-57087"]), ("سلام", ["65024-65279"]),
      ("پ", ["64256-64511"]), ("٣،", ["1536-1791"]), ("", []),
      // A hamza has no other form, and nor have letters of few languages.
      ("ماء", ["1536-1791", "65024-65279"]), ("\u{671}", ["1536-1791"]), ("\u{6A4}", ["1536-1791"]),
      ("\u{65C}", ["65024-65279"]),
    ])
  func `The ranges of a text are those that the engine reads`(
    text: String, ranges: [String]
  ) {
    let found = GlyphRange.all(in: text)
    #expect(found.keys.sorted().map(\.name) == ranges)
    #expect(!found.values.contains(false))
  }

  @Test func `Characters that iOS draws itself are told from others`() {
    #expect(GlyphRange.all(in: "中a").filter { $0.value }.keys.map(\.name) == ["0-255"])
    #expect(!GlyphRange.all(in: "\u{97D3}\u{304B}\u{30CA}\u{AE00}").values.contains(true))
    // It takes these from the files, as any other renderer does.
    for code: UInt16 in [0x3002, 0xFF21, 0x337B, 0x3105, 0x3400, 0xA000, 0xF900] {
      let found = GlyphRange.all(in: String(decoding: [code], as: UTF16.self))
      #expect(!found.values.contains(false), "\(code)")
    }
    #expect(GlyphRange.all(in: "\u{304B}\u{3002}").values.contains(true))
  }
}
