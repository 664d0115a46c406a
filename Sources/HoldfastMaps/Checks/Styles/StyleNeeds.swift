package import Foundation
import HoldfastFiles

/// Everything that a style needs of a folder and of its tilesets, and what of it is missing.
struct StyleNeeds {
  /// Sentences about what keeps a map from being shown.
  private(set) var refusals: [String] = []

  /// Sentences about what may be missing.
  private(set) var warnings: [String] = []

  /// Compares a style with a folder.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - folder: The folder in which the files of `asset://` URLs are looked for.
  ///   - findings: What was found when the style's tilesets were read.
  init(of style: MapStyle, in folder: FilePath, _ findings: [StyleFindings]) {
    var needs = LabelNeeds()
    for finding in findings { needs.add(finding.needs) }
    for problem in findings.flatMap(\.problems) {
      if problem.severity == .error {
        refusals.append(problem.message)
      } else {
        warnings.append(problem.message)
      }
    }
    let assets = AssetFolder(path: folder)
    let labels = StyleLabel.all(in: style.document)
    // Labels without a source have no features, and those of GeoJSON have them in the style or in a file.
    for source in style.document.root["sources"]?.members ?? [] {
      let own = labels.filter { $0.source == source.key }
      guard !own.isEmpty, source.value["type"]?.text == "geojson",
        let data = source.value["data"]
      else { continue }
      let geoJSON = Self.geoJSON(data, style, assets)
      needs.add(geoJSON: geoJSON, own)
      if let cluster = source.value["cluster"],
        StyleJSON(cluster, in: style.document) == .bool(true)
      {
        needs.addClusters(
          of: geoJSON.pointCount, source.value["clusterProperties"]?.members.map(\.key) ?? [], own)
      }
    }
    let glyphs = style.document.root["glyphs"]?.text
    if let glyphs, URLText.path(of: glyphs, scheme: "asset") != nil {
      for label in labels {
        warnings += label.unknown.map { StyleSentence.unknown($0.json, label.layer, label.line) }
      }
    }
    let files = StyleFiles(of: style, needs, in: assets)
    refusals += StyleDocuments(of: style, in: assets).refusals
    if files.lacksGlyphs { refusals.append(StyleSentence.noGlyphs) }
    if !files.missing.isEmpty { refusals.append(StyleSentence.missing(files.missing)) }
    if !files.unusable.isEmpty { refusals.append(StyleSentence.unusable(files.unusable)) }
    for (url, place, line) in files.relative {
      refusals.append(StyleSentence.relative(url, at: place, line))
    }
    if !files.missingElsewhere.isEmpty {
      warnings.append(StyleSentence.missingElsewhere(files.missingElsewhere))
    }
    if !files.missingImages.isEmpty {
      warnings.append(StyleSentence.missingImages(files.missingImages))
    }
    if !files.absentGlyphs.isEmpty {
      warnings.append(StyleSentence.absentGlyphs(files.absentGlyphs))
    }
    if !files.imagesWithoutSprite.isEmpty {
      warnings.append(StyleSentence.noSprite(files.imagesWithoutSprite))
    }
    if !files.inBundle.isEmpty { warnings.append(StyleSentence.inBundle(files.inBundle)) }
  }

  private static func geoJSON(
    _ data: JSONDocument.Value, _ style: MapStyle, _ folder: AssetFolder
  ) -> StyleJSON {
    guard let url = data.text else { return StyleJSON(data, in: style.document) }
    guard let asset = URLText.path(of: url, scheme: "asset"),
      let names = AssetFolder.names(asset.utf8[...]),
      let place = folder.place(of: names, endings: [""])
    else { return .null }
    do throws(JSONDocument.Fault) {
      let document = try folder.document(of: place, "")
      return StyleJSON(document.root, in: document)
    } catch _ {
      // A file that cannot be read has no texts, and is refused for that.
      return .null
    }
  }
}

extension MapStyle {
  /// Throws if a renderer would read a tileset as what it is not, by its name or by the type of a source.
  ///
  /// - Parameters:
  ///   - url: The tileset for which the style is rendered.
  ///   - format: The format of its tiles; `nil` when it is not known.
  /// - Throws: ``MapError`` with `.unusablePath` or `.wrongSource`; `FileError`.
  package func checkTileset(at url: URL, _ format: TileFormat?) throws {
    let path = try FilePath(of: url)
    if let reason = try TilesetFileFormat(contentOf: path).wrongName(of: path) {
      throw MapError.wrongName(path, because: reason)
    }
    guard let format else { return }
    let types = StyleSourceTypes(self, forFileNamed: path.text, areImages: format.isImage)
    if !types.uses.isEmpty { throw MapError.otherSourceType(types.problems) }
  }

  /// Throws if a folder or a tileset has not what the style needs, which reads all tiles.
  ///
  /// - Parameters:
  ///   - folder: The folder in which the files of `asset://` URLs are looked for.
  ///   - tileset: The tileset that the style draws; `nil` to look for the files only.
  /// - Returns: Sentences about what may be missing.
  /// - Throws: ``MapError`` with `.missingAsset`, and the errors of a tileset that cannot be read.
  package func checkNeeds(in folder: URL, tileset: URL?) throws -> [String] {
    var findings: [StyleFindings] = []
    if let tileset {
      findings =
        switch try TilesetFileFormat(contentOf: FilePath(of: tileset)) {
        case .mbtiles: try Tileset(at: tileset).check(for: [self]).styles
        case .pmtiles: try PMTilesArchive(at: tileset).check(for: [self]).styles
        }
    }
    let form = StyleForm(of: self)
    let needs = StyleNeeds(of: self, in: try FilePath(of: folder), findings)
    let refusals = form.faults + needs.refusals
    guard refusals.isEmpty else { throw MapError.unusableStyle(refusals) }
    return form.remarks + needs.warnings
  }
}
