import Foundation
import GRDB

/// A person who writes books.
struct Author: Codable, Identifiable, Sendable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let name = Column(CodingKeys.name)
  }

  static let books = hasMany(Book.self)

  var id: Int64?
  var name: String

  /// The books of this author.
  var books: QueryInterfaceRequest<Book> {
    request(for: Author.books)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

/// A book on the shelf.
struct Book: Codable, Identifiable, Sendable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let authorId = Column(CodingKeys.authorId)
    static let title = Column(CodingKeys.title)
    static let isRead = Column(CodingKeys.isRead)
  }

  static let author = belongsTo(Author.self)

  var id: Int64?
  var authorId: Int64
  var title: String
  var addedAt: Date
  var isRead = false

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

extension DerivableRequest<Book> {
  /// The books that are still to be read, by title.
  func unread() -> Self {
    filter { !$0.isRead }.order { $0.title.collating(.localizedCaseInsensitiveCompare) }
  }
}

/// A book with its author.
struct BookWithAuthor: Decodable, Sendable, FetchableRecord {
  var book: Book
  var author: Author

  /// All books with their authors, by title.
  static func all() -> QueryInterfaceRequest<BookWithAuthor> {
    Book.including(required: Book.author).order(\.title).asRequest(of: BookWithAuthor.self)
  }
}
