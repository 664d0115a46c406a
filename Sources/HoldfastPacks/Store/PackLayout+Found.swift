import HoldfastFiles

extension PackLayout {
  /// Returns the layout that the folder of a pack shows, for a program other than the app.
  ///
  /// - Parameters:
  ///   - pack: The name of the pack.
  ///   - folder: The pack's folder.
  /// - Returns: The folder's own name, and the links in it that lead into a generation.
  /// - Throws: ``PackError`` with `.invalidName` when the folder's name cannot be the name of a
  ///   pack's folder; `FileError` when the folder cannot be read.
  package static func found(for pack: PackName, in folder: PackFolder) throws -> PackLayout {
    var links: [Link] = []
    for (name, entry) in try folder.entries() where entry == .foreign {
      guard let target = try target(ofLinkAt: folder.path.appending([name])) else { continue }
      // A name that is no pack's was not written by a store.
      guard let name = try? PackName(name) else { continue }
      links.append(try Link(name, to: target))
    }
    return PackLayout(folders: [pack: try PackName(folder.path.name)], links: [pack: links])
  }

  /// Returns what a link leads to, as ``SymbolicLinkUpdate`` writes it; `nil` for another link or file.
  private static func target(ofLinkAt path: FilePath) throws(FileError) -> Link.Target? {
    let text: String
    do throws(Errno) {
      guard try SystemCalls.linkStatus(of: path.text).kind == .symbolicLink else { return nil }
      text = try SystemCalls.linkText(of: path.text)
    } catch .illegalBytes {
      return nil
    } catch {
      throw .couldNotRead(path, error)
    }
    let folder = PackFolder(path.directory)
    guard folder.isLinkText(text) else { return nil }
    let names = text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    do throws(PackError) {
      return names[0] == folder.styles.name
        ? .style(try PackName(names[2]))
        : .file(try PackPath(names.dropFirst().joined(separator: "/")))
    } catch {
      // No layout has such a target.
      return nil
    }
  }
}
