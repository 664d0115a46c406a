import Foundation

/// Conversions of absolute paths to texts relative to one root and back, as apps store them that
/// have one such root.
///
/// New code stores the text of a ``RelocatablePath``, which names its root.
extension Container {
  /// Returns the text relative to a root for an absolute path or a `file:` URL below it.
  ///
  /// Everything else is returned unchanged: an empty or relative text, an address on the network, a
  /// path outside the root or in an older container, and one that ``resolveAppPath(_:below:)``
  /// would not lead back to the same file. `RelocatablePath(legacy:)` reads the paths of older
  /// containers.
  ///
  /// ```swift
  /// container.toAppRelativePath(url.absoluteString)   // downloads/book.m4b
  /// ```
  ///
  /// - Parameters:
  ///   - path: an absolute path, taken literally, or a `file:` URL, percent-decoded exactly once.
  ///   - root: the root that the text is relative to.
  /// - Returns: the names below the root, joined with `/`, or `path`.
  public func toAppRelativePath(_ path: String, below root: StorageRoot = .caches) -> String {
    do throws(FileError) {
      guard case .absolute(let names) = try LegacyForm(path), !names.isEmpty else { return path }
      // Checked before the URL is made, which could resolve `..`.
      _ = try RelocatablePath(root, components: names)
      let file = FilePath("/").appending(names)
      let relocatable = try relocatablePath(for: file.url)
      guard relocatable.root == root, !relocatable.components.isEmpty else { return path }
      let text = relocatable.components.joined(separator: "/")
      // A name such as "file:book" would be read as a URL.
      guard case .relative(let again) = try LegacyForm(text),
        zip(again, relocatable.components).allSatisfy({ $0.utf8.elementsEqual($1.utf8) })
      else { return path }
      return text
    } catch {
      // What has no relative form stays as it is.
      return path
    }
  }

  /// Returns the `file:` URL of a text relative to a root, as the text of the URL.
  ///
  /// An absolute path, a `file:` URL, an address on the network and an empty text are returned
  /// unchanged.
  ///
  /// ```swift
  /// try container.resolveAppPath("downloads/book.m4b")   // file:///…/downloads/book.m4b
  /// ```
  ///
  /// - Parameters:
  ///   - path: names joined with `/`, taken literally: a percent sign is a percent sign.
  ///   - root: the root that the text is relative to.
  /// - Returns: the URL, percent-encoded exactly once, or `path`.
  /// - Throws: ``FileError`` with `.invalidPath` when a name is illegal, such as `..`;
  ///   `.outsideRoot` when a symbolic link leads out of the root; and as ``url(for:)-(StorageRoot)``
  ///   does.
  public func resolveAppPath(
    _ path: String, below root: StorageRoot = .caches
  ) throws(FileError) -> String {
    guard !path.isEmpty, let names = Self.relativeNames(path) else { return path }
    return try url(for: RelocatablePath(root, components: names)).absoluteString
  }

  /// Returns the names of a relative text; `nil` for every other form.
  private static func relativeNames(_ text: String) -> [String]? {
    do throws(FileError) {
      guard case .relative(let names) = try LegacyForm(text) else { return nil }
      return names
    } catch {
      // A URL, legal or not.
      return nil
    }
  }
}
