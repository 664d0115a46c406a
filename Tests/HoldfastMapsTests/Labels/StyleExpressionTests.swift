import Foundation
import Testing

@testable import HoldfastMaps

@Suite struct StyleExpressionTests {
  private static let feature = StyleFeature(
    [
      "name": .text("Stage"), "name_el": .text("Σκηνή"), "rank": .number(3), "open": .bool(true),
      "null": .null, "list": .array([.text("→"), .number(1)]), "height": .number(0.7),
      "length": .text("5 km"), "blank": .text(" "), "node": .number(12_000_000_000),
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
      (
        #"{"type": "categorical", "property": "name", "stops": [["Stage", "s"], ["x", "t"]], "default": "d"}"#,
        ["s"]
      ),
      (#"{"type": "identity", "property": "name"}"#, ["Stage"]),
      (#"{"type": "identity", "property": "gone", "default": "d"}"#, ["d"]),
      (#"["case", ["all", ["has", "name"], ["!", ["has", "gone"]]], "y", "n"]"#, ["y"]),
      (#"["case", ["any", ["zoom"], ["==", 1, 1]], "y", "n"]"#, ["y"]),
      (#"["case", ["in", ["get", "name"], ["literal", ["Stage"]]], "y", "n"]"#, ["y"]),
      (#"["case", ["==", ["geometry-type"], "Point"], "y", "n"]"#, ["y"]),
      (#"["unheard-of", 1]"#, []), ("5", ["5"]),
      // Numbers, truth and names that are not known here are ASCII.
      (#"["to-string", ["+", ["get", "rank"], 1]]"#, ["0123456789.,-"]),
      (#"["to-string", ["+", ["zoom"], 1]]"#, []),
      (#"["concat", "→", ["typeof", ["get", "name"]]]"#, ["0123456789.,-", "→"]),
      (#"["to-string", ["index-of", "→", ["get", "name"]]]"#, ["0123456789.,-"]),
      // Lists and objects are written as JSON.
      (#"["to-string", ["get", "list"]]"#, [#"["→",1]"#]), (#""{list}""#, [#"["→",1]"#]),
      (#"["to-string", ["literal", ["→", 1]]]"#, [#"["→",1]"#]),
      (#"["get", "k", ["literal", {"k": "→"}]]"#, ["→"]),
      (#"["get", "name", ["properties"]]"#, ["Stage"]),
      // The characters of another language's numbers are not known.
      (#"["number-format", ["get", "rank"], {"locale": "ar"}]"#, []),
      // An error empties the whole label.
      (#"["concat", "→", ["to-string", ["number", ["get", "name"]]]]"#, []),
      (#"["coalesce", ["number", ["get", "name"]], "→"]"#, []),
      (#"["at", 1, ["literal", ["a", "→"]]]"#, ["→"]),
      (#"["at", ["zoom"], ["literal", ["a", "→"]]]"#, ["a", "→"]),
      (#"["step", ["get", "gone"], "a", 3, "b"]"#, []),
      // MapLibre Native's `step` has an input of 32 bits, and that of MapLibre GL JS 64.
      (#"["step", ["get", "height"], "a", 0.7, "b"]"#, ["a", "b"]),
      (#"["step", ["get", "height"], "a", 0.5, "b", 0.75, "c"]"#, ["b"]),
      (#"["step", ["get", "node"], "a", 12000000000, "b"]"#, ["b"]),
      // MapLibre Native makes a number of what a text begins with, and MapLibre GL JS 0 of a blank one.
      (#"["concat", ["to-number", ["get", "length"]], "→"]"#, ["0123456789.,-", "→"]),
      (#"["concat", ["to-number", ["get", "blank"]], "→"]"#, ["0123456789.,-", "→"]),
      (#"["concat", ["to-number", ["get", "open"]], "→"]"#, ["0123456789.,-", "→"]),
      (#"["concat", ["to-number", ["get", "name"]], "→"]"#, []),
      (#"["concat", ["to-number", "-1.5e2"], "→"]"#, ["-150→"]),
      (#"["concat", ["to-number", "North"], "→"]"#, []),
      (#"["concat", ["to-number", "-km"], "→"]"#, []),
      // Whole numbers of more than 32 bits are another text in MapLibre Native.
      (#"["get", "node"]"#, ["-2147483648", "12000000000"]),
      (#"["concat", "→", ["get", "node"]]"#, ["-2147483648", "12000000000", "→"]),
      (#"["case", ["==", ["to-string", ["get", "node"]], "12000000000"], "a", "b"]"#, ["a", "b"]),
      (#"["case", ["==", ["get", "node"], 12000000000], "a", "b"]"#, ["a"]),
      // A formatted text is never null, and a plain one has no fonts of its own.
      (#"["coalesce", ["format", ["get", "gone"], {}], ["get", "name"]]"#, []),
      (
        #"["to-string", ["format", ["get", "name"], {"text-font": ["literal", ["B"]]}]]"#, ["Stage"]
      ),
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
      (#"["array", "string", ["literal", ["A"]]]"#, [["A"]]), (#"["get", "name"]"#, []),
      (#"["array", "string", 1, ["literal", ["A"]]]"#, [["A"]]),
      (#"["at", 1, ["literal", [["A"], ["B"]]]]"#, [["B"]]),
      (#"["at", ["zoom"], ["literal", [["A"], ["B"]]]]"#, [["A"], ["B"]]),
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
      // What ends in an error lets nothing through.
      (#"[">", ["get", "name"], 1]"#, false), (#"[">", ["get", "gone"], 1]"#, false),
      (#"[">", ["number", ["get", "name"]], 1]"#, false),
      (#"["all", [">", ["zoom"], 5], ["<", ["to-number", ["get", "name"]], 1]]"#, false),
      (#"["any", ["==", 1, 1], [">", ["get", "name"], 1]]"#, true),
      (#"["step", ["get", "height"], true, 0.7, false]"#, true),
      (#"["<", ["to-number", ["get", "length"]], 6]"#, true),
      (#"[">", ["number", ["get", "name"], ["get", "rank"]], 1]"#, true),
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

  @Test(
    arguments: [
      (#"["get", "name"]"#, []), (#""{name}""#, []), (#"["to-string", ["zoom"]]"#, []),
      (#"["number-format", 1, {"max-fraction-digits": 1}]"#, []),
      (#"["number-format", 1, {"currency": "EUR"}]"#, [#"["number-format",1,{"currency":"EUR"}]"#]),
      (
        #"["concat", "a", ["case", ["feature-state", "x"], ["feature-state", "y"], "b"]]"#,
        [#"["feature-state","y"]"#]
      ),
      (#"["format", ["get", "name"], {"text-font": ["get", "font"]}]"#, [#"["get","font"]"#]),
      (#"["let", "x", ["id"], ["var", "x"]]"#, [#"["id"]"#]),
      (#"["at", 0, ["literal", ["a"]]]"#, []), (#"["at", 0, ["id"]]"#, [#"["id"]"#]),
      (#"["step", ["id"], "a", 1, "b"]"#, []),
    ] as [(String, [String])])
  func `What becomes a text and is not evaluated is known`(field: String, parts: [String]) throws {
    #expect(StyleOperator.unknownTexts(in: try Self.json(field)).map(\.json) == parts)
  }

  @Test(
    arguments: [
      (#""a""#, ["a"]), (#"["match", ["get", "x"], "p", "a", ["image", "b"]]"#, ["a", "b"]),
      (#"["step", ["zoom"], "a", 5, ["case", ["has", "x"], "b", "c"]]"#, ["a", "b", "c"]),
      (#"{"stops": [[0, "a"], [5, "b"]], "default": "c"}"#, ["a", "b", "c"]),
      (#"["get", "x"]"#, []), (#"["coalesce", ["image", "a"], "b"]"#, []),
    ] as [(String, [String])])
  func `The texts among which an expression chooses are known`(
    value: String, texts: [String]
  ) throws {
    #expect(StyleOperator.constants(in: try Self.json(value)) == texts)
  }

  @Test func `Signs of vertical texts have other glyphs`() {
    func names(_ text: String) -> [String] {
      GlyphRange.all(in: text, isVertical: true).keys.sorted().map(\.name)
    }
    #expect(names("(") == ["0-255", "65024-65279"])
    #expect(names("、") == ["12288-12543", "65024-65279"])
    #expect(names("$") == ["0-255", "65280-65535"] && names(".") == ["0-255", "12288-12543"])
    #expect(names("|") == ["0-255", "8192-8447"] && names("a東") == ["0-255", "26368-26623"])
    for text in ["東", "a서", "。", "カ", "Ａ"] { #expect(VerticalWriting.isPossible(for: text)) }
    for text in ["(a)", "Σκηνή", "「", "ー", "（", "سلام", ""] {
      #expect(!VerticalWriting.isPossible(for: text), "\(text)")
    }
  }

  @Test(
    arguments: [
      ("{}", false), (#"{"symbol-placement": "line"}"#, true),
      (#"{"symbol-placement": "line-center"}"#, true),
      (#"{"symbol-placement": ["step", ["zoom"], "point", 5, "line"]}"#, true),
      (#"{"symbol-placement": "line", "text-rotation-alignment": "viewport"}"#, false),
      (#"{"text-rotation-alignment": "map"}"#, false),
      (#"{"text-writing-mode": ["horizontal", "vertical"]}"#, true),
      (#"{"text-writing-mode": ["horizontal"]}"#, false),
    ]) func `Labels along lines may be vertical, and others where that is asked for`(
      layout: String, isVertical: Bool
    ) throws
  {
    let layout =
      layout == "{}" ? #"{"text-field": "東!"}"# : #"{"text-field": "東!", "# + layout.dropFirst()
    let document = try JSONDocument(
      Array(#"{"layers": [{"id": "a", "type": "symbol", "layout": \#(layout)}]}"#.utf8))
    let label = try #require(StyleLabel.all(in: document).first)
    #expect(label.mayBeVertical == isVertical)
    var needs = LabelNeeds()
    needs.add(StyleFeature(), label)
    #expect(needs.files.keys.contains { $0.range.first == 65024 } == isVertical)
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
