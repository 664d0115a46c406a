import Foundation
import Holdfast
import HoldfastFiles

/// A launch of the app on a file that GRDB left, which checks what it finds and prints it.
///
///     swift run --package-path Samples/Bookshelf Bookshelf
@main struct Launch {
  /// The app shows something else than it must.
  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: URL
  private var container: Container { Container(at: folder) }

  static func main() async throws {
    switch CommandLine.arguments.dropFirst() {
    case let words where words.count == 2 && words.first == "widget":
      print(try await Widget(container: Container(at: URL(filePath: words[2]))).text())
    case let words where words.count == 3 && words.first == "button":
      try await Widget(container: Container(at: URL(filePath: words[2]))).markAsRead(words[3])
      print("\(words[3]) is read.")
    default:
      let folder = FileManager.default.temporaryDirectory.appending(path: "bookshelf-\(UUID())")
      defer {
        // Nothing else is in it, and the system removes what is left.
        try? FileManager.default.removeItem(at: folder)
      }
      try await Launch(folder: folder).run()
    }
  }

  private func run() async throws {
    try container.createDirectory(at: RelocatablePath(.documents))
    try FileFromGRDB.write(
      to: container.url(for: RelocatablePath(.documents, "books.sqlite")))
    try Library.move(in: container)
    let library = try await Library(in: container)
    try await continuesTheFile(library)
    try await readsAndSearches(library)
    try await followsItsWidget(library)
    let report = await library.database.suspend(within: .seconds(1))
    try expect(report.isFree ? "none" : "\(report)", "none", "Locks that a suspended app holds")
    // The next launch finds the file where it is.
    try library.database.close()
    try Library.move(in: container)
    try await Library(in: container).database.close()
  }

  private func continuesTheFile(_ library: Library) async throws {
    let applied = try await library.database.read { db in
      try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    }
    try expect(
      applied.joined(separator: ", "), "Create author and book, Search titles, Note what is read",
      "Two migrations by GRDB, and one more")
  }

  private func readsAndSearches(_ library: Library) async throws {
    let added = try await library.add("Emma", by: "Jane Austen")
    let books = try await library.database.read { db in try BookWithAuthor.all().fetchAll(db) }
    try expect(
      books.map { "\($0.book.title) by \($0.author.name)" }.joined(separator: ", "),
      "Emma by Jane Austen, Frankenstein by Mary Shelley, Persuasion by Jane Austen",
      "Books with their authors")
    try expect(
      try await library.books(by: "Jane Austen").map(\.title).joined(separator: ", "),
      "Emma, Persuasion", "Books by Jane Austen")
    try expect(
      try await library.search("franken").map(\.title).joined(separator: ", "), "Frankenstein",
      "What GRDB indexed")
    try expect(
      try await library.search("EM").map(\.title).joined(), added.title, "What was indexed since")
  }

  private func followsItsWidget(_ library: Library) async throws {
    var titles = library.unreadTitles().makeAsyncIterator()
    try expect(
      try await titles.next()?.joined(separator: ", "), "Emma, Frankenstein, Persuasion",
      "The app shows as unread")
    try expect(try inOtherProcess("widget", folder.path), "Next: Emma", "The widget shows")
    try expect(
      try inOtherProcess("button", folder.path, "Emma"), "Emma is read.", "Its button says")
    try expect(
      try await titles.next()?.joined(separator: ", "), "Frankenstein, Persuasion",
      "Now the app shows")
    try expect(try inOtherProcess("widget", folder.path), "Next: Frankenstein", "And the widget")
  }

  // MARK: - Checking

  private func expect(_ found: String?, _ expected: String, _ what: String) throws {
    guard let found, found == expected else {
      throw Mismatch(description: "\(what): \(found ?? "nothing"), and not \(expected).")
    }
    print("\(what): \(found)")
  }

  /// Runs this program again, as the system runs a widget, and returns what it prints.
  private func inOtherProcess(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Mismatch(description: "The process \(arguments) failed.")
    }
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
