import Foundation
import HoldfastFiles
import HoldfastPacks

/// The parameters that name a store of packs in a container.
struct PackParameters: Sendable {
  let container = Argument(
    "CONTAINER", "The app's container, as copied from a device, or a folder to prepare.", .path)
  let store = Option(
    "--store", "NAME", "The store's name, as in PackStore(…).", .packName,
    otherwise: .standardStore)
  let edition = Option("--edition", "E", "The edition, such as 2025.", .packEdition)

  var all: [any Parameter] { [container, store, edition] }

  /// Returns the store in the container.
  ///
  /// - Parameters:
  ///   - arguments: The words of the command line.
  ///   - isCreated: Whether a folder without the layout of a container gets it.
  /// - Returns: A store, which may have no pack yet.
  /// - Throws: ``ToolError`` when there is no container.
  func packStore(
    _ arguments: ParsedArguments, creating isCreated: Bool = false
  ) throws -> PackStore {
    try Self.packStore(
      at: arguments[container], named: arguments[store], arguments[edition], creating: isCreated)
  }

  static func packStore(
    at url: URL, named name: PackName, _ edition: PackEdition?, creating isCreated: Bool = false
  ) throws -> PackStore {
    let copied = try CopiedContainer(at: url)
    guard let data = copied.data ?? (isCreated ? copied.folder : nil) else {
      throw ToolError.noContainerLayout(url.relativePath)
    }
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: data.url)
    configuration.edition = edition
    return PackStore(name, configuration: configuration)
  }
}

extension PackName {
  /// The name of the store where no other is given.
  fileprivate static let standardStore: PackName = {
    do throws(PackError) {
      return try PackName("Packs")
    } catch {
      preconditionFailure("The name is legal.")
    }
  }()
}

extension Reading<PackName> {
  /// The name of a pack or a store.
  static let packName = Reading(
    expected: "a name of 1 to 64 ASCII letters, digits, '.', '_' and '-'"
  ) { word in
    // The parser says what is expected.
    try? PackName(word)
  }
}

extension Reading<PackEdition> {
  static let packEdition = Reading(
    expected: "an edition of 1 to 64 ASCII letters, digits, '.', '_' and '-'"
  ) { word in
    // The parser says what is expected.
    try? PackEdition(word)
  }
}

extension Reading<PackVersion> {
  static let packVersion = Reading(
    expected: "1 to 4 numbers with dots between them, such as 2025.1.3"
  ) { word in
    // The parser says what is expected.
    try? PackVersion(word)
  }
}
