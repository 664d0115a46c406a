public import Foundation
public import HoldfastFiles
public import HoldfastPacks

/// The style documents of one map: a template for each appearance, the tileset that they show, and
/// the folder where they are written.
///
/// ```swift
/// let styles = MapStyles(
///   templates: [.light: lightURL, .dark: darkURL], tileset: tilesetURL, assets: .bundle,
///   folder: mapFolder)
/// mapView.styleURL = try await styles.prepare(.light).url
/// ```
///
/// A document contains the absolute path of its tileset, so it is rendered again at each launch, and
/// written only when its bytes change: because the template did, because another generation of the
/// pack was installed, or because the container moved.
public struct MapStyles: Sendable {
  /// The template of each appearance; one for both if there is only one.
  public var templates: [MapAppearance: URL]

  /// The tileset, whose path replaces ``placeholder`` and `pmtiles_path`.
  public var tileset: URL

  /// Where sprites and glyphs lie.
  public var assets: MapStyle.Assets

  /// The folder of the documents; it is created with its parents.
  public var folder: URL

  /// The name of the placeholder for the tileset's path; `mbtiles_path` by default.
  ///
  /// `pmtiles_path` has the same value unless ``values`` has another one.
  public var placeholder = "mbtiles_path"

  /// The values of further placeholders.
  public var values: [String: MapStyle.Value] = [:]

  /// Style documents of older versions of the app, which are removed.
  ///
  /// Only a file that is a style document is removed; any other file stays.
  public var legacyDocuments: [URL] = []

  /// The generation that keeps the tileset's file in place, and is told of each written document.
  var generation: MapGeneration?

  /// Describes the style documents of a map.
  ///
  /// - Parameters:
  ///   - templates: The template of each appearance.
  ///   - tileset: The tileset.
  ///   - assets: Where sprites and glyphs lie.
  ///   - folder: The folder of the documents.
  public init(
    templates: [MapAppearance: URL], tileset: URL, assets: MapStyle.Assets, folder: URL
  ) {
    self.templates = templates
    self.tileset = tileset
    self.assets = assets
    self.folder = folder
  }

  /// Renders the document of an appearance, and writes it when it changed, on the caller's thread.
  ///
  /// The document is replaced in one step, and excluded from backups. Legacy documents are removed.
  ///
  /// - Parameter appearance: The appearance; without a template of its own, another one's is used.
  /// - Returns: The document, and what was done.
  /// - Throws: As ``MapStyle/init(template:)`` and ``MapStyle/rendered(_:assets:)`` do; ``MapError``
  ///   with `.notFound` when there is no template; `FileError` when the document cannot be written.
  @available(
    *, noasync,
    message:
      "Write `try await prepare(_:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func prepare(_ appearance: MapAppearance) throws -> PreparedMapStyle {
    let (document, template) = try render(appearance)
    let file = StyleFile(path: try FilePath(of: folder).appending([appearance.styleName]))
    generation?.holdUntilTheProcessEnds()
    let outcome = try file.write(document)
    let links = generation?.didWrite()
    return PreparedMapStyle(
      url: file.path.url, appearance: appearance, templateAppearance: template,
      digest: StyleFile.digest(of: document),
      isWritten: outcome.isWritten, isExcludedFromBackup: outcome.isExcludedFromBackup,
      keptFiles: links?.keptFiles ?? [], linkProblem: links?.problem,
      removedDocuments: StyleFile.removeLegacy(legacyDocuments))
  }

  /// Renders the document of an appearance, and writes it when it changed, while the task is
  /// suspended.
  ///
  /// - Parameter appearance: The appearance; without a template of its own, another one's is used.
  /// - Returns: The document, and what was done.
  /// - Throws: As the blocking form does.
  public func prepare(_ appearance: MapAppearance) async throws -> PreparedMapStyle {
    try await BlockingWork.userInitiated.run { try prepare(appearance) }
  }

  private func render(
    _ appearance: MapAppearance
  ) throws -> (document: Data, template: MapAppearance) {
    let candidates = [appearance] + MapAppearance.allCases
    guard let used = candidates.first(where: { templates[$0] != nil }), let url = templates[used]
    else { throw MapError.noTemplate() }
    let template: Data
    do {
      template = try Data(contentsOf: url)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      throw MapError.templateNotFound(try FilePath(of: url), error)
    }
    var values = values
    values[placeholder] = .file(tileset)
    values[MapStyle.archivePlaceholder] = values[MapStyle.archivePlaceholder] ?? .file(tileset)
    return (try MapStyle(template: template).rendered(values, assets: assets), used)
  }
}

extension MapStyles: Equatable {
  /// Whether the same documents are rendered from the same templates.
  public static func == (left: MapStyles, right: MapStyles) -> Bool {
    // The generation is part of the tileset's path.
    left.templates == right.templates && left.tileset == right.tileset
      && left.assets == right.assets && left.folder == right.folder
      && left.placeholder == right.placeholder && left.values == right.values
      && left.legacyDocuments == right.legacyDocuments
  }
}

/// A style document that is ready for a renderer of maps.
public struct PreparedMapStyle: Hashable, Sendable {
  /// The document.
  public let url: URL

  /// Its appearance.
  public let appearance: MapAppearance

  /// The appearance whose template was used: another one when this one has none.
  public let templateAppearance: MapAppearance

  /// The digest of the document, which differs when its content does.
  public let digest: SHA256Digest

  /// Whether the document was written, because there was none or it had another content.
  public let isWritten: Bool

  /// Whether the document is excluded from backups; false where the volume cannot keep this.
  public let isExcludedFromBackup: Bool

  /// The files that have a fixed name of the store's layout and were left or moved; empty for styles
  /// that are not a pack's.
  public let keptFiles: [InstallReport.KeptFile]

  /// The reason why the fixed names of the store's layout do not lead to the documents, in words;
  /// `nil` when they do, or there are none.
  public let linkProblem: String?

  /// The documents of older versions of the app that were removed.
  public let removedDocuments: [URL]
}
