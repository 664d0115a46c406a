import Foundation
import HoldfastFiles
import HoldfastMaps
import HoldfastTestSupport
import Observation
import Synchronization
import Testing

@Suite struct ObservedMapStyleTests {
  private let container: TemporaryDirectory

  init() throws {
    container = try TemporaryDirectory()
    try SampleTileset().write(to: container.file("map.mbtiles"))
    for appearance in MapAppearance.allCases {
      try SampleStyle.template(name: appearance.rawValue)
        .write(to: container.file("\(appearance.rawValue).json"))
    }
  }

  private func styles(_ tileset: String = "map.mbtiles") -> MapStyles {
    let templates = MapAppearance.allCases.map { ($0, container.file("\($0.rawValue).json")) }
    return MapStyles(
      templates: Dictionary(uniqueKeysWithValues: templates), tileset: container.file(tileset),
      assets: .bundle, folder: container.url.appending(path: "styles"))
  }

  /// Counts the changes that an observer of the value is notified of.
  @MainActor private final class Observer {
    private(set) var count = 0
    private let style: ObservedMapStyle

    init(_ style: ObservedMapStyle) {
      self.style = style
      observe()
    }

    private func observe() {
      withObservationTracking {
        _ = style.current
      } onChange: { [weak self] in
        MainActor.assumeIsolated {
          self?.count += 1
          self?.observe()
        }
      }
    }
  }

  @MainActor @Test func `IB-9: A change of the appearance gives the other document once`()
    async throws
  {
    let style = ObservedMapStyle(styles(), appearance: .light)
    let observer = Observer(style)
    #expect(await style.ready()?.appearance == .light)
    #expect(observer.count == 1)
    style.appearance = .dark
    // The map keeps its document until the other one is ready.
    #expect(style.current?.appearance == .light)
    #expect(await style.ready()?.appearance == .dark)
    #expect(observer.count == 2)
    let url = try #require(style.current?.url)
    #expect(try String(decoding: Data(contentsOf: url), as: UTF8.self).contains("\"dark\""))
  }

  @MainActor @Test func `IB-9: Nothing new notifies no observer, so that the camera stays`()
    async throws
  {
    let style = ObservedMapStyle(styles(), appearance: .light)
    await style.ready()
    let observer = Observer(style)
    style.appearance = .light
    style.styles = styles()
    await style.refresh()
    #expect(observer.count == 0)
    // There and back before anything was prepared.
    style.appearance = .dark
    style.appearance = .light
    await style.ready()
    #expect(observer.count == 0 && style.current?.appearance == .light)
  }

  @MainActor @Test func `IB-9: A rendered document has the camera of its template, byte for byte`()
    async throws
  {
    let style = ObservedMapStyle(styles(), appearance: .light)
    let url = try #require(await style.ready()?.url)
    let text = try String(decoding: Data(contentsOf: url), as: UTF8.self)
    #expect(text.contains("\"zoom\": 14.23063189341900, \"pitch\" : 3.50e0,"))
  }

  @MainActor @Test func `A new generation gives a new document at once`() async throws {
    let style = ObservedMapStyle(styles(), appearance: .light)
    let first = try #require(await style.ready())
    style.styles = styles("2025.2-0a1b2c3d.mbtiles")
    let second = try #require(await style.ready())
    #expect(second.url == first.url && second.digest != first.digest)
  }

  @MainActor @Test func `An error keeps the last document, and ends with the next success`()
    async throws
  {
    let style = ObservedMapStyle(styles(), appearance: .light)
    let first = try #require(await style.ready())
    let template = container.file("dark.json")
    let content = try Data(contentsOf: template)
    try Data("{".utf8).write(to: template)
    style.appearance = .dark
    #expect(await style.ready() == first)
    #expect((style.error as? MapError)?.code == .invalidStyle)
    try content.write(to: template)
    #expect(await style.refresh()?.appearance == .dark)
    #expect(style.error == nil)
  }

  @MainActor @Test(.timeLimit(.minutes(1)))
  func `A generation that could not be read once is shown without a further switch`()
    async throws
  {
    let source = SwitchedSource(container.file("map.mbtiles"))
    let next = styles("2025.2-0a1b2c3d.mbtiles")
    let reads = Mutex(0)
    let style = ObservedMapStyle(following: source, styles(), appearance: .light) {
      let number = reads.withLock { reads in
        reads += 1
        return reads
      }
      // The first look, before any switch, and two fail; no switch follows.
      if number < 3 { throw CocoaError(.fileReadNoPermission) }
      return next
    }
    let first = try #require(await style.ready())
    while style.styles != next {
      let (change, continuation) = AsyncStream<Void>.makeStream()
      withObservationTracking {
        _ = (style.current, style.error == nil)
      } onChange: {
        continuation.finish()
      }
      for await _ in change {}
      try Task.checkCancellation()
      await style.ready()
    }
    #expect(await style.ready()?.digest != first.digest)
    #expect(reads.withLock { $0 } == 3)
  }

  @MainActor @Test(.timeLimit(.minutes(1)))
  func `A switch whose generation cannot be read at first is reported, and shown when it can`()
    async throws
  {
    let source = SwitchedSource(container.file("map.mbtiles"))
    let next = styles("2025.2-0a1b2c3d.mbtiles")
    let reads = Mutex(0)
    let isReported = Gate()
    let style = ObservedMapStyle(following: source, styles(), appearance: .light) {
      let number = reads.withLock { reads in
        reads += 1
        return reads
      }
      if number == 1 { return nil }
      if number == 2 { throw CocoaError(.fileReadNoPermission) }
      isReported.wait()
      return next
    }
    while reads.withLock({ $0 }) < 1 { try await Self.turn() }
    await style.ready()
    source.point(to: container.file("2025.2-0a1b2c3d.mbtiles"))
    while style.error == nil { try await Self.turn() }
    #expect(style.error is CocoaError && style.styles == styles())
    isReported.open()
    while style.styles != next { try await Self.turn() }
    await style.ready()
    #expect(style.error == nil)
  }

  private static func turn() async throws {
    try Task.checkCancellation()
    await Task.yield()
  }

  /// In a process of its own, because the log is one for all.
  @Test func `IB-11: A style that cannot be prepared is reported in the app's words`() async throws
  {
    try Data("{".utf8).write(to: container.file("light.json"))
    await #expect(processExitsWith: .success) { [url = container.url as URL] in
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "maps" { lines.append(event.message) } }
      let styles = MapStyles(
        templates: [.light: url.appending(path: "light.json")],
        tileset: url.appending(path: "map.mbtiles"), assets: .bundle, folder: url)
      let style = await ObservedMapStyle(styles, appearance: .light)
      #expect(await style.ready() == nil)
      #expect(lines.entries.count == 1)
      #expect(
        lines.entries.first?.hasPrefix("Error loading map tiles! The style is not JSON") == true)
    }
  }
}
