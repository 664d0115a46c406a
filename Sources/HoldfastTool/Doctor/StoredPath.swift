import HoldfastFiles

/// An absolute path into the container of an app, as it is found in stored text.
struct StoredPath: Equatable, Sendable {
  /// The kind of container that the path leads into.
  enum Owner: String, Sendable {
    case app = "an app's container"
    case appExtension = "an extension's container"
    case appGroup = "an app group's container"
    case bundle = "an app's bundle"
    case sandbox = "a sandboxed Mac app's container"
    case groupSandbox = "a Mac app group's container"
  }

  let owner: Owner
  /// The UUID or the identifier of the container.
  let container: String
  /// The names below the container, decoded.
  let names: [String]
  /// Whether the end of the path in the text is certain.
  ///
  /// It is not in running text, where a space may end the path or belong to it.
  let isWhole: Bool

  /// A shortened text that shows which file is meant: the middle of a long path is left out.
  var identifyingText: String {
    let head: [String] =
      switch owner {
      case .app: ["Containers", "Data", "Application"]
      case .appExtension: ["Containers", "Data", "PluginKitPlugin"]
      case .appGroup: ["Containers", "Shared", "AppGroup"]
      case .bundle: ["Containers", "Bundle", "Application"]
      case .sandbox: ["Library", "Containers"]
      case .groupSandbox: ["Library", "Group Containers"]
      }
    let isUUID = ContainerNames.isUUID(container)
    let short = isUUID ? container.prefix(8) + "…" : Substring(container)
    var shown = names[...]
    // The middle of a text of millions of names is not shown.
    if names.count > 1000 { shown = names.prefix(500) + names.suffix(500) }
    let all = ["…"] + head + [String(short)] + (owner == .sandbox ? ["Data"] : []) + shown
    return all.joined(separator: "/").withoutMiddle(toLength: 120)
  }

  /// No system opens a path of more bytes.
  private static let longestPath = 4096

  /// The path that stays valid when the container moves; `nil` when it lies in no storage root.
  ///
  /// - Parameter appGroup: The identifier of the app group, which is not part of a path on a device.
  /// - Returns: A path in a storage root; `nil` when it lies in none, and when it is longer than any path.
  func relocated(appGroup: String = "IDENTIFIER") -> RelocatablePath? {
    guard names.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.longestPath else { return nil }
    let marker =
      switch owner {
      case .app, .appExtension, .sandbox: "Data/Application"
      case .appGroup, .groupSandbox: "Shared/AppGroup"
      case .bundle: "Bundle/Application"
      }
    let text =
      (["/var/mobile/Containers/\(marker)/00000000-0000-0000-0000-000000000000"] + names)
      .joined(separator: "/")
    do throws(FileError) {
      return try RelocatablePath(
        legacy: text, appGroup: owner == .groupSandbox ? container : appGroup)
    } catch {
      // Such as a path in Library/Preferences, for which there is no root.
      return nil
    }
  }
}

/// The names of a path, matched with the folders that contain containers.
private struct ContainerNames {
  var owner: StoredPath.Owner
  var container: String
  var rest: [String]

  init?(_ names: [String]) {
    // The outermost container: a copy of one may lie inside another.
    for start in names.indices {
      // "Containers", "Library", "mobile", "iPhone Simulator" and a UUID; the rest takes longer to compare.
      guard [10, 7, 6, 16, 36].contains(names[start].utf8.count) else { continue }
      let rest = names[start...]
      if names[start].utf8.count == 10, let match = Self.device(Array(rest.prefix(4))) {
        self.init(
          owner: match.owner, container: match.container, rest: Array(rest.dropFirst(4)))
        return
      }
      if let count = Self.countBeforeIOS8(rest) {
        let rest = Array(rest.dropFirst(count))
        // It contained the bundle too.
        let owner = rest.first?.hasSuffix(".app") == true ? StoredPath.Owner.bundle : .app
        self.init(owner: owner, container: names[start + count - 1], rest: rest)
        return
      }
      if names[start].utf8.count == 7, let match = Self.mac(Array(rest.prefix(4))) {
        self.init(
          owner: match.owner, container: match.container,
          rest: Array(rest.dropFirst(match.owner == .sandbox ? 4 : 3)))
        return
      }
    }
    return nil
  }

  private init(owner: StoredPath.Owner, container: String, rest: [String]) {
    (self.owner, self.container, self.rest) = (owner, container, rest)
  }

  /// Returns the number of names of a container of iOS 7: `/var/mobile/Applications/<UUID>`, in a simulator
  /// `…/<UUID>/data/Applications/<UUID>`, before Xcode 6 `…/iPhone Simulator/7.1/Applications/<UUID>`.
  private static func countBeforeIOS8(_ names: ArraySlice<String>) -> Int? {
    let names = Array(names.prefix(4))
    if names.count > 2, names[0] == "mobile", names[1] == "Applications", isUUID(names[2]) {
      return 3
    }
    guard names.count == 4, names[2] == "Applications", isUUID(names[3]) else { return nil }
    return isUUID(names[0]) && names[1] == "data" || names[0] == "iPhone Simulator" ? 4 : nil
  }

  private static func device(
    _ names: [String]
  ) -> (owner: StoredPath.Owner, container: String)? {
    // "Containers" for data and groups, "containers" for bundles on a device.
    guard names.count == 4, names[0].lowercased() == "containers", isUUID(names[3]) else {
      return nil
    }
    switch (names[1], names[2]) {
    case ("Data", "Application"): return (.app, names[3])
    case ("Data", "PluginKitPlugin"): return (.appExtension, names[3])
    case ("Shared", "AppGroup"): return (.appGroup, names[3])
    case ("Bundle", "Application"): return (.bundle, names[3])
    default: return nil
    }
  }

  private static func mac(_ names: [String]) -> (owner: StoredPath.Owner, container: String)? {
    guard names.count > 2, names[0] == "Library" else { return nil }
    switch names[1] {
    case "Containers" where names.count == 4 && names[3] == "Data": return (.sandbox, names[2])
    case "Group Containers": return (.groupSandbox, names[2])
    default: return nil
    }
  }

  static func isUUID(_ name: String) -> Bool {
    guard name.utf8.count == 36 else { return false }
    var place = 0
    return name.utf8.allSatisfy { byte in
      defer { place += 1 }
      // Groups of 8, 4, 4, 4 and 12 digits.
      return switch place {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: HexText.digit(byte) != nil
      }
    }
  }
}

extension StoredPath {
  /// Creates the path that a text consists of, plain or as a URL of a file; `nil` when it is another.
  ///
  /// - Parameters:
  ///   - text: A path without anything before or after it.
  ///   - isWhole: Whether the end of the path is certain.
  init?(_ text: String, isWhole: Bool = true) {
    var bytes = Array(text.utf8)[...]
    let url = FileURLForm(bytes)
    let isURL = url != nil
    var isWhole = isWhole
    if let url {
      // They end the path of a URL, but may have been meant as part of a name.
      bytes = url.path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      isWhole = isWhole && url.path.count == bytes.count
    }
    guard bytes.first == slash else { return nil }
    let names = bytes.split(separator: slash).map { name in
      isURL ? percentDecoded(name) : String(decoding: name, as: UTF8.self)
    }
    guard let found = ContainerNames(names) else { return nil }
    self.init(
      owner: found.owner, container: found.container,
      // Dots and doubled slashes do not change which file is meant; ".." might.
      names: found.rest.filter { $0 != "." }, isWhole: isWhole)
  }

  /// The bytes of which a text with a path into a container has at least one: of `Containers`, and of
  /// `Applications`, where containers were until iOS 7.
  static let anchors = [Array("ontainers".utf8), Array("pplications".utf8)]

  static func isUUID(_ name: String) -> Bool { ContainerNames.isUUID(name) }

  /// No path is shorter than an anchor, in bytes.
  static let shortest = 10

  /// Whether a text may have a path into a container.
  static func mayBeIn(_ bytes: [UInt8]) -> Bool {
    anchors.contains { bytes.firstRange(of: $0, from: 0) != nil }
  }

  /// Returns the paths in a text: the text as a whole, or each one inside it.
  static func all(in text: String) -> [StoredPath] {
    var paths: [StoredPath] = []
    visit(in: text, Array(text.utf8)) { paths.append($0) }
    return paths
  }

  /// Visits the paths in a text whose bytes are given; one may have hundreds of thousands.
  static func visit(in text: String, _ bytes: [UInt8], _ body: (StoredPath) -> Void) {
    var search = AnchorSearch(in: bytes)
    guard var anchor = search.next(from: 0) else { return }
    let isOneLine = !bytes.contains { $0 < 0x20 }
    if isOneLine, bytes.first == slash || FileURLForm(bytes[...]) != nil,
      let path = StoredPath(text)
    {
      return body(path)
    }
    var next = 0
    while true {
      let piece = Piece(around: anchor, in: bytes, notBefore: next)
      if let path = piece.path { body(path) }
      // An anchor is longer than that.
      next = max(piece.end, anchor + 2)
      guard let following = search.next(from: next) else { return }
      anchor = following
    }
  }
}

/// The search for anchors in a text, from its beginning to its end; each byte is read once per anchor.
private struct AnchorSearch {
  private let bytes: [UInt8]
  private var places: [Int?]

  init(in bytes: [UInt8]) {
    self.bytes = bytes
    places = StoredPath.anchors.map { bytes.firstRange(of: $0, from: 0) }
  }

  mutating func next(from start: Int) -> Int? {
    for index in places.indices {
      guard let place = places[index], place < start else { continue }
      places[index] = bytes.firstRange(of: StoredPath.anchors[index], from: start)
    }
    return places.compactMap { $0 }.min()
  }
}

/// The path in a URL that stands for a file of the device.
///
/// Apps hand files to maps and web views with schemes of their own: `mbtiles:///var/…`,
/// `pmtiles://file:///var/…`, `capacitor://localhost/_capacitor_file_/var/…`.
struct FileURLForm {
  let path: ArraySlice<UInt8>

  private static let remoteSchemes: Set<String> = ["http", "https", "ws", "wss", "ftp"]
  private static let markers = ["/_capacitor_file_", "/_app_file_", "/_file_"].map {
    Array($0.utf8)
  }

  /// Reads a text; `nil` when it is no URL, or one of a server.
  init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    var scheme: String?
    while let length = Self.schemeLength(of: rest) {
      let name = String(decoding: rest.prefix(length), as: UTF8.self).lowercased()
      let isURL = rest.dropFirst(length + 1).starts(with: "//".utf8)
      guard isURL || name == "file" else { break }
      scheme = name
      rest = rest.dropFirst(length + (isURL ? 3 : 1))
      if !isURL {
        path = rest
        return
      }
    }
    guard let scheme else { return nil }
    // After the host, which is empty, "localhost", or one that only the app knows.
    let local = rest.drop { $0 != slash }
    if let marker = Self.markers.first(where: { local.starts(with: $0) }) {
      path = local.dropFirst(marker.count)
    } else if Self.remoteSchemes.contains(scheme) {
      return nil
    } else {
      path = local
    }
  }

  private static func schemeLength(of text: ArraySlice<UInt8>) -> Int? {
    let length = text.prefix(32).prefix(while: isSchemePart).count
    return length > 0 && text.dropFirst(length).first == UInt8(ascii: ":") ? length : nil
  }

  static func isSchemePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// The part of a text around a folder of containers that may be a path.
private struct Piece {
  let path: StoredPath?
  let end: Int

  private static let delimiters = Set("\"'`<>()[]{}|=,;*".utf8)

  /// Whether a byte ends a path in running text.
  private static func isDelimiter(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || delimiters.contains(byte)
  }

  init(around anchor: Int, in bytes: [UInt8], notBefore first: Int) {
    // The anchor lacks its first letter, which has two cases.
    let folder = anchor - 1
    let isEscaped =
      folder >= 3 && bytes[folder - 3] == UInt8(ascii: "%")
      && bytes[folder - 2] == UInt8(ascii: "2")
      && bytes[folder - 1] | 0x20 == UInt8(ascii: "f")
    guard folder > first else {
      (path, end) = (nil, anchor)
      return
    }
    var start = folder
    while start > first {
      let byte = bytes[start - 1]
      // The one folder of containers with a space in its name.
      let isGroup = byte == 0x20 && start == folder && bytes[..<(start - 1)].ends(with: "/Group")
      if Self.isDelimiter(byte), !isGroup { break }
      if isEscaped, byte == UInt8(ascii: "&") || byte == UInt8(ascii: "?") { break }
      start -= 1
    }
    let quote = start > first ? bytes[start - 1] : 0
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    var end = folder
    while end < bytes.count {
      let byte = bytes[end]
      if isQuoted ? byte == quote || byte < 0x20 : Self.isDelimiter(byte) {
        let isSupport =
          byte == 0x20 && bytes[..<end].ends(with: "Library/Application")
          && bytes[end...].starts(with: " Support".utf8)
        if !isSupport { break }
      }
      if isEscaped, byte == UInt8(ascii: "&") { break }
      end += 1
    }
    self.end = end
    var piece = Array(bytes[start..<end])
    // In JSON within a text each slash may be escaped, and the quotes are.
    var isWhole = true
    if piece.contains(backslash) {
      piece = piece.withoutEscapedSlashes
      let isQuoteEscaped = start > first + 1 && bytes[start - 2] == backslash
      let length = piece.count
      while isQuoted, piece.last == backslash { piece.removeLast() }
      isWhole = (isQuoteEscaped || piece.count == length) && !piece.contains(backslash)
    }
    if isEscaped { piece = Array(percentDecoded(piece[...]).utf8) }
    // A word before the path, as in "src:/var/…"; but "https://…" is no path.
    guard let head = piece.firstIndex(of: slash) else {
      path = nil
      return
    }
    let schemeLength =
      piece[..<head].last == UInt8(ascii: ":")
      ? piece[..<(head - 1)].reversed().prefix(while: FileURLForm.isSchemePart).count + 1 : 0
    let url = Array(piece[(head - schemeLength)...])
    let isURL = FileURLForm(url[...]) != nil
    guard isURL || schemeLength == 0 || !piece[head...].starts(with: "//".utf8) else {
      path = nil
      return
    }
    piece = isURL ? url : Array(piece[head...])
    while !isQuoted, let last = piece.last, ".:!?".utf8.contains(last) { piece.removeLast() }
    path = StoredPath(
      String(decoding: piece, as: UTF8.self),
      isWhole: isWhole && (isQuoted || isURL || isEscaped))
  }
}

private let slash = UInt8(ascii: "/")
private let backslash = UInt8(ascii: "\\")

/// Decodes each complete `%XX` once; anything else stays.
private func percentDecoded(_ bytes: ArraySlice<UInt8>) -> String {
  var decoded: [UInt8] = []
  var rest = bytes
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), rest.count >= 2, let high = HexText.digit(rest[rest.startIndex]),
      let low = HexText.digit(rest[rest.startIndex + 1])
    {
      decoded.append(high << 4 | low)
      rest = rest.dropFirst(2)
    } else {
      decoded.append(byte)
    }
  }
  return String(decoding: decoded, as: UTF8.self)
}

extension StoredPath {
  /// The names decoded once more, if that makes a difference.
  ///
  /// Some apps store the path of a URL without decoding it.
  var decodedNames: [String]? {
    guard names.contains(where: { $0.utf8.contains(UInt8(ascii: "%")) }) else { return nil }
    return names.map { percentDecoded(Array($0.utf8)[...]) }
  }
}

extension [UInt8] {
  /// Returns the position of a text at or after a place.
  func firstRange(of text: [UInt8], from place: Int) -> Int? {
    guard let first = text.first, count >= text.count else { return nil }
    var index = place
    while index <= count - text.count {
      if self[index] == first, self[index..<index + text.count].elementsEqual(text) { return index }
      index += 1
    }
    return nil
  }

  /// The bytes without the backslashes before each slash, of which JSON within JSON has several.
  fileprivate var withoutEscapedSlashes: [UInt8] {
    var bytes: [UInt8] = []
    for byte in self {
      while byte == slash, bytes.last == backslash { bytes.removeLast() }
      bytes.append(byte)
    }
    return bytes
  }
}

extension ArraySlice<UInt8> {
  func ends(with text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}

extension String {
  /// Returns the text with `…` in place of its middle, if it is longer.
  func withoutMiddle(toLength length: Int) -> String {
    guard count > length else { return self }
    let half = (length - 1) / 2
    return prefix(half) + "…" + suffix(half)
  }
}
