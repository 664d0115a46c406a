import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastInspector

/// The map engine, which is served only if it is the expected file.
@Suite struct MapEngineFileTests {
  @Test func anotherFileIsNotServed() throws {
    let folder = try TemporaryDirectory()
    try Data("alert(1)".utf8).write(to: folder.file("engine.js"))
    let engine = MapEngine(
      nextTo: nil, environment: ["HOLDFAST_MAP_LIBRARY": folder.file("engine.js").path])
    #expect(!engine.isThere)
    #expect(engine.response(to: "maplibre-gl.js") == nil)
    #expect(engine.problem?.contains("is not MapLibre GL JS") == true)
  }

  @Test func withoutTheFileThereIsAReason() {
    let engine = MapEngine(nextTo: nil, environment: [:])
    #expect(!engine.isThere && engine.problem?.contains("Scripts/map-library") == true)
  }

  private static let file = PackageFolder.root.appending(
    path: ".build/inspector/maplibre-gl-\(MapEngine.version).js")

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: file.path), "PyPI offered no MapLibre GL JS"))
  func theExpectedFileIsServedInTwoParts() throws {
    let engine = MapEngine(
      nextTo: nil, environment: ["HOLDFAST_MAP_LIBRARY": Self.file.path])
    #expect(engine.isThere && engine.problem == nil)
    guard case .bytes(let whole)? = engine.response(to: "maplibre-gl.js")?.body,
      case .bytes(let worker)? = engine.response(to: "maplibre-gl-worker.js")?.body
    else {
      Issue.record("a part is missing")
      return
    }
    #expect(whole == (try Data(contentsOf: Self.file)))
    let text = String(decoding: worker, as: UTF8.self)
    #expect(text.contains("qr(\"shared\"") && text.contains("qr(\"worker\""))
    #expect(!text.contains("qr(\"index\""))
    #expect(engine.response(to: "other.js") == nil)
  }
}
