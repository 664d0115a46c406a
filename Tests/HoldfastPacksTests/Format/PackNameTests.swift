import HoldfastPacks
import Testing

@Suite struct PackNameTests {
  @Test(arguments: ["map", "Map_2025", "a.b-c", "_", "-", String(repeating: "x", count: 64)])
  func `A name keeps its text`(_ text: String) throws {
    #expect(try PackName(text).description == text)
  }

  @Test(arguments: [
    "", ".map", "..", "a/b", "a b", "käse", "a\u{0}", String(repeating: "x", count: 65), "a\\b",
    "%41",
  ])
  func `A text that is no name of a folder on every volume is refused`(_ text: String) throws {
    #expect(throws: PackError.self) { try PackName(text) }
    #expect(throws: PackError.self) { try PackEdition(text) }
  }

  @Test func `Names that differ only in letter case are one pack`() throws {
    #expect(try PackName("Map") == PackName("mAP"))
    #expect(try Set([PackName("Map"), PackName("map")]).count == 1)
    #expect(try PackName("map") != PackName("maps"))
  }

  @Test func `Editions of digits are ordered by their numbers, before all others`() throws {
    let texts = ["2025", "99", "10000", "autumn", "2025b", "099", "Spring"]
    let sorted = try texts.map { try PackEdition($0) }.sorted().map(\.description)
    #expect(sorted == ["99", "099", "2025", "10000", "2025b", "autumn", "Spring"])
  }
}

@Suite struct PackVersionTests {
  @Test func `Versions are ordered by their numbers`() throws {
    let texts = ["2025.1.3", "2025.1.10", "0", "2025", "2025.1", "10.0.0.1", "9"]
    let sorted = try texts.map { try PackVersion($0) }.sorted().map(\.description)
    #expect(sorted == ["0", "9", "10.0.0.1", "2025", "2025.1", "2025.1.3", "2025.1.10"])
  }

  @Test func `Numbers that are missing at the end are zero`() throws {
    #expect(try PackVersion("1.0") == PackVersion("1"))
    #expect(try PackVersion("1.0.0").hashValue == PackVersion("1").hashValue)
    #expect(try PackVersion("1.0.0").description == "1.0.0")
    #expect(try PackVersion("0") < PackVersion("0.0.0.1"))
  }

  @Test func `The largest number is read, and a longer one is refused`() throws {
    let digits = String(repeating: "9", count: 18)
    #expect(try PackVersion(digits) > PackVersion("99999999999999999"))
    #expect(throws: PackError.self) { try PackVersion("1" + digits) }
  }

  @Test(arguments: [
    "", ".", "1.", ".1", "1..2", "1.2.3.4.5", "01", "2025.01", "1.a", "-1", "+1", "1 ", "٣", "v1",
    "1.2-beta", "1e3",
  ])
  func `A text that is no version is refused`(_ text: String) throws {
    let error = try #require(throws: PackError.self) { try PackVersion(text) }
    #expect(error.code == .invalidName)
    #expect(error.message.contains("'\(text)'"))
  }
}

@Suite struct PackPathTests {
  @Test(arguments: [
    "", "/a", "a/", "a//b", "..", "a/../b", "./a", "a/.b", ".DS_Store", "a\u{0}b", "a\nb",
    "a/\u{7F}", String(repeating: "x", count: 256),
    String(repeating: String(repeating: "x", count: 250) + "/", count: 4) + "y",
    String(repeating: "a/", count: 32) + "a",
  ])
  func `A path that could leave its pack or confuse a terminal is refused`(_ text: String) throws {
    #expect(throws: PackError.self) { try PackPath(text) }
  }

  @Test func `Paths with other bytes are other paths`() throws {
    let composed = try PackPath("caf\u{E9}/map")
    let decomposed = try PackPath("cafe\u{301}/map")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed.names == ["caf\u{E9}", "map"])
  }
}
