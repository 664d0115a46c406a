import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The coding of integers gives back what was put in, and refuses everything else.
@Suite struct IntegerColumnTests {
  private static func bytes(_ values: [Int64]) -> [UInt8] {
    var writer = ByteWriter()
    IntegerColumn.append(values, to: &writer)
    return writer.bytes
  }

  private static func values(_ bytes: [UInt8], _ count: Int) throws -> [Int64] {
    var reader = ByteReader(bytes)
    let values = try IntegerColumn.read(count, from: &reader)
    try reader.end()
    return values
  }

  @Test(
    arguments: [
      ([], 0), ([7], 3), (Array(repeating: -5, count: 100_000), 3),
      // Stop sequences, whose differences are equal.
      (Array(1...40), 5),
      // Travel times in half minutes: three bits for each.
      (Array(repeating: [60, 90, 120, 270], count: 10).flatMap(\.self), 20),
      (Array(repeating: 8, count: 30) + Array(repeating: 9, count: 30), 12),
      // Two large numbers by turns: one bit for each.
      (Array(repeating: [1, 1_000_000_007, 1], count: 20).flatMap(\.self), 16),
    ] as [([Int64], Int)])
  func `Values that repeat or are regular need few bytes`(values: [Int64], size: Int) throws {
    let bytes = Self.bytes(values)
    #expect(bytes.count <= size, "\(bytes)")
    #expect(try Self.values(bytes, values.count) == values)
  }

  @Test func `Each form occurs, and gives back its values`() throws {
    var random = SeededRandom(unprinted: 1)
    let lists: [[Int64]] = [
      (0..<40).map { _ in Int64.random(in: 0...63, using: &random) }, [1, 2, 1_000_000, 5, 9],
      Array(1...40),
      Array(repeating: 8, count: 30) + Array(repeating: 1_000_000, count: 30),
      Array(repeating: [1, 1_000_000_007, 1, 5], count: 20).flatMap(\.self),
    ]
    #expect(lists.map { Self.bytes($0)[0] } == [0, 1, 2, 3, 4])
    for list in lists { #expect(try Self.values(Self.bytes(list), list.count) == list) }
  }

  private static func anyList(_ random: inout SeededRandom) -> [Int64] {
    let count = Int.random(in: 0...70, using: &random)
    let width = Int64.random(in: 0...63, using: &random)
    let step = Int64.random(in: 1...100, using: &random)
    var value = Int64.random(in: .min ... .max, using: &random)
    return (0..<count).map { _ -> Int64 in
      switch Int.random(in: 0...3, using: &random) {
      case 0: break
      case 1: value &+= step
      case 2: value = Int64.random(in: .min ... .max, using: &random) >> width
      default: value = [.min, .max, 0, -1].randomElement(using: &random) ?? 0
      }
      return value
    }
  }

  @Test func `Any list is read as it was written`() throws {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let values = Self.anyList(&random)
      #expect(try Self.values(Self.bytes(values), values.count) == values)
    }
  }

  @Test func `The first values of a list are read, and the reader moves behind all`() throws {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let list = Self.anyList(&random)
      let values = Bool.random(using: &random) ? list : list.flatMap { [$0, $0, $0] }
      let wanted = Int.random(in: 0...values.count, using: &random)
      var reader = ByteReader(Self.bytes(values) + [7])
      var first: [Int64] = [1]
      try IntegerColumn.extend(&first, by: wanted, of: values.count, from: &reader)
      #expect(first == [1] + values.prefix(wanted))
      #expect(try reader.byte() == 7)
    }
  }

  @Test func `Bytes of any kind are read or refused`() throws {
    var random = SeededRandom()
    var refused = 0
    for _ in 0..<5000 {
      let values = (0..<Int.random(in: 1...50, using: &random)).map { _ in
        Int64.random(in: 0...300, using: &random)
      }
      var bytes = Self.bytes(values)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0...min(2, bytes.count - 1), using: &random))
      do {
        #expect(try Self.values(bytes, values.count).count == values.count)
      } catch is DamagedBytes {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  @Test(
    arguments: [
      // A number of more than 64 bits, an unknown form, forms within each other without end.
      [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0, 0], [9, 0],
      [2, 0, 2, 0, 2, 0, 2, 0, 2, 0], [0, 0, 65, 1, 0, 0], [4, 0], [4, 1, 0, 2, 0, 0, 2, 1, 1],
      [3, 1, 0, 2, 0, 0, 0, 0], [3, 1, 0, 2, 0, 0, 18, 0], [],
    ] as [[UInt8]])
  func `Forms that no writer writes are refused`(bytes: [UInt8]) {
    #expect(throws: DamagedBytes.self) { try Self.values(bytes, 3) }
  }

  @Test func `A distance is given back exactly`() throws {
    let lists: [[Double]] = [
      [0, 0.3862, 1.25, 12.7], [0, 100, 2500], [0.1 + 0.2, 1 / 3], [1e300, .leastNonzeroMagnitude],
      [123_456_789.123, 0.001], [], [-1.5],
    ]
    for list in lists {
      var writer = ByteWriter()
      DistanceColumn.append(list, to: &writer)
      var reader = ByteReader(writer.bytes)
      #expect(try DistanceColumn.read(list.count, from: &reader) == list)
    }
    var writer = ByteWriter()
    DistanceColumn.append([0, 0.3862, 0.7], to: &writer)
    #expect(writer.bytes.count <= 10)
  }

  @Test func `Texts share their beginnings`() throws {
    var random = SeededRandom()
    let long = String(repeating: "abc", count: 50)
    let fixed = [
      "", "306049", "306050", long, long + "x", "Łódź", "Łódzka", "e\u{301}", "é", "a\0b",
    ]
    let lists = [fixed, fixed.shuffled(using: &random), []]
    for list in lists {
      var writer = ByteWriter()
      FrontCodedTexts.append(list, to: &writer)
      var reader = ByteReader(writer.bytes)
      let read = try FrontCodedTexts.read(list.count, from: &reader)
      #expect(read.map { Array($0.utf8) } == list.map { Array($0.utf8) })
      try reader.end()
    }
    var writer = ByteWriter()
    FrontCodedTexts.append(["306049", "306050"], to: &writer)
    #expect(writer.bytes.count == 10)
    // More shared bytes than there are, and half a letter.
    for bytes: [UInt8] in [[0x11, 0x61], [0x01, 0xC3], [0x02, 0x61], [0xF0, 0xFF]] {
      var reader = ByteReader(bytes)
      #expect(throws: DamagedBytes.self) { try FrontCodedTexts.read(1, from: &reader) }
    }
  }
}
