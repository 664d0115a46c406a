import Foundation
import Holdfast
import HoldfastFiles
import Synchronization

/// An inspected folder with its items, or a single file.
final class Inspection: Sendable {
  /// The path that was given.
  let url: URL
  /// The folder that is searched, or in which the file is.
  let container: CopiedContainer
  /// The file; `nil` when a folder is inspected.
  let file: FilePath?

  /// The other verbs that run.
  let verbs = VerbProcess()

  /// The checks of tilesets that are under way, each of which reads a whole file.
  let checks = SharedWork<String, OutputRecord>(atMost: 2)

  private let privateFolder: PrivateFolder
  private let copies: CopyShelf
  private let state = Mutex(State())

  private struct State {
    var survey: Survey?
    var ids: [String: String] = [:]
    var numbers: [InspectedItem.Kind: Int] = [:]
    var databases: [String: InspectedDatabase] = [:]
    var watches: [String: LiveWatch] = [:]
    var tilesets: [String: (file: InspectedTileset, moment: DatabaseMoment)] = [:]
    var messages: [String: TimetableAnswers.LiveMessage] = [:]
  }

  /// The items that were found at one time.
  struct Survey: Sendable {
    var items: [InspectedItem] = []
    var fileCount = 0
    var byteCount = 0.0
    var roots: [FileSurvey.Root] = []
    var unreadable: [(path: String, reason: String)] = []
    var found: [FilePath: FileSurvey.Found] = [:]
    /// Who has databases open, by the identifiers of these.
    var users: [String: String] = [:]
  }

  /// Opens what is inspected; nothing of it is read yet.
  ///
  /// - Throws: ``ToolError`` when there is nothing, it cannot be read, or the temporary folder is in it.
  init(of url: URL, console: Console) throws {
    self.url = url
    let path = try FilePath(of: url)
    let status: FileStatus
    do throws(Errno) {
      status = try SystemCalls.status(of: path.text)
    } catch .notFound {
      throw ToolError.noFile(url.relativePath)
    } catch {
      throw ToolError.containerUnreadable(
        url.relativePath, reason: SystemCalls.description(of: error))
    }
    if status.kind == .directory {
      (container, file) = (try CopiedContainer(at: url), nil)
    } else {
      let file = try path.resolved()
      (container, self.file) = (CopiedContainer(folder: file.directory), file)
    }
    privateFolder = try PrivateFolder(outside: file == nil ? container.folder : nil)
    copies = CopyShelf(in: privateFolder, console: console)
    console.atEnd { [root = privateFolder.root] in PrivateFolder.remove(root) }
  }

  /// Returns what is there, which is looked for once, or again.
  func survey(again: Bool = false) throws -> Survey {
    try state.withLock { state in
      if let survey = state.survey, !again { return survey }
      let survey = try makeSurvey(&state)
      state.survey = survey
      return survey
    }
  }

  private func makeSurvey(_ state: inout State) throws -> Survey {
    var survey = Survey()
    var found: [FileSurvey.Found]
    if let file {
      let status = try SystemCalls.status(of: file.text)
      let known = state.survey?.found[file]
      found = try [known ?? FileSurvey.file(at: file, file.name, status)].compactMap(\.self)
      (survey.fileCount, survey.byteCount) = (1, Double(status.byteCount))
    } else {
      var openHere: Set<FileStatus.Identity> = []
      for path in state.databases.values.flatMap(\.filesOpenHere) {
        // One that is gone is not opened either.
        if let status = try? SystemCalls.status(of: path.text) { openHere.insert(status.identity) }
      }
      let files = FileSurvey(
        of: container, openHere: openHere, known: state.survey?.found ?? [:])
      found = files.found
      (survey.fileCount, survey.byteCount) = (files.fileCount, files.byteCount)
      (survey.roots, survey.unreadable) = (files.roots, files.unreadable)
    }
    for file in found {
      survey.found[file.path] = file
      let first = item(file.kind, file, database: nil, &state)
      survey.items.append(first)
      for kind in file.contents {
        survey.items.append(item(kind, file, database: first.id, &state))
      }
      if first.kind == .database, let user = Self.user(of: file.path) {
        survey.users[first.id] = user
      }
    }
    return survey
  }

  private func item(
    _ kind: InspectedItem.Kind, _ file: FileSurvey.Found, database: String?, _ state: inout State
  ) -> InspectedItem {
    let key = "\(kind.letter) \(file.name)"
    if state.ids[key] == nil {
      state.numbers[kind, default: 0] += 1
      state.ids[key] = "\(kind.letter)-\(state.numbers[kind, default: 0])"
    }
    return InspectedItem(
      id: state.ids[key] ?? key, kind: kind, path: file.path, name: file.name,
      byteCount: file.byteCount, logByteCount: file.logByteCount, needsKey: file.needsKey,
      database: database, note: file.note)
  }

  /// Returns which other process holds a lock on a database, in a sentence.
  ///
  /// Those that only have it open are found when it is opened here, because that takes longer.
  private static func user(of path: FilePath) -> String? {
    let own = ProcessInfo.processInfo.processIdentifier
    // Where the system lists no locks, none is seen.
    guard let table = try? LockTable(of: DatabaseFiles(main: path)),
      let lock = table.locks.first(where: { $0.processIdentifier != own })
    else { return nil }
    let number = lock.processIdentifier.map { " (\($0))" } ?? ""
    return "It is locked by \(lock.processName ?? "a process")\(number)."
  }

  // MARK: - Items

  /// Returns an item.
  ///
  /// - Throws: ``InspectionError`` when there is none of this identifier and kind.
  func item(_ id: String, _ kind: InspectedItem.Kind) throws -> InspectedItem {
    guard let item = try survey().items.first(where: { $0.id == id && $0.kind == kind }) else {
      throw InspectionError.noItem(id)
    }
    return item
  }

  /// Returns the database of an item; the same for all requests.
  func database(_ id: String) throws -> InspectedDatabase {
    let item = try item(id, .database)
    return state.withLock { state in
      if let database = state.databases[id] { return database }
      let database = InspectedDatabase(item, in: copies, verbs)
      state.databases[id] = database
      return database
    }
  }

  /// Returns the watch of a database; the same for all requests.
  func watch(_ id: String) throws -> LiveWatch {
    let database = try database(id)
    return state.withLock { state in
      if let watch = state.watches[id] { return watch }
      let watch = LiveWatch(database)
      state.watches[id] = watch
      return watch
    }
  }

  /// Returns the tileset of an item, opened again after it has changed.
  func tileset(_ item: InspectedItem) throws -> InspectedTileset {
    try state.withLock { state in
      let moment = try DatabaseMoment(DatabaseFiles(main: item.path))
      if let known = state.tilesets[item.id] {
        if known.moment == moment { return known.file }
        known.file.close()
        state.tilesets[item.id] = nil
      }
      let file = try InspectedTileset(at: item.path)
      state.tilesets[item.id] = (file, moment)
      return file
    }
  }

  /// Returns the realtime message of a timetable.
  func liveMessage(of id: String) -> TimetableAnswers.LiveMessage {
    state.withLock { state in
      if let message = state.messages[id] { return message }
      let message = TimetableAnswers.LiveMessage()
      state.messages[id] = message
      return message
    }
  }

  /// Returns whether a database is open here, and how it is read then.
  func reading(of item: InspectedItem, in survey: Survey) -> DatabaseReading {
    DatabaseReading(
      user: survey.users[item.id], hasSharedMemory: true, hasWriteAheadLog: true)
  }

  /// Makes a page that leads to an address, and that only this user can read.
  ///
  /// The arguments of the browser, which other users see in the list of processes, name this page, and not the
  /// address with its token.
  ///
  /// - Parameter address: The address, of letters and digits.
  /// - Returns: The page, which is removed at the end.
  /// - Throws: An error when it cannot be written.
  func redirection(to address: String) throws -> URL {
    let page = privateFolder.root.appending(["open.html"]).url
    let html = """
      <!doctype html>
      <meta charset="utf-8"><title>Holdfast</title><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <p><a href="\(address)">The inspector</a></p>

      """
    // Its permissions are those of its folder's owner before it has content.
    try Data().write(to: page)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: page.path(percentEncoded: false))
    let file = try FileHandle(forWritingTo: page)
    try file.write(contentsOf: Data(html.utf8))
    try file.close()
    return page
  }

  /// Closes everything, and removes the copies.
  func close() {
    let (databases, watches, tilesets) = state.withLock { state in
      (
        Array(state.databases.values), Array(state.watches.values),
        state.tilesets.values.map(\.file)
      )
    }
    verbs.end()
    for watch in watches { watch.close() }
    for database in databases { database.close() }
    for tileset in tilesets { tileset.close() }
    privateFolder.remove()
  }
}
