import Foundation

/// The demo's environment: a folder that represents a device, and the output.
final class DemoStage {
  let output: Output
  let folder: URL

  /// The app in its current container.
  var app: DemoApp { DemoApp(at: container) }

  /// The database that the app is shipped with.
  var shippedDatabase: URL { folder.appending(path: "port-merrow.db") }

  // The system names containers like this, with a new name after each move.
  private static let names = [
    "1F0C4A5E-6D2B-4C1A-9E77-03B5D8A2C641", "B7D93E20-85F4-4E6C-A0D1-5C2E9F48B316",
    "5A61C8F4-0E93-4B7D-8C25-D47F1B960E3A", "E03B7A19-42CD-4F86-B5E1-6D98C07F21A4",
  ]
  private var moveCount = 0
  private var container: URL
  private var chapterCount = 0
  private var proofCount = 0

  /// Prepares a folder.
  ///
  /// - Parameters:
  ///   - folder: An empty or missing folder, or one left by an earlier demo; `nil` creates a
  ///     temporary one.
  ///   - output: The output of the demo.
  /// - Throws: ``ToolError`` when the folder holds other files or cannot be written.
  init(folder: URL?, output: Output) throws {
    self.output = output
    self.folder =
      folder
      ?? FileManager.default.temporaryDirectory
      .appending(path: "holdfast-\(UUID().uuidString.prefix(8))")
    container = Self.container(named: Self.names[0], in: self.folder)
    try prepare()
  }

  private static func container(named name: String, in folder: URL) -> URL {
    folder.appending(path: "Containers/Data/Application/\(name)")
  }

  private func prepare() throws {
    let files = FileManager.default
    let path = folder.path(percentEncoded: false)
    let marker = folder.appending(path: ".holdfast-demo")
    let containers = folder.appending(path: "Containers")
    guard folder.isFolder || !files.fileExists(atPath: path) else {
      throw ToolError.demoFolderIsFile(folder.relativePath)
    }
    do {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      let found = try files.contentsOfDirectory(atPath: path)
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
  ///
  /// It can be moved as often as there are names.
  ///
  /// - Returns: The old and the new name of the container's folder.
  func moveContainer() throws -> (old: String, new: String) {
    let old = Self.names[moveCount]
    moveCount += 1
    let new = Self.names[moveCount]
    let moved = Self.container(named: new, in: folder)
    try FileManager.default.moveItem(at: container, to: moved)
    container = moved
    return (old, new)
  }

  // MARK: - Telling

  /// Prints the introduction.
  func open() throws {
    try output.line("What Holdfast is for, step by step, each checked (✓).")
    try output.line("Everything happens in \(folder.relativePath), which you may remove.")
  }

  /// Prints the title of a chapter.
  func open(_ chapter: any DemoChapter) throws {
    chapterCount += 1
    try output.line("\n\(chapterCount). \(chapter.title)")
  }

  /// Prints a description of a step.
  func say(_ sentence: String) throws {
    try output.line("   \(sentence)")
  }

  /// Prints the result of a check; ends the demo if the check fails.
  ///
  /// - Parameters:
  ///   - sentence: A description of the result, to be read after "that".
  ///   - holds: Whether the check succeeded.
  /// - Throws: ``ToolError`` when the check failed.
  func prove(_ sentence: String, _ holds: Bool) throws {
    guard holds else { throw ToolError.demoDisproved(sentence) }
    proofCount += 1
    switch output.format {
    case .table, .csv: try output.line("   ✓ \(sentence)")
    case .json: try output.record(["chapter": Cell(chapterCount), "proved": .text(sentence)])
    }
  }

  /// Prints commands to try next, ready to be pasted.
  func close() throws {
    let tool = Invocation.ofThisProcess.command
    let database = shippedDatabase.relativePath.quotedForShell
    let picture = folder.appending(path: "port-merrow.svg").relativePath.quotedForShell
    try output.line(
      """

      All \(proofCount) checks passed. Try next:
        \(tool) transit search \(database) "o'brien"
        \(tool) transit map \(database) \(picture) --replace
        \(tool) db query \(database) 'SELECT stop_name FROM stops'
        \(tool) help
      """)
  }
}
