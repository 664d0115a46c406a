import Foundation
import Holdfast

/// The check of an FTS4 or FTS3 table, on a connection to a private copy.
///
/// SQLite's own check compares the words with the texts, where there are texts, and does not read the tables next
/// to the index.
///
/// - SeeAlso: <https://www.sqlite.org/fts3.html#the_integrity_check_command>,
///   <https://www.sqlite.org/fts3.html#data_structures>
struct FTS4Check {
  private let name: String
  private let db: Database
  private let isFTS4: Bool
  private let options: [String: String]
  /// The tokenizer with its arguments.
  private let tokenizer: [String]
  /// The columns of which no word is in the index.
  private let unindexed: Set<DatabaseIdentifier>

  /// The table of the texts; empty if the index has none, `nil` if they are the table's own.
  private var content: String? { options["content"] }
  private var isContentless: Bool { content == "" }
  private var hasTotals: Bool { isFTS4 && options["matchinfo"]?.lowercased() != "fts3" }

  init(_ table: SearchIndexCheck.Table, _ declaration: VirtualTableDeclaration, _ db: Database) {
    name = table.name
    self.db = db
    isFTS4 = declaration.module == "fts4"
    // In FTS3 they are the names of columns.
    options = isFTS4 ? declaration.options : [:]
    tokenizer = declaration.tokenizer.isEmpty ? ["simple"] : declaration.tokenizer
    unindexed = Set(declaration.unindexed.map(\.foldedDatabaseIdentifier))
  }

  /// Examines the table.
  ///
  /// - Returns: The state of the index.
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when the index is damaged.
  func outcome() throws -> SearchIndexCheck.Outcome {
    if !isContentless {
      let table = name.quotedDatabaseIdentifier
      try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
    }
    let outcome = try examineWords()
    guard outcome == .sound, hasTotals, let problem = try problemOfSizes() else { return outcome }
    return .stale(because: problem)
  }

  // MARK: - Words

  /// The number of words that are looked up at most: where its nodes are damaged, an index may be read from its
  /// beginning for each.
  private static let lookUpCount = 500

  /// About the number of rows for the words of one leaf of the index.
  private static let wordsPerLookUp = 16

  /// Reads all words of the index, and looks some of them up.
  private func examineWords() throws -> SearchIndexCheck.Outcome {
    let module = "fts4aux"
    let isKnown = try Bool.fetchOne(
      db, sql: "SELECT count(*) > 0 FROM pragma_module_list WHERE name = ?", arguments: [module])
    guard isKnown == true else { return .notExamined("the module '\(module)'") }
    try db.execute(
      sql:
        "CREATE VIRTUAL TABLE temp.holdfast_words USING fts4aux(main, \(name.quotedDatabaseIdentifier))"
    )
    defer {
      // The copy is removed with it.
      do { try db.execute(sql: "DROP TABLE temp.holdfast_words") } catch _ {}
    }
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT ifnull(sum(occurrences), 0), ifnull(max(rowid), 0)
        FROM temp.holdfast_words WHERE col = '*'
        """)
    guard let row else { return .sound }
    let (count, last): (Int64, Int) = (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
    let isWordLost = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM temp.holdfast_words AS words
          WHERE col = '*' AND rowid % ? = 0 AND NOT EXISTS (
            SELECT 1 FROM temp.holdfast_words AS other WHERE other.term = words.term))
        """, arguments: [max(last / Self.lookUpCount, Self.wordsPerLookUp)])
    if isWordLost == true { return .stale(because: "words in it are not found") }
    guard isContentless else { return .sound }
    guard hasTotals, options["languageid"] == nil else {
      return .notExamined("the texts of the words, which it does not store")
    }
    let total = try totalWordCount()
    return total == count
      ? .sound : .stale(because: "it has \(count) words, and \(total) according to its totals")
  }

  /// The number of words of all texts.
  ///
  /// The totals are the number of rows, of the words in each column, and of bytes.
  private func totalWordCount() throws -> Int64 {
    try Self.numbers(in: totals()).dropFirst().dropLast()
      .reduce(0) { $0 &+ Int64(truncatingIfNeeded: $1) }
  }

  private func totals() throws -> Data {
    try Data.fetchOne(
      db,
      sql: """
        SELECT value FROM main.\("\(name)_stat".quotedDatabaseIdentifier)
        WHERE id = 0 AND typeof(value) = 'blob'
        """) ?? Data()
  }

  /// Returns the numbers of a value, which are varints with the lowest bits first.
  private static func numbers(in bytes: Data) -> [UInt64] {
    var numbers: [UInt64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      number |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      numbers.append(number)
      (number, shift) = (0, 0)
    }
    return numbers
  }

  // MARK: - Sizes

  /// Returns what keeps SQLite from reading the sizes of the texts, by which apps rank what they find; `nil` if
  /// it can.
  ///
  /// The totals need not be the sums of the sizes: after `UPDATE OR REPLACE` of a docid SQLite has counted wrongly.
  private func problemOfSizes() throws -> String? {
    let sizes = try TextSizes(of: name, in: "size", isExact: false, db)
    let lost = sizes.unreadableCount + (try textsWithoutSize())
    if let problem = TextSizes.problem(lacking: lost) { return problem }
    let totals = Self.numbers(in: try totals())
    let isWhole = totals.count >= sizes.columnCount + 2 && totals[0] > 0
    return sizes.count == 0 || isWhole ? nil : TextSizes.lacksTotals
  }

  /// Returns the number of texts that have words and no row for their sizes.
  private func textsWithoutSize() throws -> Int {
    guard !isContentless else { return 0 }
    let table = (content ?? "\(name)_content").quotedDatabaseIdentifier
    let key = "text.\(content == nil ? "docid" : "rowid")"
    let sizes = "\(name)_docsize".quotedDatabaseIdentifier
    var condition = """
      \(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(sizes) WHERE docid = \(key))
      """
    guard content != nil else { return try count(table, condition) }
    // Of texts elsewhere some may be without words, and so without a row.
    guard try count(table, condition) > 0 else { return 0 }
    let arguments = tokenizer.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    try db.execute(
      sql: "CREATE VIRTUAL TABLE temp.holdfast_tokens USING fts3tokenize(\(arguments))")
    defer {
      // The copy is removed with it.
      do { try db.execute(sql: "DROP TABLE temp.holdfast_tokens") } catch _ {}
    }
    let words = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [name]
    ).filter { !unindexed.contains($0.foldedDatabaseIdentifier) }.map { column in
      """
      EXISTS (SELECT 1 FROM temp.holdfast_tokens
        WHERE input = ifnull(text.\(column.quotedDatabaseIdentifier), ''))
      """
    }
    guard !words.isEmpty else { return 0 }
    condition += " AND (\(words.joined(separator: " OR ")))"
    return try count(table, condition)
  }

  private func count(_ table: String, _ condition: String) throws -> Int {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM main.\(table) AS text WHERE \(condition)") ?? 0
  }
}
