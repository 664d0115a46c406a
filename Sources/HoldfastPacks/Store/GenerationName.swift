/// The name of a generation's folder: the version, 8 digits of the manifest's digest, and a number
/// if the same pack was installed again because the first copy was damaged.
package struct GenerationName: Hashable, Sendable {
  /// The version and the digits, as ``PackManifest/generationName`` has them.
  package let base: String

  /// The number of the copy; 1 is not written.
  package let copy: Int

  package init(_ manifest: PackManifest, copy: Int = 1) {
    base = manifest.generationName
    self.copy = copy
  }

  /// Parses the name of a folder; `nil` when the folder is not a generation.
  package init?(_ name: String) {
    guard name.utf8.allSatisfy({ $0 < 0x80 }), let dash = name.firstIndex(of: "-") else {
      return nil
    }
    var parts = name[name.index(after: dash)...].split(
      separator: ".", omittingEmptySubsequences: false)
    let digits = parts.removeFirst()
    guard digits.count == 8, digits.allSatisfy({ "0123456789abcdef".contains($0) }),
      // The reason of a text that is no version is of no interest here.
      (try? PackVersion(String(name[..<dash]))) != nil
    else { return nil }
    base = "\(name[..<dash])-\(digits)"
    switch parts.count {
    case 0: copy = 1
    case 1:
      guard let number = Int(parts[0]), number > 1, "\(number)" == parts[0] else { return nil }
      copy = number
    default: return nil
    }
  }

  /// The version that the name begins with.
  package var version: PackVersion? {
    // It was parsed, or came from a manifest.
    try? PackVersion(String(base.prefix { $0 != "-" }))
  }

  package var description: String { copy == 1 ? base : "\(base).\(copy)" }
}
