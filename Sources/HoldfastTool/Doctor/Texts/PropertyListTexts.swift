import Foundation
import HoldfastFiles

/// A reader of all strings and data in a property list in XML, with bounded memory.
///
/// It checks nothing: of a damaged file it finds what can be found. Data that is longer than a value of a
/// database may be is visited without its bytes.
///
/// - SeeAlso: `plist(5)`
struct XMLPropertyListTexts: TextReader {
  let isSought: ([UInt8]) -> Bool
  private var keys = KeyPath()
  private var content: [UInt8] = []
  private var tag: [UInt8] = []
  private var isInTag = false
  private var element: Element?
  private var isVerbatim = false

  private enum Element { case key, string, data }

  private static let longestData = ReadingLimit.storedValue.most
  private static let verbatimStart = Array("![CDATA[".utf8)
  private static let verbatimEnd = Array("]]>".utf8)

  /// Prepares to read texts.
  ///
  /// - Parameter isSought: Whether a text is visited; asked before its key is made, which takes longer.
  init(where isSought: @escaping ([UInt8]) -> Bool = { _ in true }) { self.isSought = isSought }

  mutating func read(_ bytes: ArraySlice<UInt8>, _ visit: (StoredText) throws -> Void) rethrows {
    for byte in bytes {
      if isVerbatim {
        readVerbatim(byte)
      } else if isInTag {
        try readTag(byte, visit)
      } else if byte == UInt8(ascii: "<") {
        tag.removeAll(keepingCapacity: true)
        isInTag = true
      } else if element != nil, element != .data || byte > 0x20 {
        content.append(byte)
        if content.count >= Self.longestText { try cutContent(visit) }
      }
    }
  }

  mutating func end(_ visit: (StoredText) throws -> Void) rethrows {
    if element == .string {
      try visit(StoredText(key: keys.text, text: Self.decoded(content[...])))
    }
  }

  /// Visits the beginning of a long text; data cannot be read in parts.
  private mutating func cutContent(_ visit: (StoredText) throws -> Void) rethrows {
    guard element != .data else {
      guard content.count > Self.longestData.base64Count else { return }
      try visit(StoredText(key: keys.text, text: "", isLeftOut: true))
      return begin(nil)
    }
    let cut = Self.cut(content)
    try visit(StoredText(key: keys.text, text: Self.decoded(content[..<cut])))
    content.removeFirst(cut)
  }

  private mutating func readVerbatim(_ byte: UInt8) {
    content.append(byte)
    guard byte == UInt8(ascii: ">"), content.suffix(3).elementsEqual(Self.verbatimEnd) else {
      if content.count > Self.longestText << 4 { content.removeFirst(Self.longestText) }
      return
    }
    content.removeLast(3)
    isVerbatim = false
  }

  private mutating func readTag(_ byte: UInt8, _ visit: (StoredText) throws -> Void) rethrows {
    guard byte == UInt8(ascii: ">"),
      !tag.starts(with: "!--".utf8) || tag.count > 4 && tag.suffix(2) == [45, 45]
    else {
      // In place: a copy for each byte would take most of the time.
      tag.append(byte)
      if tag.count == Self.verbatimStart.count, tag == Self.verbatimStart {
        (isInTag, isVerbatim) = (false, true)
      } else if tag.count > 4096 {
        // The end of a long comment is still recognized.
        tag = Array(tag.prefix(3) + tag.suffix(16))
      }
      return
    }
    isInTag = false
    try apply(String(decoding: tag.prefix { $0 > 0x20 }, as: UTF8.self), visit)
  }

  private mutating func apply(
    _ tag: String, _ visit: (StoredText) throws -> Void
  ) rethrows {
    switch tag {
    case "dict": keys.begin(array: false)
    case "array": keys.begin(array: true)
    case "/dict", "/array": keys.end()
    case "key": begin(.key)
    case "string": begin(.string)
    case "data": begin(.data)
    case "/key":
      let key = Self.decoded(content[...])
      try visitContent(visit)
      keys.name(key)
      begin(nil)
    case "/string":
      try visitContent(visit)
      begin(nil)
    case "/data":
      if element == .data { try visitData(visit) }
      begin(nil)
    default: break
    }
  }

  private mutating func begin(_ element: Element?) {
    self.element = element
    content.removeAll(keepingCapacity: true)
  }

  private func visitContent(_ visit: (StoredText) throws -> Void) rethrows {
    guard isVisited(content, escape: UInt8(ascii: "&")) else { return }
    try visit(StoredText(key: keys.text, text: Self.decoded(content[...])))
  }

  private func visitData(_ visit: (StoredText) throws -> Void) rethrows {
    let data = Self.decodedData(content)
    guard data.count >= StoredPath.shortest else { return }
    let isLeftOut = data.count > Self.longestData
    try visit(
      StoredText(key: keys.text, text: "", data: isLeftOut ? nil : data, isLeftOut: isLeftOut))
  }

  /// Returns the bytes that a text in Base64 stands for, with line ends in it; empty if it is none.
  private static func decodedData(_ text: [UInt8]) -> [UInt8] {
    Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters).map([UInt8].init) ?? []
  }

  /// Returns the text with its five named entities and its numbered ones replaced.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let name = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
      guard byte == UInt8(ascii: "&"), name.count < min(12, rest.count),
        let character = entity(String(decoding: name, as: UTF8.self))
      else {
        text.append(byte)
        continue
      }
      text += Array(String(character).utf8)
      rest = rest.dropFirst(name.count + 1)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16)
        : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      return number.flatMap(Unicode.Scalar.init)
    }
  }
}

/// The strings in a binary property list, which is in memory as a whole.
///
/// Objects are visited one by one, without recursion, so that no nesting is too deep and no cycle
/// endless.
///
/// - SeeAlso: `CFBinaryPList.c` in CoreFoundation, which documents the format
struct BinaryPropertyList {
  static let magic = Array("bplist00".utf8)

  enum Marker {
    case string(isUTF16: Bool)
    case data
    case array
    case dictionary
  }

  /// The greatest number of objects whose references are kept in memory.
  static let mostObjects = ReadingLimit.propertyListObjects.most

  /// The number of containers that are named in a key.
  private static let longestKey = 16
  /// The number of bytes of a name that are read.
  private static let longestName = 1024

  let bytes: [UInt8]
  private let offsetSize: Int
  /// The number of bytes of a reference to an object.
  let referenceSize: Int
  let count: Int
  /// The number of the object that is the whole list.
  let top: Int
  /// The place where the objects end.
  let table: Int

  /// Reads the trailer of a file; `nil` when it is not one of a binary property list.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic), bytes.count >= 40 else { return nil }
    let trailer = Array(bytes.suffix(32))
    func number(_ start: Int) -> Int? {
      trailer[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }.asIndex
    }
    guard let count = number(8), let top = number(16), let table = number(24),
      (1...8).contains(trailer[6]), (1...8).contains(trailer[7]), top < max(count, 1),
      table <= bytes.count, count < Int32.max, count <= (bytes.count - table) / Int(trailer[6])
    else { return nil }
    self.bytes = bytes
    (offsetSize, referenceSize) = (Int(trailer[6]), Int(trailer[7]))
    (self.count, self.top, self.table) = (count, top, table)
  }

  /// Visits each string that is sought, and the number of references to it.
  ///
  /// Equal strings are one object: the key comes from the first reference.
  func visitTexts(
    where isSought: ([UInt8]) -> Bool = { _ in true }, _ references: References,
    _ body: (StoredText, Int) throws -> Void
  ) rethrows {
    var keys = Keys(references)
    try visit { object, marker, content in
      guard case .string(let isUTF16) = marker, content.count >= StoredPath.shortest else {
        return
      }
      guard isUTF16 || isSought(Array(content)) else { return }
      let count = max(references.counts.count(of: object), object == top ? 1 : 0)
      guard count > 0 else { return }
      try body(
        StoredText(key: keys.key(of: object, in: self), text: Self.text(content, isUTF16: isUTF16)),
        count)
    }
  }

  /// Visits the bytes of each data object.
  func visitData(
    _ references: References, _ body: (String, ArraySlice<UInt8>) throws -> Void
  ) rethrows {
    var keys = Keys(references)
    try visit { object, marker, content in
      guard case .data = marker else { return }
      try body(keys.key(of: object, in: self), content)
    }
  }

  private func visit(_ body: (Int, Marker, ArraySlice<UInt8>) throws -> Void) rethrows {
    // Objects may overlap in a file that is made to be read for ever.
    var remaining = bytes.count.multipliedReportingOverflow(by: 4).partialValue
    for object in 0..<count where remaining > 0 {
      guard let (marker, content) = content(of: object) else { continue }
      remaining -= content.count
      try body(object, marker, content)
    }
  }

  /// The keys of objects; all objects of one array have the same.
  private struct Keys {
    private let references: References
    private var last: (parent: Int, key: String)?

    init(_ references: References) { self.references = references }

    mutating func key(of object: Int, in list: BinaryPropertyList) -> String {
      guard let parent = references.parents[object], references.keys[object] == nil else {
        return list.key(of: object, references)
      }
      if let last, last.parent == parent { return last.key }
      let key = list.key(of: object, references)
      last = (parent, key)
      return key
    }
  }

  /// The first reference to each object, and the number of all.
  struct References {
    fileprivate(set) var parents: ObjectNumbers
    /// The object of the key; none in an array, and for a key itself.
    fileprivate(set) var keys: ObjectNumbers
    fileprivate(set) var counts: ReferenceCounts
    /// Whether there are others, in objects that overlap.
    fileprivate(set) var lacksSome = false
  }

  /// Reads which objects refer to which, in seven bytes for each of them.
  ///
  /// There are at most ``mostObjects``.
  func references() -> References {
    var found = References(
      parents: ObjectNumbers(count: count), keys: ObjectNumbers(count: count),
      counts: ReferenceCounts(objectCount: count))
    var remaining = bytes.count
    func add(_ child: Int, key: Int?, in parent: Int) {
      guard child < count, (key ?? 0) < count else { return }
      if found.counts.count(of: child) == 0 {
        found.parents[child] = parent
        found.keys[child] = key
      }
      found.counts.add(child)
    }
    for object in 0..<count {
      guard remaining > 0 else {
        found.lacksSome = true
        break
      }
      guard let (marker, content) = content(of: object) else { continue }
      func reference(_ index: Int) -> Int {
        number(at: content.startIndex + index * referenceSize, referenceSize) ?? .max
      }
      let length = content.count / referenceSize
      switch marker {
      case .array:
        remaining -= content.count
        for index in 0..<length { add(reference(index), key: nil, in: object) }
      case .dictionary:
        remaining -= content.count
        for index in 0..<length / 2 {
          let key = reference(index)
          add(reference(length / 2 + index), key: key, in: object)
          add(key, key: nil, in: object)
        }
      case .string, .data: break
      }
    }
    return found
  }

  /// Whether each array and each dictionary is in one other at most, so that reading all of them ends, and soon.
  var isTree: Bool {
    let references = references()
    return !references.lacksSome
      && (0..<count).allSatisfy { object in
        switch content(of: object)?.0 {
        case .array, .dictionary: references.counts.count(of: object) <= (object == top ? 0 : 1)
        case .string, .data, nil: true
        }
      }
  }

  private func key(of object: Int, _ references: References) -> String {
    var parts: [String] = []
    var object = object
    // The limit ends cycles, also those through keys, which add no part.
    for _ in 0..<Self.longestKey {
      guard object != top, let parent = references.parents[object] else { break }
      if let key = references.keys[object] {
        parts.append(name(of: key))
      } else if case .array? = content(of: parent)?.0 {
        parts.append("[]")
      }
      object = parent
    }
    return parts.reversed().reduce(into: "") { text, part in
      text += (text.isEmpty || part == "[]" ? "" : ".") + part
    }
  }

  private func name(of object: Int) -> String {
    guard case (.string(let isUTF16), let content)? = content(of: object) else { return "" }
    // A damaged file may have a key of megabytes for each of its texts.
    let start = content.prefix(Self.longestName)
    return KeyPath.shown(Self.text(start, isUTF16: isUTF16))
  }

  static func text(_ bytes: ArraySlice<UInt8>, isUTF16: Bool) -> String {
    isUTF16 ? BlobText.utf16(bytes, isBigEndian: true) : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the bytes of an object; `nil` for numbers, dates and whatever leads out of the file.
  func content(of object: Int) -> (Marker, ArraySlice<UInt8>)? {
    guard let start = start(of: object) else { return nil }
    let marker = bytes[start]
    var first = start + 1
    var length = Int(marker & 0x0F)
    if length == 0x0F {
      guard first < table, bytes[first] >> 4 == 1 else { return nil }
      let size = 1 << Int(bytes[first] & 0x0F)
      guard size <= 8, let long = number(at: first + 1, size) else { return nil }
      (length, first) = (long, first + 1 + size)
    }
    let kind: Marker
    let unit: Int
    switch marker >> 4 {
    case 0x4: (kind, unit) = (.data, 1)
    case 0x5: (kind, unit) = (.string(isUTF16: false), 1)
    case 0x6: (kind, unit) = (.string(isUTF16: true), 2)
    case 0xA, 0xC: (kind, unit) = (.array, referenceSize)
    case 0xD: (kind, unit) = (.dictionary, 2 * referenceSize)
    default: return nil
    }
    guard first <= table, length <= (table - first) / unit else { return nil }
    return (kind, bytes[first..<first + length * unit])
  }

  /// Returns the place of an object; `nil` for one that leads out of the file.
  func start(of object: Int) -> Int? {
    guard object < count, let start = number(at: table + object * offsetSize, offsetSize),
      start < table
    else { return nil }
    return start
  }

  /// Returns a number of so many bytes; `nil` for one beyond every file.
  func number(at place: Int, _ size: Int) -> Int? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    var number: UInt64 = 0
    for index in place..<place + size { number = number << 8 | UInt64(bytes[index]) }
    return number.asIndex
  }
}

extension Int {
  /// The number of letters in Base64 that stand for so many bytes.
  fileprivate var base64Count: Int { (self + 2) / 3 * 4 }
}

extension UInt64 {
  /// The number as an index into a file; `nil` when no file is that long.
  fileprivate var asIndex: Int? { self < 1 << 48 ? Int(self) : nil }
}

/// How many references there are to each of many objects, of which nearly all have few.
struct ReferenceCounts {
  /// The counts up to this one take a byte.
  private static let mostInByte = UInt8.max

  private var bytes: [UInt8]
  /// The counts beyond a byte; an object has so many references in hundreds of bytes of the file.
  private var excess: [Int32: Int32] = [:]

  init(objectCount: Int) { bytes = [UInt8](repeating: 0, count: objectCount) }

  func count(of object: Int) -> Int {
    let count = bytes[object]
    guard count == Self.mostInByte else { return Int(count) }
    return Int(count) + Int(excess[Int32(object)] ?? 0)
  }

  mutating func add(_ object: Int) {
    if bytes[object] < Self.mostInByte {
      bytes[object] += 1
    } else {
      excess[Int32(object), default: 0] += 1
    }
  }
}
