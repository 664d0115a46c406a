import HoldfastFiles

/// The names of the folders of a store, and the fixed names under which files are found.
///
/// By default the pack `map` lies in `<store>/map`, and with editions in `<store>/2025/map`.
public struct PackLayout: Hashable, Sendable {
  /// A fixed name in the folder of a pack, which leads to a file of the current generation.
  ///
  /// It is a symbolic link with a relative text, and is switched in one step. A library that keeps
  /// a file open by its path, as MapLibre does, must be given the generation's own path instead.
  public struct Link: Hashable, Sendable {
    /// The target of a link.
    public enum Target: Hashable, Sendable {
      /// A file of the pack.
      case file(PackPath)
      /// A style that was written for the generation.
      case style(PackName)
    }

    /// The name in the folder of the pack.
    public let name: PackName

    /// The target of the link.
    public let target: Target

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - name: The name in the folder of the pack.
    ///   - target: The target of the link.
    /// - Throws: ``PackError`` with `.invalidName` when the store uses the name itself.
    public init(_ name: PackName, to target: Target) throws(PackError) {
      guard PackFolder.Entry(name.description) == .foreign else {
        throw .reservedName(name.description)
      }
      self.name = name
      self.target = target
    }
  }

  /// The names of the folders of packs that do not have the pack's own name.
  ///
  /// Each pack needs a folder of its own: a pack is not installed where another one is current, or
  /// kept by a lease. On a volume that distinguishes letter case, another spelling is another folder.
  public var folders: [PackName: PackName]

  /// The links in the folders of packs, of which no two may have one name.
  public var links: [PackName: [Link]]

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - folders: The names of the folders of packs that do not have the pack's own name.
  ///   - links: The links in the folders of packs.
  public init(folders: [PackName: PackName] = [:], links: [PackName: [Link]] = [:]) {
    self.folders = folders
    self.links = links
  }

  /// The layout with a folder per pack and no links.
  public static let standard = PackLayout()

  /// Returns a layout with a fixed name for the tiles and each style of a map, for an app that finds
  /// them by their paths.
  ///
  /// With the default names these are `<store>/Map/map.mbtiles`, `<store>/Map/style-light.json` and
  /// `<store>/Map/style-dark.json`.
  ///
  /// - Parameters:
  ///   - pack: The pack with the tiles.
  ///   - folder: The name of its folder.
  ///   - tiles: The path of the tiles in the pack, which are found as `map.mbtiles`.
  ///   - styles: The names of its styles.
  /// - Returns: A layout of this pack only.
  /// - Throws: ``PackError`` with `.invalidName` when one of the names cannot be used.
  public static func fixedMapNames(
    of pack: PackName, in folder: String = "Map", tiles: String = "map.mbtiles",
    styles: [String] = ["style-light.json", "style-dark.json"]
  ) throws(PackError) -> PackLayout {
    var links = [try Link(PackName("map.mbtiles"), to: .file(PackPath(tiles)))]
    for style in styles {
      let name = try PackName(style)
      links.append(try Link(name, to: .style(name)))
    }
    return PackLayout(folders: [pack: try PackName(folder)], links: [pack: links])
  }

  /// Returns the links in the folder of a pack.
  ///
  /// - Throws: ``PackError`` with `.invalidName` when two of them have one name, which would lead to
  ///   one file and then to the other at each launch.
  func links(of pack: PackName) throws(PackError) -> [Link] {
    let links = links[pack] ?? []
    var names: Set<PackName> = []
    for link in links where !names.insert(link.name).inserted { throw .twoLinks(link.name) }
    return links
  }

  /// The name of a pack's folder.
  ///
  /// A name of a pack is the same in any letter case, so its own folder's name has lower case.
  func folder(of pack: PackName) -> String {
    folders[pack]?.description ?? pack.folded
  }
}
