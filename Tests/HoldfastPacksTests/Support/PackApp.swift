import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport

/// An app with a container of its own and a store in it.
struct PackApp {
  let directory: TemporaryDirectory
  let container: URL
  let pack: PackName

  init(in volume: URL? = nil) throws {
    directory = try volume.map { try TemporaryDirectory(in: $0) } ?? TemporaryDirectory()
    pack = try PackName(SamplePack.name)
    container = directory.file("container")
  }

  /// Creates an app whose container lies elsewhere.
  init(container: URL) throws {
    directory = try TemporaryDirectory()
    pack = try PackName(SamplePack.name)
    self.container = container
  }

  func configuration(
    _ change: (inout PackStore.Configuration) throws -> Void = { _ in }
  ) throws -> PackStore.Configuration {
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: container)
    configuration.role = try LeaseRole("org.example.app")
    try change(&configuration)
    return configuration
  }

  func store(
    _ change: (inout PackStore.Configuration) throws -> Void = { _ in }
  ) throws -> PackStore {
    PackStore(try PackName("iBurn"), configuration: try configuration(change))
  }

  /// Builds a pack, as a new version of the app ships it.
  func sample(
    _ version: String, city: String = "Black Rock", edition: String? = nil,
    isSeeded: Bool = false, byteCount: Int = 3000
  ) throws -> SamplePack {
    try SamplePack(
      in: directory.file("bundle-\(UUID().uuidString)"), version: version, city: city,
      edition: edition, isSeeded: isSeeded, byteCount: byteCount)
  }

  var applicationSupport: URL { container.appending(path: "Library/Application Support") }

  /// The folder of the pack.
  var folder: URL { applicationSupport.appending(path: "iBurn/map") }

  /// The sorted names in the pack's folder.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}
