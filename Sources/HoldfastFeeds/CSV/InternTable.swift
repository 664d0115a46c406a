/// A table of sequences of numbers, such as the bytes of texts, each with a number from 0 on.
///
/// The elements of all sequences lie in one array, so that a sequence costs no allocation of its
/// own. The hash has a random seed, so that no feed can be made of colliding texts; nothing that is
/// stored depends on it. Several threads may look up sequences in copies of one table.
struct InternTable<Element: FixedWidthInteger & UnsignedInteger & Sendable & BitwiseCopyable>:
  Sendable
{
  /// The hash and one more than the number of the sequence; 0 if there is none.
  private struct Slot {
    var hash: UInt32 = 0
    var number: UInt32 = 0
  }

  private var elements: [Element] = []
  private var ends: [Int] = []
  private var slots = [Slot](repeating: Slot(), count: 64)
  private let seed = UInt64.random(in: .min ... .max)

  /// The number of sequences.
  var count: Int { ends.count }

  subscript(number: Int) -> ArraySlice<Element> {
    elements[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
  }

  /// Returns the number of a sequence, which is added if it is new.
  mutating func insert(_ sequence: some Collection<Element>) -> (number: Int, isNew: Bool) {
    let result = sequence.withContiguousStorageIfAvailable { unsafe insert(all: $0) }
    if let result { return result }
    return unsafe Array(sequence).withUnsafeBufferPointer { unsafe insert(all: $0) }
  }

  /// Returns the number of a sequence; `nil` if the table does not contain it.
  func number(of sequence: some Collection<Element>) -> Int? {
    let result: Int?? = sequence.withContiguousStorageIfAvailable {
      unsafe number(ofAll: $0)
    }
    if let result { return result }
    return unsafe Array(sequence).withUnsafeBufferPointer { unsafe number(ofAll: $0) }
  }

  // MARK: Borrowed memory

  mutating func insert(
    all sequence: UnsafeBufferPointer<Element>
  ) -> (number: Int, isNew: Bool) {
    let hash = unsafe hash(of: sequence)
    let found = unsafe slot(of: sequence, hash)
    let number = slots[found].number
    if number != 0 { return (Int(number) - 1, false) }
    unsafe elements.append(contentsOf: sequence)
    ends.append(elements.count)
    slots[found] = Slot(hash: hash, number: UInt32(ends.count))
    if ends.count * 2 > slots.count { grow() }
    return (ends.count - 1, true)
  }

  func number(ofAll sequence: UnsafeBufferPointer<Element>) -> Int? {
    let number = unsafe slots[slot(of: sequence, hash(of: sequence))].number
    return number == 0 ? nil : Int(number) - 1
  }

  /// Returns whether a sequence is the one with a number, without computing its hash.
  func isEqual(_ number: Int, all sequence: UnsafeBufferPointer<Element>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == sequence.count else { return false }
    return unsafe elements.withUnsafeBufferPointer { elements in
      unsafe RawBytes.areEqual(
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: elements[start..<ends[number]])),
        UnsafeRawBufferPointer(sequence))
    }
  }

  private func slot(of sequence: UnsafeBufferPointer<Element>, _ hash: UInt32) -> Int {
    let mask = slots.count - 1
    var index = Int(hash) & mask
    while slots[index].number != 0 {
      let slot = slots[index]
      // The hash spares the look at most sequences that are not the wanted one.
      if slot.hash == hash, unsafe isEqual(Int(slot.number) - 1, all: sequence) { return index }
      index = (index + 1) & mask
    }
    return index
  }

  private func hash(of sequence: UnsafeBufferPointer<Element>) -> UInt32 {
    UInt32(truncatingIfNeeded: unsafe RawBytes.hash(UnsafeRawBufferPointer(sequence), seed: seed))
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    let mask = slots.count - 1
    for slot in old where slot.number != 0 {
      var index = Int(slot.hash) & mask
      while slots[index].number != 0 { index = (index + 1) & mask }
      slots[index] = slot
    }
  }
}

extension InternTable<UInt8> {
  /// Returns the text with a number.
  func text(_ number: Int) -> String { String(decoding: self[number], as: UTF8.self) }
}
