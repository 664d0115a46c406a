import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct TextReaderTests {
  private func texts(_ text: String, by reader: some TextReader, chunk: Int) -> [StoredText] {
    var (reader, found) = (reader, [StoredText]())
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      reader.read(bytes[start..<min(start + chunk, bytes.count)]) { found.append($0) }
    }
    reader.end { found.append($0) }
    return found
  }

  @Test(arguments: [1, 2, 7, 1000]) func jsonStringsHaveTheirKeys(chunk: Int) {
    let json = #"""
      {"items": [{"path": "a\/b"}, {"path": "\u00e9\ud83d\ude00\"\n"}], "n": {"k": ["x", ["y"]]}, "z": 1, "last": "w"}
      """#
    let found = texts(json, by: JSONTexts(), chunk: chunk)
    let values = found.filter { !["items", "path", "n", "k", "z", "last"].contains($0.text) }
    #expect(
      values == [
        StoredText(key: "items[].path", text: "a/b"),
        StoredText(key: "items[].path", text: "é😀\"\n"),
        StoredText(key: "n.k[]", text: "x"), StoredText(key: "n.k[][]", text: "y"),
        StoredText(key: "last", text: "w"),
      ])
  }

  /// Making a key for each of millions of other texts takes most of the time.
  @Test func onlySoughtTextsAreVisited() {
    let isSought = { (bytes: [UInt8]) in bytes.firstRange(of: Array("need".utf8), from: 0) != nil }
    let json = texts(
      #"{"a": "needle", "b": ["hay", "n\u0065ed"]}"#, by: JSONTexts(where: isSought), chunk: 3)
    #expect(
      json == [StoredText(key: "a", text: "needle"), StoredText(key: "b[]", text: "need")])
    let list = texts(
      "<dict><key>a</key><string>needle</string><key>b</key><string>hay</string></dict>",
      by: XMLPropertyListTexts(where: isSought), chunk: 3)
    #expect(list == [StoredText(key: "a", text: "needle")])
  }

  @Test func aLongJSONStringIsReadInPieces() {
    let path = StoredPathTests.device + "/Documents/x"
    let filler = String(repeating: "abc def ", count: 100_000)
    let found = texts(
      "{\"log\": \"\(filler)\(path) \(filler)\(path)\"}", by: JSONTexts(), chunk: 4096)
    #expect(found.allSatisfy { $0.text.utf8.count <= JSONTexts.longestText })
    #expect(found.flatMap { StoredPath.all(in: $0.text) }.count == 2)
  }

  @Test func deepNestingIsRead() {
    let deep = String(repeating: "[{\"a\":", count: 100_000)
    let found = texts(deep + "\"x\"", by: JSONTexts(), chunk: 4096)
    #expect(found.last?.text == "x")
  }

  @Test(arguments: [1, 3, 1000]) func propertyListsInXMLHaveTheirKeys(chunk: Int) {
    let list = """
      <?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x">
      <plist version="1.0"><dict><!-- <string>no</string> --><key>a &amp; b</key>
      <array><string>x&#x41;&lt;</string><dict><key>c</key><string><![CDATA[<y>]]></string></dict></array>
      <key>d</key><data>AAAA</data><key>e</key><string>z</string></dict></plist>
      """
    let found = texts(list, by: XMLPropertyListTexts(), chunk: chunk)
    #expect(
      found.filter { !["a & b", "c", "d", "e"].contains($0.text) } == [
        StoredText(key: "a & b[]", text: "xA<"), StoredText(key: "a & b[].c", text: "<y>"),
        StoredText(key: "e", text: "z"),
      ])
  }

  @Test func binaryPropertyListsHaveTheirKeys() throws {
    let value: [String: Any] = [
      "recent": ["0123456789 first", "0123456789 sécond"],
      "nested": ["bookmark": "0123456789 third", "n": 1], "data": Data("0123456789".utf8),
    ]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: value, format: .binary, options: 0)
    let list = try #require(BinaryPropertyList(Array(bytes)))
    var texts: [StoredText] = []
    var data: [String] = []
    let references = list.references()
    list.visitTexts(references) { text, count in
      #expect(count == 1)
      texts.append(text)
    }
    list.visitTexts(where: { $0.suffix(5).elementsEqual("third".utf8) }, references) { text, _ in
      #expect(text.text.hasSuffix(" third") || text.text.contains("é"))
    }
    list.visitData(references) { key, bytes in
      data.append(key)
      #expect(Array(bytes) == Array("0123456789".utf8))
    }
    #expect(
      Set(texts.map { "\($0.key)=\($0.text)" }) == [
        "recent[]=0123456789 first", "recent[]=0123456789 sécond",
        "nested.bookmark=0123456789 third",
      ])
    #expect(data == ["data"])
  }

  @Test func numbersOfObjectsTakeThreeBytes() {
    var numbers = ObjectNumbers(count: 5)
    var values: [Int?] = [
      0, 0xFFFF, 0x1_0000, BinaryPropertyList.mostObjects, ObjectNumbers.mostObjects - 1,
    ]
    for (object, value) in values.enumerated() {
      #expect(numbers[object] == nil)
      numbers[object] = value
    }
    #expect((0..<5).map { numbers[$0] } == values)
    (values[1], numbers[1]) = (nil, nil)
    #expect((0..<5).map { numbers[$0] } == values)
    #expect(BinaryPropertyList.mostObjects <= ObjectNumbers.mostObjects)
  }

  @Test(arguments: [1, 2, 254, 255, 256, 257, 1000])
  func equalStringsInABinaryPropertyListAreCounted(expected: Int) throws {
    func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    // An array whose elements are all the object 1, and that object.
    let array = [0xAF, 0x11] + word(expected) + [UInt8](repeating: 1, count: expected)
    let string = [0x5A] + Array("0123456789".utf8)
    let start = BinaryPropertyList.magic.count
    let table = start + array.count + string.count
    func long(_ number: Int) -> [UInt8] { [0, 0, 0, 0, 0, 0] + word(number) }
    let trailer = [0, 0, 0, 0, 0, 0, 2, 1] + long(2) + long(0) + long(table)
    let bytes =
      BinaryPropertyList.magic + array + string + word(start) + word(start + array.count) + trailer
    let list = try #require(BinaryPropertyList(bytes))
    var counts: [Int] = []
    list.visitTexts(list.references()) { _, count in counts.append(count) }
    #expect(counts == [expected])
  }

  @Test(.timeLimit(.minutes(1)))
  func aKeyThatContainsItselfEnds() {
    // An empty array at the top, a dictionary whose key is itself, and its value.
    let objects: [UInt8] = [0xA0, 0xD1, 1, 2, 0x5A] + Array("Containers".utf8)
    let start = UInt8(BinaryPropertyList.magic.count)
    let table = start + UInt8(objects.count)
    func number(_ value: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, value] }
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + number(3) + number(0) + number(table)
    let list = BinaryPropertyList(
      BinaryPropertyList.magic + objects + [start, start + 1, start + 4] + trailer)
    var texts: [String] = []
    if let list { list.visitTexts(list.references()) { text, _ in texts.append(text.text) } }
    #expect(texts == ["Containers"])
  }

  @Test func damagedBinaryPropertyListsNeverTrap() throws {
    let bytes = Array(
      try PropertyListSerialization.data(
        fromPropertyList: ["a": ["0123456789 x", ["b": Data([1, 2, 3])]], "c": "0123456789 é"],
        format: .binary, options: 0))
    var random = SeededRandom(seed: 7)
    for _ in 0..<3000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 8..<damaged.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 0...40, using: &random)) }
      guard let list = BinaryPropertyList(damaged) else { continue }
      let references = list.references()
      list.visitTexts(references) { _, _ in }
      list.visitData(references) { _, _ in }
    }
  }
}
