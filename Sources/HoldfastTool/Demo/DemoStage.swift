import Foundation
import HoldfastFiles

/// Where the demo plays: a folder with the containers of an app, and the audience's terminal.
final class DemoStage {
  let output: Output

  /// The folder that stands for a device's containers.
  let folder: URL

  /// Where the app's container is at present; the demo moves it.
  private(set) var container: URL

  private var chapterCount = 0
  private var proofCount = 0

  /// Prepares a folder.
  ///
  /// - Parameter folder: Empty, missing, or left by an earlier demo; `nil` makes a temporary one.
  init(folder: URL?, output: Output) throws {
    self.output = output
    let folder =
      folder
      ?? FileManager.default.temporaryDirectory
      .appending(path: "holdfast-demo-\(UUID().uuidString.prefix(8))")
    self.folder = folder
    container = Self.container(named: "11111111-AAAA-4AAA-8AAA-111111111111", in: folder)
    try prepare()
  }

  private static func container(named name: String, in folder: URL) -> URL {
    folder.appending(path: "Containers/Data/Application/\(name)")
  }

  private func prepare() throws {
    let files = FileManager.default
    let marker = folder.appending(path: ".holdfast-demo")
    let containers = folder.appending(path: "Containers")
    do {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      let found = try files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
      guard found.isEmpty || found.contains(marker.lastPathComponent) else {
        throw ToolError.demoFolderInUse(folder.relativePath)
      }
      if found.contains("Containers") { try files.removeItem(at: containers) }
      try Data().write(to: marker)
      try files.createDirectory(at: container, withIntermediateDirectories: true)
    } catch let error as CocoaError {
      throw ToolError.demoFolderNotMade(folder.relativePath, error)
    }
  }

  /// Moves the container to another path, as an update of the app or a restored backup does.
  func moveContainer() throws {
    let new = Self.container(named: "22222222-BBBB-4BBB-8BBB-222222222222", in: folder)
    try FileManager.default.moveItem(at: container, to: new)
    container = new
  }

  // MARK: - Telling

  /// Begins a chapter.
  func open(_ title: String) throws {
    chapterCount += 1
    try output.line("\(chapterCount == 1 ? "" : "\n")\(chapterCount). \(title)")
  }

  /// Says what is done.
  func say(_ sentence: String) throws {
    try output.line("   \(sentence)")
  }

  /// Says what was proved; ends the demo when it is not so.
  ///
  /// - Parameters:
  ///   - sentence: What the check shows, in present tense.
  ///   - holds: The check.
  func prove(_ sentence: String, _ holds: Bool) throws {
    guard holds else { throw ToolError.demoDisproved(sentence) }
    proofCount += 1
    switch output.format {
    case .table: try output.line("   ✓ \(sentence)")
    case .json: try output.record(["chapter": Cell(chapterCount), "proved": .text(sentence)])
    }
  }

  /// Ends the demo with what to try next.
  func close() throws {
    let database = try Container(at: container).url(for: DemoStory.databasePath)
    let path = database.path(percentEncoded: false)
    try output.line(
      """

      All \(proofCount) checks passed. Try next:
        holdfast transit search '\(path)' \"o'brien\"
        holdfast transit routes '\(path)' --type 4
        holdfast db query '\(path)' 'SELECT stop_name, stop_lat, stop_lon FROM stops LIMIT 5'
        holdfast transit report FEED.zip
      """)
  }
}
