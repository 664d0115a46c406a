import Holdfast
import HoldfastFiles

/// A reader of stored texts that come in the order of their folders: a folder is understood once.
///
/// Understanding a path takes longer than looking for its file, so what precedes the last slash is
/// compared with the one of the row before.
struct PathReader {
  /// A text, as far as it was understood.
  enum Reading {
    case file(File)
    case noFile
    case unreadable(String)
  }

  struct File {
    var folder: RelocatablePath
    var name: String

    /// A number that following files of one folder have in common.
    var group: Int

    /// The text in the table's dialect, when the stored one is not.
    var rewritten: PathDialect.Written?

    /// Whether the dialect cannot name the path, so that the text cannot be rewritten.
    var isUnwritable = false
  }

  /// The part that the texts of one folder have in common.
  private struct Known {
    let prefix: String
    let isASCII: Bool
    var location: String?
    var folder: RelocatablePath
    var group: Int
    var rewrittenPrefix: PathDialect.Written?
    var isUnwritable: Bool

    func isPrefix(_ text: Substring) -> Bool {
      // Without an allocation: texts that are canonically equivalent to an ASCII text, and not the
      // same, have more bytes.
      isASCII
        ? text.utf8.count == prefix.utf8.count && text == prefix
        : String(text).hasSameBytes(as: prefix)
    }
  }

  let dialect: PathDialect
  let places: RootPlaces
  let hasLocation: Bool

  private var known: Known?
  private var groupCount = 0

  init(_ ledger: FileLedger, _ places: RootPlaces, hasLocation: Bool) {
    dialect = ledger.dialect
    self.places = places
    self.hasLocation = hasLocation
  }

  mutating func read(_ text: String, location: String?) -> Reading {
    // One pass over the bytes: the last slash, and whether the name has bytes that need care.
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      groupCount += 1
      return readWhole(text, location: location)
    }
    // Not the index of a character: an accent may follow the slash.
    let name = text[text.utf8.index(after: slash)...]
    guard let known, isSame(known.location, location),
      known.isPrefix(text[...slash]), Self.isPlain(name.utf8)
    else { return learn(text, slash: slash, location: location) }
    let plain = String(name)
    return .file(
      File(
        folder: known.folder, name: plain, group: known.group,
        rewritten: known.rewrittenPrefix.map {
          PathDialect.Written(text: $0.text + plain, location: $0.location)
        }, isUnwritable: known.isUnwritable))
  }

  private mutating func learn(
    _ text: String, slash: String.Index, location: String?
  ) -> Reading {
    groupCount += 1
    let reading = readWhole(text, location: location)
    known = nil
    guard case .file(let file) = reading,
      Self.isPlain(text.utf8[text.utf8.index(after: slash)...])
    else { return reading }
    // The name's bytes end both texts.
    let rewritten = file.rewritten.map { written in
      PathDialect.Written(
        text: String(Substring(written.text.utf8.dropLast(file.name.utf8.count))),
        location: written.location)
    }
    let prefix = String(text[...slash])
    known = Known(
      prefix: prefix, isASCII: prefix.utf8.allSatisfy { $0 < 0x80 }, location: location,
      folder: file.folder, group: file.group,
      rewrittenPrefix: rewritten, isUnwritable: file.isUnwritable)
    return reading
  }

  private func readWhole(_ text: String, location: String?) -> Reading {
    switch dialect.read(text, location: location, in: places) {
    case .noFile: return .noFile
    case .unreadable(let error): return .unreadable(error.message)
    case .path(let stored):
      guard let folder = stored.path.parent, let name = stored.path.lastComponent else {
        return .unreadable("It is the path of a root, not of a file.")
      }
      var file = File(folder: folder, name: name, group: groupCount)
      guard stored.form == .absolute || stored.form == .tagged && location != nil else {
        return .file(file)
      }
      let written = dialect.write(stored.path, as: stored.form, hasLocation: hasLocation)
      if stored.form == .absolute {
        file.rewritten = written
        file.isUnwritable = written == nil
      } else if let new = written?.location, !isSame(new, location) {
        file.rewritten = PathDialect.Written(text: text, location: new)
      }
      return .file(file)
    }
  }

  /// Returns whether a name stands for itself in every form, URLs included.
  private static func isPlain(_ name: Substring.UTF8View) -> Bool {
    guard let first = name.first else { return false }
    // "." and ".." are refused; "%", "?" and "#" have a meaning in a URL; NUL is refused.
    if first == UInt8(ascii: ".") { return false }
    return !name.contains { byte in
      byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        || byte == 0
    }
  }

  private func isSame(_ one: String?, _ other: String?) -> Bool {
    one.map(ExactText.init) == other.map(ExactText.init)
  }
}
