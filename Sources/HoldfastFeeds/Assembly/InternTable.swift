/// A table of sequences of numbers, such as the bytes of texts, each with a number from 0 on.
///
/// The elements of all sequences lie in one array, so that a sequence costs no allocation of its
/// own. The hash has a random seed, so that no feed can be made of colliding texts; nothing that is
/// stored depends on it.
struct InternTable<Element: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  private var elements: [Element] = []
  private var ends: [Int] = []
  /// One more than the number of the sequence whose hash leads here; 0 if there is none.
  private var slots = [UInt32](repeating: 0, count: 64)
  private let seed = UInt64.random(in: .min ... .max)

  /// The number of sequences.
  var count: Int { ends.count }

  subscript(number: Int) -> ArraySlice<Element> {
    elements[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
  }

  /// Returns the number of a sequence, which is added if it is new.
  mutating func insert(_ sequence: some Collection<Element>) -> (number: Int, isNew: Bool) {
    let found = slot(of: sequence)
    if slots[found] != 0 { return (Int(slots[found]) - 1, false) }
    elements.append(contentsOf: sequence)
    ends.append(elements.count)
    slots[found] = UInt32(ends.count)
    if ends.count * 2 > slots.count { grow() }
    return (ends.count - 1, true)
  }

  /// Returns the number of a sequence; `nil` if the table does not contain it.
  func number(of sequence: some Collection<Element>) -> Int? {
    let found = slots[slot(of: sequence)]
    return found == 0 ? nil : Int(found) - 1
  }

  /// Returns whether a sequence is the one with a number, without computing its hash.
  func isEqual(_ number: Int, _ sequence: some Collection<Element>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == sequence.count else { return false }
    var index = start
    for element in sequence {
      if elements[index] != element { return false }
      index += 1
    }
    return true
  }

  private func slot(of sequence: some Collection<Element>) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash(sequence)) & mask
    while slots[slot] != 0, !isEqual(Int(slots[slot]) - 1, sequence) { slot = (slot + 1) & mask }
    return slot
  }

  private func hash(_ sequence: some Collection<Element>) -> UInt64 {
    var hash = seed
    var word: UInt64 = 0
    var shift = 0
    for element in sequence {
      word |= UInt64(truncatingIfNeeded: element) << UInt64(shift)
      shift += Element.bitWidth
      if shift == 64 {
        hash = Self.mix(hash ^ word)
        (word, shift) = (0, 0)
      }
    }
    return Self.mix(Self.mix(hash ^ word) ^ UInt64(sequence.count))
  }

  private static func mix(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(by: 0x8BB8_4B93_962E_ACC9)
    return product.high ^ product.low
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for number in ends.indices {
      var slot = Int(truncatingIfNeeded: hash(self[number])) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(number + 1)
    }
  }
}

extension InternTable<UInt8> {
  /// Returns the text with a number.
  func text(_ number: Int) -> String { String(decoding: self[number], as: UTF8.self) }
}
