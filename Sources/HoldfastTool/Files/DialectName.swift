import HoldfastFiles
import HoldfastLedger

extension Reading<PathDialect> {
  /// The way in which a table writes its paths.
  static let dialect = Reading(
    expected:
      "text, documents-and-caches, a root such as documents or caches, or prefixes with their roots "
      + "such as D:=documents,C:=caches",
    completion: .words(
      ["text", "documents-and-caches"] + StorageRoot.fixed.map(\.tag)),
    read: PathDialect.init(name:))
}

extension PathDialect {
  /// Creates the dialect that a word on the command line names; `nil` when it names none.
  init?(name: String) {
    switch name {
    case "text": self = .text
    // The second name comes from earlier versions.
    case "documents-and-caches", "audiobooks": self = .documentsAndCaches
    default:
      var tags: [String: StorageRoot] = [:]
      var bareRoot: StorageRoot?
      for part in name.split(separator: ",", omittingEmptySubsequences: false) {
        // An equals sign may be part of the prefix, but not of a root.
        guard let sign = part.lastIndex(of: "=") else {
          guard bareRoot == nil, let root = StorageRoot(tag: String(part)) else { return nil }
          bareRoot = root
          continue
        }
        let tag = String(part[..<sign])
        guard !tag.isEmpty, tags[tag] == nil,
          let root = StorageRoot(tag: String(part[part.index(after: sign)...]))
        else { return nil }
        tags[tag] = root
      }
      self = .tagged(tags, bareRoot: bareRoot)
    }
  }
}
