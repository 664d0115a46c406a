import Foundation
import HoldfastFiles

/// A folder in which the files of a style's `asset://` URLs are looked for.
struct AssetFolder {
  let path: FilePath

  /// Returns the URL of an asset in the folder.
  ///
  /// - Parameters:
  ///   - asset: What follows `asset://`.
  ///   - reference: The place of the URL in the style.
  ///   - text: The whole URL.
  /// - Returns: A `file:` URL.
  /// - Throws: ``MapError`` with `.missingAsset`.
  func url(
    of asset: String, _ reference: StyleReference, _ text: String
  ) throws(MapError) -> String {
    // Glyphs have tokens in their path, which the renderer replaces: what precedes them is a folder.
    let tokens = asset.utf8.firstIndex(of: UInt8(ascii: "{")) ?? asset.utf8.endIndex
    let beginning = asset.utf8[..<tokens]
    let lastSlash = beginning.lastIndex(of: UInt8(ascii: "/"))
    let hasTokens = tokens != asset.utf8.endIndex
    let end = hasTokens ? lastSlash ?? asset.utf8.startIndex : tokens
    guard let names = Self.names(asset.utf8[..<end]),
      let found = find(names, reference.kind, isFolder: hasTokens)
    else { throw .missingAsset(text, at: reference.place, in: path.name) }
    return "file://" + URLText.escaped(found.text) + (String(asset.utf8[end...]) ?? "")
  }

  /// Returns the names of a path; `nil` when it leads elsewhere.
  static func names(_ path: Substring.UTF8View) -> [String]? {
    var names: [String] = []
    for part in path.split(separator: UInt8(ascii: "/")) {
      guard let text = String(part), let name = URLText.decoded(text), name != "..", name != ".",
        !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0)
      else { return nil }
      names.append(name)
    }
    return names
  }

  /// Returns the end of a path at which the folder has a file; `nil` when it has none.
  ///
  /// - Parameters:
  ///   - names: The path of an asset.
  ///   - endings: The endings of files of which one is enough; `nil` for a folder.
  /// - Returns: The names of the end.
  func place(of names: [String], endings: [String]?) -> [String]? {
    for count in 0..<max(1, names.count) {
      let end = Array(names[count...])
      if let endings {
        if endings.contains(where: { hasFile(end, $0) }) { return end }
      } else if isKind(.directory, path.appending(end).text) {
        return end
      }
    }
    return nil
  }

  /// Returns whether the folder has a file.
  func hasFile(_ names: [String], _ ending: String) -> Bool {
    !names.isEmpty && isKind(.regular, path.appending(names).text + ending)
  }

  /// Reads a JSON file.
  ///
  /// - Throws: ``JSONDocument/Fault`` also for a file that cannot be read, or has too many bytes.
  func document(of names: [String], _ ending: String) throws(JSONDocument.Fault) -> JSONDocument {
    try JSONDocument(try bytes(of: names, ending))
  }

  /// Returns why a file cannot be used; `nil` for one that can.
  ///
  /// - Parameters:
  ///   - names: The names of the path.
  ///   - ending: The ending of the last name.
  ///   - examine: What finds a fault in the bytes of the file.
  /// - Returns: The end of a sentence.
  func fault(
    of names: [String], _ ending: String, _ examine: ([UInt8]) -> String?
  ) -> String? {
    do throws(JSONDocument.Fault) {
      return examine(try bytes(of: names, ending))
    } catch {
      return error.reason
    }
  }

  /// Reads a file.
  ///
  /// - Throws: ``JSONDocument/Fault`` for one that cannot be read, or has too many bytes.
  func bytes(of names: [String], _ ending: String) throws(JSONDocument.Fault) -> [UInt8] {
    let file = FilePath(path.appending(names).text + ending)
    do {
      guard let count = try file.byteCount(), count <= ReadingLimit.style.most else {
        throw JSONDocument.Fault(reason: "it has too many bytes", offset: 0)
      }
      return Array(try Data(contentsOf: file.url))
    } catch {
      throw error as? JSONDocument.Fault
        ?? JSONDocument.Fault(reason: "it cannot be read", offset: 0)
    }
  }

  private func isKind(_ kind: FileStatus.Kind, _ path: String) -> Bool {
    // The renderer cannot read a file that cannot be examined.
    (try? SystemCalls.status(of: path))?.kind == kind
  }

  private func find(
    _ names: [String], _ kind: StyleReference.Kind, isFolder: Bool
  ) -> FilePath? {
    // The longest end of the path that exists; tokens alone stand in the folder itself.
    for count in 0..<max(1, names.count) {
      let candidate = path.appending(Array(names[count...]))
      let endings = kind == .sprite ? [".json", ".png"] : [""]
      let isThere = endings.allSatisfy {
        isKind(isFolder ? .directory : .regular, candidate.text + $0)
      }
      if isThere { return candidate }
    }
    return nil
  }
}
