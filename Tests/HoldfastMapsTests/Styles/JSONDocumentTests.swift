import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct JSONDocumentTests {
  private func fault(_ text: String) -> JSONDocument.Fault? {
    do {
      _ = try JSONDocument(Array(text.utf8))
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    "{}", "[]", " [ ] ", "\"\"", "0", "-0.5e+10", "true", "false", "null", "\r\n\t[1 , 2]",
    #"{"a":{"b":[{},[],""]},"c":null}"#, #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "\"é😀\"",
  ])
  func `A JSON text is read`(text: String) {
    #expect(fault(text) == nil)
  }

  @Test(arguments: [
    "", " ", "{", "[", "\"", "[1", "[1,", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#, "{1:2}", "[1 2]", "01", "-", "1.", ".5", "1e", "+1", "tru", "nul", "True", "'a'",
    "\"a\nb\"", #""\x""#, #""\u12g4""#, #""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, "[] []",
    "{} x", "[1}", #"{"a":1]"#, "// c\n{}", "\u{FEFF}{}",
  ])
  func `What is not JSON is refused`(text: String) {
    #expect(fault(text) != nil)
  }

  @Test func `Bytes that are not UTF-8 are refused inside of strings and outside`() {
    for bytes in [[0x22, 0xFF, 0x22], [0xFF], [0x22, 0xC3, 0x22]] as [[UInt8]] {
      #expect(throws: JSONDocument.Fault.self) { try JSONDocument(bytes) }
    }
  }

  @Test func `Deep nesting is refused and exhausts no stack`() {
    #expect(fault(String(repeating: "[", count: 1_000_000)) != nil)
    #expect(fault(String(repeating: #"{"a":"#, count: 300_000)) != nil)
    let depth = 150
    #expect(
      fault(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)) == nil)
  }

  @Test func `A fault has its place`() {
    #expect(fault("[1,\n 2,\n x]")?.offset == 9)
    #expect(JSONDocument.line(of: 9, in: Array("[1,\n 2,\n x]".utf8)) == 3)
  }

  @Test func `Each escape is decoded as RFC 8259 defines it`() throws {
    let document = try JSONDocument(Array(#""\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\uDE00""#.utf8))
    let expected = "\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{1F600}"
    #expect(document.root.text?.utf8.elementsEqual(expected.utf8) == true)
  }

  @Test func `Values know where they are written`() throws {
    let text = #" {"a" : [1.50, "x\u0041"], "b":{} }"#
    let bytes = Array(text.utf8)
    let document = try JSONDocument(bytes)
    func written(_ value: JSONDocument.Value?) -> String? {
      value.map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }
    #expect(written(document.root["a"]) == #"[1.50, "x\u0041"]"#)
    #expect(written(document.root["a"]?.elements[0]) == "1.50")
    #expect(written(document.root["a"]?.elements[1]) == #""x\u0041""#)
    #expect(document.root["a"]?.elements[1].text == "xA")
    #expect(written(document.root["b"]) == "{}")
    #expect(written(document.root) == text.trimmingCharacters(in: .whitespaces))
  }

  @Test func `Random texts are JSON exactly where Foundation reads them as JSON`() {
    var random = SeededRandom()
    let parts = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\\n\"", "1", "-2.5e-3", "true", "null", " ", "\"",
      "\\", "0", "x",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...7, using: &random))
        .map { _ in parts.randomElement(using: &random)! }.joined()
      let isOurs = fault(text) == nil
      let isTheirs =
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
        != nil
      // Foundation also accepts a comma before the end of an array or object.
      let compact = text.replacing(" ", with: "")
      let hasExtraComma = compact.contains(",]") || compact.contains(",}")
      #expect(isOurs == isTheirs || !isOurs && hasExtraComma, "\(text)")
      if isOurs { accepted += 1 }
    }
    #expect(accepted > 100)
  }
}
