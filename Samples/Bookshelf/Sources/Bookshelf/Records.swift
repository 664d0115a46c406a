import Foundation
import Holdfast

/// A person who writes books.
struct Author: Codable, Identifiable, Sendable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let name = Column(CodingKeys.name)
  }

  var id: Int64?
  var name: String

  /// The books of this author.
  var books: QueryInterfaceRequest<Book> {
    Book.filter { $0.authorId == id }
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
  static func all() -> some FetchRequest<BookWithAuthor> {
    let request: SQLRequest<BookWithAuthor> = """
      SELECT author.id, author.name, book.* FROM book JOIN author ON author.id = book.authorId
      ORDER BY book.title
      """
    return request.adapted { _ in
      ScopeAdapter(["author": RangeRowAdapter(0..<2), "book": SuffixRowAdapter(fromIndex: 2)])
    }
  }
}
