/// Conversion of the absolute and relative paths that apps have stored before.
extension RelocatablePath {
  /// Reads a path in one of the forms that apps have stored.
  ///
  /// - An absolute path of any older container, on a device or in a simulator, taken literally:
  ///   `/var/mobile/Containers/Data/Application/<UUID>/Documents/…`, the same below `/private`,
  ///   `/var/mobile/Applications/<UUID>/…` of iOS 7, in its simulators `…/<UUID>/data/Applications/<UUID>/…`
  ///   and `…/iPhone Simulator/7.1/Applications/<UUID>/…`, `…/Containers/Shared/AppGroup/<UUID>/…`,
  ///   `…/Containers/Bundle/Application/<UUID>/X.app/…`;
  ///   an extension's own, `…/Containers/Data/PluginKitPlugin/<UUID>/…`; a sandboxed Mac
  ///   app's, `~/Library/Containers/<identifier>/Data/…`; a copy that Xcode has made,
  ///   `X.xcappdata/AppData/…`.
  /// - A `file:` URL of such a path, percent-decoded exactly once, after it was cut at its slashes.
  /// - A path relative to `bareRoot`, taken literally.
  /// - A path after one of `tags`. If one of them is the folder of its root, as `Documents/`, other paths
  ///   are relative to the home folder too: `Library/…`, `tmp/…`.
  ///
  /// Doubled and trailing slashes are dropped, as the system does; `.` and `..` are refused.
  ///
  /// ```swift
  /// try RelocatablePath(legacy: row["download_path"], bareRoot: .caches)
  /// ```
  ///
  /// - Parameters:
  ///   - text: The stored text.
  ///   - bareRoot: The root of relative paths; without it, relative paths are refused, because a
  ///     guess would point to another file.
  ///   - appGroup: The identifier of the app group, which an absolute path does not contain;
  ///     without it, paths in app groups are refused.
  ///   - tags: Prefixes that stand for roots, such as `["D:": .documents, "C:": .caches]`; none by
  ///     default, because a relative path may legally begin with `D:`.
  /// - Throws: ``FileError`` with `.invalidPath` when the text has none of these forms or an
  ///   illegal name in it, `.outsideRoot` when it lies in a container but in none of its roots.
  public init(
    legacy text: String, bareRoot: StorageRoot? = nil, appGroup: String? = nil,
    tags: [String: StorageRoot] = [:]
  ) throws(FileError) {
    guard !text.isEmpty else { throw .unreadableLegacyPath(text, .empty) }
    for (tag, root) in tags where text.utf8.starts(with: tag.utf8) && !tag.isEmpty {
      let rest = String(Substring(text.utf8.dropFirst(tag.utf8.count)))
      try self.init(root, components: Self.names(in: rest))
      return
    }
    switch try LegacyForm(text) {
    case .absolute(let names):
      let place = try ContainerLocation(names: names, of: text, appGroup: appGroup)
      try self.init(place.root, components: place.names)
    case .relative(let names):
      if let bareRoot {
        try self.init(bareRoot, components: names)
      } else if Self.areRelativeToData(tags), let place = ContainerLocation(inData: names) {
        try self.init(place.root, components: place.names)
      } else {
        throw .unreadableLegacyPath(text, .bareWithoutRoot)
      }
    }
  }

  /// Whether one of the prefixes is the folder of its root, as `Documents/`: then the others are too.
  private static func areRelativeToData(_ tags: [String: StorageRoot]) -> Bool {
    tags.contains { tag, root in
      StorageRoot.inData.contains(root) && tag == root.folder.joined(separator: "/") + "/"
    }
  }

  /// The reason a stored path could not be read.
  enum LegacyFlaw: Equatable {
    case empty, bareWithoutRoot, groupNotNamed, noContainer
    case remote(scheme: String)
    case urlHost(String), urlRelative, urlMark(Character), urlEscape(String)
    case outsideRoots(String)
  }

  fileprivate static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }
}

/// The form of a stored text, before it is matched with a container.
enum LegacyForm {
  case absolute([String])
  case relative([String])

  init(_ text: String) throws(FileError) {
    if text.utf8.first == UInt8(ascii: "/") {
      self = .absolute(RelocatablePath.names(in: text))
      return
    }
    guard let scheme = Self.scheme(of: text) else {
      self = .relative(RelocatablePath.names(in: text))
      return
    }
    guard scheme == "file" else { throw .unreadableLegacyPath(text, .remote(scheme: scheme)) }
    self = .absolute(try Self.names(inFileURL: text))
  }

  /// Returns `file` for `file:…`, any scheme for `scheme://…`; a plain name may contain a colon.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text[..<colon].lowercased()
    let isWord = scheme.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isWord, !scheme.isEmpty else { return nil }
    let isURL = text[colon...].utf8.starts(with: "://".utf8)
    return scheme == "file" || isURL ? scheme : nil
  }

  private static func names(inFileURL text: String) throws(FileError) -> [String] {
    var rest = text.utf8.dropFirst("file:".utf8.count)
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      let name = String(Substring(host))
      guard name.isEmpty || name == "localhost" else {
        throw .unreadableLegacyPath(text, .urlHost(name))
      }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == UInt8(ascii: "/") else { throw .unreadableLegacyPath(text, .urlRelative) }
    // RFC 3986: an unescaped "?" or "#" ends the path, but it may have been meant as part of a
    // name.
    for mark: Character in ["?", "#"] where rest.contains(mark.asciiValue ?? 0) {
      throw .unreadableLegacyPath(text, .urlMark(mark))
    }
    var names: [String] = []
    for name in rest.split(separator: UInt8(ascii: "/")) {
      guard let decoded = percentDecoded(name) else {
        throw .unreadableLegacyPath(text, .urlEscape(String(Substring(name))))
      }
      names.append(decoded)
    }
    return names
  }

  /// Decodes `%XX` once; `nil` when an escape is incomplete or the bytes are not valid UTF-8.
  private static func percentDecoded(_ name: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(HexText.digit),
        let low = rest.popFirst().flatMap(HexText.digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The location of an absolute path in an older container.
private struct ContainerLocation {
  var root: StorageRoot
  var names: [String]

  /// The kind of a container, which is recognized by the names before its identifier.
  private enum Kind: CaseIterable {
    case data, dataBeforeIOS8, simulatorBeforeIOS8, oldSimulator, extensionData, macData, copy,
      group, bundle

    /// Whether the container contained the bundle too, as it did until iOS 7.
    var containsBundle: Bool {
      switch self {
      case .dataBeforeIOS8, .simulatorBeforeIOS8, .oldSimulator: true
      case .data, .extensionData, .macData, .copy, .group, .bundle: false
      }
    }

    /// The condition on each name of the marker, outermost first.
    var marker: [(String) -> Bool] {
      switch self {
      case .data: [Self.isContainers, Self.equals("Data"), Self.equals("Application"), Self.isUUID]
      case .dataBeforeIOS8: [Self.equals("mobile"), Self.equals("Applications"), Self.isUUID]
      case .simulatorBeforeIOS8:
        [Self.isUUID, Self.equals("data"), Self.equals("Applications"), Self.isUUID]
      // Until Xcode 5, below ~/Library/Application Support.
      case .oldSimulator:
        [Self.equals("iPhone Simulator"), { _ in true }, Self.equals("Applications"), Self.isUUID]
      case .extensionData:
        [Self.isContainers, Self.equals("Data"), Self.equals("PluginKitPlugin"), Self.isUUID]
      case .macData:
        [Self.equals("Library"), Self.equals("Containers"), { _ in true }, Self.equals("Data")]
      case .copy: [Container.isCopy, Self.equals("AppData")]
      case .group:
        [Self.isContainers, Self.equals("Shared"), Self.equals("AppGroup"), Self.isUUID]
      case .bundle:
        [Self.isContainers, Self.equals("Bundle"), Self.equals("Application"), Self.isUUID]
      }
    }

    /// Returns the kind of the outermost container and the names in it: a copy of one may lie inside another.
    ///
    /// A text may have millions of names, of which none behind the container is looked at.
    static func outermost(in names: [String]) -> (kind: Kind, rest: ArraySlice<String>)? {
      let markers = allCases.map { (kind: $0, conditions: $0.marker) }
      for end in names.indices.dropFirst() {
        for (kind, conditions) in markers where end >= conditions.count - 1 {
          let start = end - conditions.count + 1
          let isMarked = conditions.indices.allSatisfy { conditions[$0](names[start + $0]) }
          if isMarked { return (kind, names[(end + 1)...]) }
        }
      }
      return nil
    }

    private static func equals(_ name: String) -> (String) -> Bool {
      { $0.utf8.elementsEqual(name.utf8) }
    }

    /// "Containers" for data and groups, "containers" for bundles on a device.
    private static func isContainers(_ name: String) -> Bool {
      name.lowercased() == "containers"
    }

    private static func isUUID(_ name: String) -> Bool {
      let groups = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      return groups.map(\.count) == [8, 4, 4, 4, 12]
        && groups.joined().allSatisfy { HexText.digit($0) != nil }
    }
  }

  /// The location of a path relative to the data folder; `nil` when it lies in no root.
  init?(inData names: [String]) {
    guard let root = StorageRoot.inData.first(where: { names.starts(with: $0.folder) }) else {
      return nil
    }
    self.init(root: root, names: Array(names.dropFirst(root.folder.count)))
  }

  init(names: [String], of text: String, appGroup: String?) throws(FileError) {
    guard let match = Kind.outermost(in: names) else {
      throw .unreadableLegacyPath(text, .noContainer)
    }
    switch match.kind {
    case _ where match.kind.containsBundle && match.rest.first?.hasSuffix(".app") == true:
      self.init(root: .bundle, names: Array(match.rest.dropFirst()))
    case .data, .dataBeforeIOS8, .simulatorBeforeIOS8, .oldSimulator, .extensionData, .macData,
      .copy:
      guard let place = ContainerLocation(inData: Array(match.rest)) else {
        throw .unreadableLegacyPath(
          text, .outsideRoots(match.rest.joined(separator: "/")))
      }
      self = place
    case .group:
      guard let appGroup else { throw .unreadableLegacyPath(text, .groupNotNamed) }
      self.init(root: .appGroup(appGroup), names: Array(match.rest))
    case .bundle:
      // The first name is the bundle itself, "X.app".
      self.init(root: .bundle, names: Array(match.rest.dropFirst()))
    }
  }

  private init(root: StorageRoot, names: [String]) {
    self.root = root
    self.names = names
  }
}
