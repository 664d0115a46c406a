import Foundation
import HoldfastFiles
import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct MapStylesTests {
  private let container: TemporaryDirectory
  private let folder: URL

  init() throws {
    container = try TemporaryDirectory()
    folder = container.url.appending(path: "Library/Application Support/iBurn/2025/Map")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SampleTileset().write(to: folder.appending(path: "map.mbtiles"))
    for appearance in MapAppearance.allCases {
      try SampleStyle.template(name: appearance.rawValue)
        .write(to: container.file("template-\(appearance.rawValue).json"))
    }
  }

  private func styles(in container: URL? = nil) -> MapStyles {
    let root = container ?? self.container.url
    let folder = root.appending(path: "Library/Application Support/iBurn/2025/Map")
    let templates = MapAppearance.allCases.map {
      ($0, root.appending(path: "template-\($0.rawValue).json"))
    }
    return MapStyles(
      templates: Dictionary(uniqueKeysWithValues: templates),
      tileset: folder.appending(path: "map.mbtiles"), assets: .bundle, folder: folder)
  }

  private func text(_ url: URL) throws -> String {
    try String(decoding: Data(contentsOf: url), as: UTF8.self)
  }

  private func inode(_ url: URL) throws -> UInt64 {
    try SystemCalls.status(of: url.path(percentEncoded: false)).inode
  }

  @Test func `IB-7: Each appearance is written to its file with the cached map's path`() throws {
    for appearance in MapAppearance.allCases {
      let style = try styles().prepare(appearance)
      #expect(style.url.lastPathComponent == "style-\(appearance.rawValue).json")
      #expect(style.appearance == appearance && style.isWritten)
      let path = folder.path(percentEncoded: true).replacing(/\/$/, with: "") + "/map.mbtiles"
      #expect(try text(style.url).contains("\"mbtiles://\(path)\""))
      #expect(try text(style.url).contains("\"name\": \"\(appearance.rawValue)\""))
    }
  }

  @Test func `IB-B9: A document that has not changed is not written again`() async throws {
    let first = try await styles().prepare(.light)
    let inode = try inode(first.url)
    let second = try await styles().prepare(.light)
    #expect(first.isWritten && !second.isWritten)
    #expect(first.digest == second.digest && first.url == second.url)
    // AtomicReplace gives a written file another inode.
    #expect(try self.inode(second.url) == inode)
  }

  @Test func `IB-B10: A document is written again when the container has moved`() throws {
    let before = try styles().prepare(.dark)
    let moved = try TemporaryDirectory()
    let new = moved.url.appending(path: "moved here")
    try FileManager.default.moveItem(at: container.url, to: new)
    let after = try styles(in: new).prepare(.dark)
    #expect(after.isWritten && after.digest != before.digest)
    let reader = MapLibreReader()
    let url = try #require(try MapLibreReader.sources(of: Data(contentsOf: after.url))["fair"])
    _ = try reader.tileJSON(of: url)
    #expect(reader.openedPaths.allSatisfy { $0.contains("moved here") })
  }

  @Test func `IB-B10: A new template or generation writes the document again`() throws {
    _ = try styles().prepare(.light)
    try SampleStyle.template(name: "corrected").write(to: container.file("template-light.json"))
    #expect(try styles().prepare(.light).isWritten)
    var other = styles()
    other.tileset = folder.appending(path: "2025.2-0a1b2c3d/map.mbtiles")
    #expect(try other.prepare(.light).isWritten)
    #expect(try text(other.prepare(.light).url).contains("2025.2-0a1b2c3d/map.mbtiles"))
  }

  @Test func `IB-B5: A document is excluded from backups, again whenever it was lost`() throws {
    let style = try styles().prepare(.light)
    #expect(style.isExcludedFromBackup)
    #expect(try FileAttributes(of: style.url).isExcludedFromBackup)
    try FileAttributes(isExcludedFromBackup: false).set(on: style.url)
    let again = try styles().prepare(.light)
    #expect(!again.isWritten && again.isExcludedFromBackup)
    #expect(try FileAttributes(of: style.url).isExcludedFromBackup)
  }

  @Test func `A volume that cannot exclude a document from backups has it all the same`() throws {
    for isWritten in [true, false] {
      let fault = SystemFault(atCall: 1, .refuse([.setxattr: .notSupported]))
      let style = try SystemCalls.$fault.withValue(fault) { try styles().prepare(.light) }
      #expect(style.isWritten == isWritten && !style.isExcludedFromBackup)
      #expect(try text(style.url).contains("\"light\""))
    }
  }

  @Test func `IB-8: A legacy style is removed, and any other file of that name stays`() throws {
    let legacy = container.file("style.json")
    var styles = styles()
    styles.legacyDocuments = [legacy]
    #expect(try styles.prepare(.light).removedDocuments == [])
    try SampleStyle.template(url: #""mbtiles:///old/map.mbtiles""#).write(to: legacy)
    #expect(try styles.prepare(.light).removedDocuments == [legacy])
    #expect(!FileManager.default.fileExists(atPath: legacy.path))

    let others = [
      "{}", "my notes", #"{"version": 8}"#, #"{"version": 8, "sources": {}}"#,
      #"{"version": 8, "layers": []}"#, #"{"sources": {}, "layers": []}"#,
      // Longer than any style.
      #"{"version": 8, "sources": {}, "layers": []}"# + String(repeating: " ", count: 16 << 20),
    ]
    for content in others {
      try Data(content.utf8).write(to: legacy)
      #expect(try styles.prepare(.light).removedDocuments == [])
      #expect(try Data(contentsOf: legacy) == Data(content.utf8))
    }
  }

  @Test func `IB-8: A link of the legacy name is not followed and not removed`() throws {
    let target = container.file("other.json")
    try SampleStyle.template().write(to: target)
    let legacy = container.file("style.json")
    try FileManager.default.createSymbolicLink(at: legacy, withDestinationURL: target)
    var styles = styles()
    styles.legacyDocuments = [legacy]
    #expect(try styles.prepare(.light).removedDocuments == [])
    #expect(FileManager.default.fileExists(atPath: target.path))
  }

  @Test func `A template that cannot be used leaves the last document as it is`() throws {
    let style = try styles().prepare(.light)
    let before = try text(style.url)
    for template in ["", "{", "{{mbtiles_path}}"] {
      try Data(template.utf8).write(to: container.file("template-light.json"))
      let styles = styles()
      #expect(throws: MapError.self) { try styles.prepare(.light) }
      #expect(try text(style.url) == before)
    }
    try FileManager.default.removeItem(at: container.file("template-light.json"))
    let styles = styles()
    let error = #expect(throws: MapError.self) { try styles.prepare(.light) }
    #expect(error?.code == .notFound)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["map.mbtiles", "style-light.json"])
  }

  @Test func `One template serves both appearances if there is only one`() throws {
    var styles = styles()
    styles.templates[.dark] = nil
    #expect(try text(styles.prepare(.dark).url).contains("\"name\": \"light\""))
    styles.templates = [:]
    let empty = styles
    #expect(throws: MapError.self) { try empty.prepare(.dark) }
  }

  @Test func `The result names the appearance whose template was used`() throws {
    #expect(try styles().prepare(.dark).templateAppearance == .dark)
    var styles = styles()
    styles.templates[.dark] = nil
    #expect(try styles.prepare(.dark).templateAppearance == .light)
  }

  /// A lock that is held while the system suspends the app ends the app.
  @Test func `A document is written without a lock, and what a killed process left is removed`()
    throws
  {
    let old = folder.appending(path: ".style-light.json.staging-old")
    let new = folder.appending(path: ".style-light.json.staging-new")
    for url in [old, new] { try Data("{".utf8).write(to: url) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(-7200)], ofItemAtPath: old.path)
    let fault = SystemFault(atCall: 1, .refuse([.flock: .noSpace]))
    let style = try SystemCalls.$fault.withValue(fault) { try styles().prepare(.light) }
    #expect(style.isWritten && !fault.callsSeen.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: old.path))
    #expect(FileManager.default.fileExists(atPath: new.path))
  }

  @Test func `The folder is created with its parents, each durably`() throws {
    var styles = styles()
    styles.folder = container.url.appending(path: "a/b/styles")
    let trace = SystemFault(atCall: .max, .fail(.noSpace))
    let style = try SystemCalls.$fault.withValue(trace) { try styles.prepare(.light) }
    #expect(style.url.path.hasSuffix("/a/b/styles/style-light.json"))
    let steps = trace.callsSeen.filter { [.mkdir, .fsync].contains($0) }
    #expect(steps.starts(with: Array(repeating: [.mkdir, .fsync], count: 3).flatMap { $0 }))
  }

  @Test func `A file in the place of a folder is an error that names it, and stays`() throws {
    let file = container.file("mine")
    try Data("mine".utf8).write(to: file)
    var styles = styles()
    styles.folder = file.appending(path: "styles")
    let blocked = styles
    let error = #expect(throws: FileError.self) { try blocked.prepare(.light) }
    #expect(error?.message.contains("mine") == true)
    #expect(try text(file) == "mine")
  }

  @Test func `A folder in the place of a document is an error and stays`() throws {
    let url = folder.appending(path: "style-light.json/inside")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let styles = styles()
    let error = #expect(throws: FileError.self) { try styles.prepare(.light) }
    #expect(error?.code == .notRegularFile)
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test func `IB-B12: Many tasks prepare one document at once`() async throws {
    let styles = styles()
    let written = try await withThrowingTaskGroup(of: PreparedMapStyle.self) { group in
      for _ in 0..<12 { group.addTask { try await styles.prepare(.light) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(written.map(\.digest)).count == 1)
    #expect(written.contains { $0.isWritten })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["map.mbtiles", "style-light.json"])
  }

  @Test func `A disk that is full at any call leaves the old document or the new one`() throws {
    let url = try styles().prepare(.light).url
    let before = try text(url)
    try SampleStyle.template(name: "new").write(to: container.file("template-light.json"))
    let styles = styles()
    var failures = 0
    for call in 1... {
      let fault = SystemFault(atCall: call, .fail(.noSpace))
      do {
        _ = try SystemCalls.$fault.withValue(fault) { try styles.prepare(.light) }
      } catch let error as FileError {
        failures += 1
        #expect([.noSpace, .notDurable].contains(error.code), "call \(call): \(error)")
      }
      let now = try text(url)
      #expect(now == before || now.contains("\"name\": \"new\""), "call \(call)")
      if !fault.hasStruck { break }
      // Back to the old document for the next call.
      try Data(before.utf8).write(to: url)
    }
    #expect(failures > 3)
    #expect(try text(url).contains("\"name\": \"new\""))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["map.mbtiles", "style-light.json"])
  }
}
