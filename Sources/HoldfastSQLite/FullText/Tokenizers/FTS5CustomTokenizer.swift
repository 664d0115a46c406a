/// A tokenizer that is written in Swift.
///
/// It splits texts by the rules of ``FTS5Tokenizer``. Most tokenizers only change the tokens of another
/// one, which ``FTS5WrapperTokenizer`` makes easier.
///
/// Add the type to each connection in ``Configuration/prepareDatabase(_:)``. A statement of a connection
/// that does not have it fails with "no such tokenizer" if it uses a table with the tokenizer.
///
/// ```swift
/// configuration.prepareDatabase { db in db.add(tokenizer: LatinTokenizer.self) }
/// try db.create(virtualTable: "book_ft", using: FTS5()) { t in
///   t.tokenizer = LatinTokenizer.tokenizerDescriptor()
///   t.column("title")
/// }
/// ```
///
/// - Important: The index of a table has the tokens that its tokenizer made when the rows were written. If
///   a new version of the app makes other tokens, recreate the index with
///   ``Database/rebuildFTS5Index(inTable:)``.
public protocol FTS5CustomTokenizer: FTS5Tokenizer, SendableMetatype {
  /// The tokenizer's name in SQL, which is case-insensitive.
  static var name: String { get }

  /// Creates the tokenizer of one table on one connection.
  ///
  /// SQLite keeps it until the connection is closed, or the table is dropped or changed. All its
  /// methods are called on the thread that uses the connection, but it may be released on the thread that
  /// suspends the database, which runs its `deinit`.
  ///
  /// - Parameters:
  ///   - db: The connection, to make the tokenizer that this one wraps, or to read tables; valid only
  ///     during the call.
  ///   - arguments: The arguments in the table's definition, which follow the tokenizer's name.
  /// - Throws: Any error; the statement that uses the table fails with it.
  init(db: Database, arguments: [String]) throws
}

extension FTS5CustomTokenizer {
  /// Returns the descriptor for the definition of a table with this tokenizer.
  ///
  /// - Parameter arguments: The arguments of the tokenizer.
  /// - Returns: A descriptor with the tokenizer's name and the arguments.
  public static func tokenizerDescriptor(arguments: [String] = []) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: [name] + arguments)
  }
}
