import HoldfastFiles

/// The files of sprites and glyphs that a style needs, and those of them that a folder has not.
struct StyleFiles {
  /// The paths of files that are missing in the folder, which has others beside them.
  private(set) var missing: [String] = []

  /// The paths of files that are there and cannot be used, with the reason.
  private(set) var unusable: [String] = []

  /// The URLs that lead nowhere, because they are the end of a path, and their places.
  private(set) var relative: [(url: String, place: String, line: Int)] = []

  /// The paths of files that only renderers other than MapLibre Native for iOS miss.
  private(set) var missingElsewhere: [String] = []

  /// The paths of files that the folder has not at all, so that the app's bundle must contain them.
  private(set) var inBundle: [String] = []

  /// The characters of labels for which a file has no glyph, with the file.
  private(set) var absentGlyphs: [String] = []

  /// The images that the style names and its sprites have not, each with the file and the reason.
  private(set) var missingImages: [String] = []

  /// The images that a style names that has no sprite.
  private(set) var imagesWithoutSprite: [String] = []

  /// Whether labels have texts, and the style has no 'glyphs'.
  private(set) var lacksGlyphs = false

  /// Compares the files of a style with a folder.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - needs: The files of glyphs that its labels need.
  ///   - folder: The folder, such as that of a pack.
  init(of style: MapStyle, _ needs: LabelNeeds, in folder: AssetFolder) {
    let images = StyleImages(in: style.document, drawn: needs.images)
    let sprite = style.document.root["sprite"]
    if (sprite?.text ?? "").isEmpty, sprite?.elements.isEmpty ?? true {
      imagesWithoutSprite = images.names.sorted()
    }
    let imageSources = Set(
      (style.document.root["sources"]?.members ?? [])
        .filter { $0.value["type"]?.text == "image" }.map { "sources.\($0.key).url" })
    for reference in StyleRules.assetReferences(style.document) {
      guard let text = reference.value.text, !TemplateString.opens(text) else { continue }
      guard let asset = URLText.path(of: text, scheme: "asset") else {
        // Glyphs are read for labels only, and no URL for them is said below.
        let isRead = reference.place != "glyphs" || !needs.isEmpty && !text.isEmpty
        if isRead, URLText.isRelative(text) {
          relative.append((text, reference.place, style.document.line(of: reference.value)))
        }
        continue
      }
      switch reference.kind {
      case .sprite:
        let sprites = style.document.root["sprite"]?.elements ?? []
        let own = sprites.first { $0["url"]?.text == text }?["id"]?.text
        examineSprite(asset, folder, images.names(ofSprite: own))
      case .file where reference.place == "glyphs": examineGlyphs(asset, needs, folder)
      case .file: examineFile(asset, folder, isImage: imageSources.contains(reference.place))
      }
    }
    let glyphs = style.document.root["glyphs"]?.text
    lacksGlyphs = !needs.isEmpty && (glyphs ?? "").isEmpty
  }

  /// The files of a sprite: an iPhone reads those for screens with more points, other devices the others.
  private static let spriteEndings = [".json", ".png", "@2x.json", "@2x.png"]

  private mutating func examineSprite(
    _ asset: String, _ folder: AssetFolder, _ images: [String]
  ) {
    guard let names = AssetFolder.names(asset.utf8[...]) else { return }
    let path = folder.place(of: names, endings: Self.spriteEndings)
    for ending in Self.spriteEndings {
      guard let path else {
        inBundle.append(names.joined(separator: "/") + ending)
        continue
      }
      let file = path.joined(separator: "/") + ending
      guard folder.hasFile(path, ending) else {
        missing.append(file)
        continue
      }
      // The index is JSON, which is read with all others.
      if ending.hasSuffix(".png"),
        let fault = folder.fault(of: path, ending, TileImage.fault(in:))
      {
        unusable.append("\(file): \(fault)")
      }
    }
    guard let path else { return }
    let missingInEach = ["", "@2x"].compactMap { missing(images, of: path, $0, folder) }
    let everywhere = Set(images).filter { name in
      missingInEach.allSatisfy { $0.contains { $0.name == name && $0.fault == nil } }
    }
    guard !missingInEach.isEmpty else { return }
    missingImages += images.filter(everywhere.contains).map { "'\($0)'" }
    for (name, file, fault) in missingInEach.joined() where !everywhere.contains(name) {
      missingImages.append("'\(name)' in \(file)\(fault.map { " (\($0))" } ?? "")")
    }
  }

  /// Returns the names of images that one of the two sizes of a sprite has not; `nil` when it cannot be read.
  private func missing(
    _ images: [String], of path: [String], _ size: String, _ folder: AssetFolder
  ) -> [(name: String, file: String, fault: String?)]? {
    guard folder.hasFile(path, "\(size).json") else { return nil }
    do throws(JSONDocument.Fault) {
      let document = try folder.document(of: path, "\(size).json")
      let index = SpriteIndex(document, in: folder.pngSize(of: path, "\(size).png"))
      let file = path.joined(separator: "/") + "\(size).json"
      return images.filter { !index.images.contains($0) }.map { ($0, file, index.faults[$0]) }
    } catch _ {
      // Another examination says why it cannot be read.
      return nil
    }
  }

  /// A description of a tileset, GeoJSON or an image, which is one file.
  private mutating func examineFile(_ asset: String, _ folder: AssetFolder, isImage: Bool) {
    // The address of tiles has tokens.
    guard !asset.utf8.contains(UInt8(ascii: "{")), let names = AssetFolder.names(asset.utf8[...]),
      !names.isEmpty
    else { return }
    guard let path = folder.place(of: names, endings: [""]) else {
      inBundle.append(names.joined(separator: "/"))
      return
    }
    if isImage, let fault = folder.fault(of: path, "", TileImage.fault(in:)) {
      unusable.append("\(path.joined(separator: "/")): \(fault)")
    }
  }

  private mutating func examineGlyphs(
    _ asset: String, _ needs: LabelNeeds, _ folder: AssetFolder
  ) {
    // What precedes the tokens is a folder.
    let tokens = asset.utf8.firstIndex(of: UInt8(ascii: "{")) ?? asset.utf8.endIndex
    let slash = asset.utf8[..<tokens].lastIndex(of: UInt8(ascii: "/")) ?? asset.utf8.startIndex
    guard let names = AssetFolder.names(asset.utf8[..<slash]) else { return }
    let path = folder.place(of: names, endings: nil)
    let rest = String(decoding: asset.utf8[slash...], as: UTF8.self)
    for (file, example) in needs.files.sorted(by: { $0.key < $1.key }) {
      let name = rest.replacing("{fontstack}", with: URLText.escaped(file.fonts))
        .replacing("{range}", with: file.range.name)
      guard let last = AssetFolder.names(name.utf8[...]) else { continue }
      let text = String(example.text.unicodeScalars.prefix(40))
      let remark = " (for '\(text)' of the layer '\(example.layer)')"
      guard let path else {
        if example.isNeededByApple {
          inBundle.append((names + last).joined(separator: "/") + remark)
        }
        continue
      }
      let line = (path + last).joined(separator: "/") + remark
      if !folder.hasFile(path + last, "") {
        if example.isNeededByApple { missing.append(line) } else { missingElsewhere.append(line) }
        continue
      }
      var characters = GlyphSet()
      let fault = folder.fault(of: path + last, "") { bytes in
        let glyphs = GlyphFile(bytes)
        characters = glyphs.characters
        return glyphs.fault
      }
      if let fault {
        if example.isNeededByApple {
          unusable.append("\(line): \(fault)")
        } else {
          missingElsewhere.append(line)
        }
      } else {
        let absent = (needs.characters[file] ?? GlyphSet()).subtracting(characters)
        let signs = absent.indexes.map { UInt32(file.range.first + $0) }
        if !signs.isEmpty {
          absentGlyphs.append(
            StyleSentence.signs(signs, in: (path + last).joined(separator: "/")))
        }
      }
    }
  }
}
