#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// Two classes erase a table's types for SQLite's callbacks, which cannot be generic. Each call
// costs one virtual call, and no row allocates memory.

/// A type-erased virtual table.
class AnyVirtualTable {
  let name: String
  let columns: [VirtualTableColumn]

  init(name: String, columns: [VirtualTableColumn]) {
    self.name = name
    self.columns = columns
  }

  func plan(for query: VirtualTableQuery) throws -> VirtualTablePlan? { nil }

  func makeCursor() throws -> AnyVirtualTableCursor {
    preconditionFailure("Every kind of table makes cursors of its own.")
  }

  var declaration: String {
    "CREATE TABLE x (" + columns.map(\.declaration).joined(separator: ", ") + ")"
  }
}

private final class TypedVirtualTable<Wrapped: VirtualTable>: AnyVirtualTable {
  private let table: Wrapped

  init(_ table: Wrapped) {
    self.table = table
    super.init(name: table.name, columns: table.columns)
  }

  override func plan(for query: VirtualTableQuery) throws -> VirtualTablePlan? {
    try table.plan(for: query)
  }

  override func makeCursor() throws -> AnyVirtualTableCursor {
    TypedVirtualTableCursor(try table.makeCursor())
  }
}

/// A type-erased cursor.
class AnyVirtualTableCursor {
  func start(
    plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments
  ) throws {}

  func next() throws -> Bool { false }
  func write(column: Int, to cell: borrowing VirtualTableCell) throws {}
  var rowID: Int64 { 0 }
}

private final class TypedVirtualTableCursor<Cursor: VirtualTableCursor>: AnyVirtualTableCursor {
  private var cursor: Cursor

  init(_ cursor: Cursor) {
    self.cursor = cursor
  }

  override func start(
    plan: VirtualTablePlan.Choice, arguments: borrowing VirtualTableArguments
  ) throws {
    try cursor.start(plan: plan, arguments: arguments)
  }

  override func next() throws -> Bool { try cursor.next() }

  override func write(column: Int, to cell: borrowing VirtualTableCell) throws {
    try cursor.write(column: column, to: cell)
  }

  override var rowID: Int64 { cursor.rowID }
}

extension Database {
  /// Adds a virtual table to the connection, or replaces the one of the same name.
  ///
  /// Add it in ``Configuration/prepareDatabase(_:)``, so that every connection has it. A table of
  /// the same name in the file or in `temp` hides it.
  ///
  /// - Parameter virtualTable: The table.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when it has no columns or two of the same
  ///   name, with SQLite's code when SQLite refuses the name.
  public func add(virtualTable: some VirtualTable) throws {
    checkAccess()
    try makeDeferredObjects()
    let table = TypedVirtualTable(virtualTable)
    let names = Set(table.columns.map(\.name.foldedDatabaseIdentifier))
    guard !names.isEmpty, names.count == table.columns.count else {
      throw DatabaseError.virtualTableColumns(table.name, path: path)
    }
    try handle.enter()
    defer { handle.leave() }
    // SQLite releases the table when it is replaced or the connection closes; also when this fails.
    let code = unsafe sqlite3_create_module_v2(
      handle.pointer, table.name, VirtualTableCallbacks.callbacks,
      Unmanaged<AnyVirtualTable>.passRetained(table).toOpaque(),
      { table in
        guard let table = unsafe table else { return }
        unsafe Unmanaged<AnyVirtualTable>.fromOpaque(table).release()
      })
    guard code == SQLITE_OK else { throw handle.error(code, sql: nil, path: path) }
  }
}

/// SQLite's callbacks for every virtual table.
private enum VirtualTableCallbacks {
  typealias TablePointer = UnsafeMutablePointer<sqlite3_vtab>
  typealias CursorPointer = UnsafeMutablePointer<sqlite3_vtab_cursor>

  // Sendable because it is initialized before its first use, and only read afterwards; it lives as
  // long as the process, because SQLite keeps the address.
  nonisolated(unsafe) static let callbacks: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.iVersion = 1
    // Without xCreate the table needs no CREATE statement, and allows none.
    unsafe module.xConnect = { connection, table, _, _, result, message in
      unsafe VirtualTableCallbacks.connect(connection, table, result, message)
    }
    unsafe module.xDisconnect = { table in unsafe VirtualTableCallbacks.disconnect(table) }
    unsafe module.xBestIndex = { table, info in unsafe VirtualTableCallbacks.plan(table, info) }
    unsafe module.xOpen = { table, result in unsafe VirtualTableCallbacks.open(table, result) }
    unsafe module.xClose = { cursor in unsafe VirtualTableCallbacks.close(cursor) }
    unsafe module.xFilter = { cursor, number, text, count, values in
      unsafe VirtualTableCallbacks.start(cursor, number, text, count, values)
    }
    unsafe module.xNext = { cursor in unsafe VirtualTableCallbacks.next(cursor) }
    unsafe module.xEof = { cursor in
      guard let cursor = unsafe cursor else { return 1 }
      return unsafe VirtualTableCallbacks.own(cursor).pointee.is_at_end
    }
    unsafe module.xColumn = { cursor, context, column in
      unsafe VirtualTableCallbacks.write(cursor, context, column)
    }
    unsafe module.xRowid = { cursor, result in
      guard let cursor = unsafe cursor else { return SQLITE_INTERNAL }
      unsafe result?.pointee = VirtualTableCallbacks.cursor(cursor).withBorrowed(\.rowID)
      return SQLITE_OK
    }
    let address = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    unsafe address.initialize(to: module)
    return unsafe UnsafePointer(address)
  }()

  // MARK: - Addresses

  static func own(_ cursor: CursorPointer) -> UnsafeMutablePointer<holdfast_cursor> {
    unsafe UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: holdfast_cursor.self)
  }

  private static func own(_ table: TablePointer) -> UnsafeMutablePointer<holdfast_vtab> {
    unsafe UnsafeMutableRawPointer(table).assumingMemoryBound(to: holdfast_vtab.self)
  }

  static func cursor(_ cursor: CursorPointer) -> Unmanaged<AnyVirtualTableCursor> {
    unsafe Unmanaged.fromOpaque(own(cursor).pointee.cursor)
  }

  private static func table(_ table: TablePointer) -> AnyVirtualTable {
    unsafe Unmanaged<AnyVirtualTable>.fromOpaque(own(table).pointee.table).takeUnretainedValue()
  }

  /// Stores an error's message in the table, from which SQLite reads it, and returns its code.
  private static func fail(_ error: any Error, on table: TablePointer?) -> CInt {
    let (code, message) = error.forSQLite
    if let table = unsafe table {
      unsafe sqlite3_free(table.pointee.zErrMsg)
      unsafe table.pointee.zErrMsg = unsafe copy(message)
    }
    return code
  }

  /// Returns a copy of a text in SQLite's memory; `nil` when allocation fails.
  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    unsafe text.withCString { source in
      let count = text.utf8.count + 1
      guard let memory = unsafe sqlite3_malloc64(sqlite3_uint64(count)) else { return nil }
      unsafe memory.copyMemory(from: source, byteCount: count)
      return unsafe memory.assumingMemoryBound(to: CChar.self)
    }
  }

  // MARK: - Tables

  static func connect(
    _ connection: OpaquePointer?, _ user: UnsafeMutableRawPointer?,
    _ result: UnsafeMutablePointer<TablePointer?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) -> CInt {
    guard let user = unsafe user else { return SQLITE_INTERNAL }
    let table = unsafe Unmanaged<AnyVirtualTable>.fromOpaque(user)
    let code = unsafe table.withBorrowed { table in
      unsafe sqlite3_declare_vtab(connection, table.declaration)
    }
    guard code == SQLITE_OK else { return code }
    let memory = UnsafeMutablePointer<holdfast_vtab>.allocate(capacity: 1)
    unsafe memory.initialize(to: holdfast_vtab())
    unsafe memory.pointee.table = unsafe table.retain().toOpaque()
    unsafe result?.pointee = unsafe UnsafeMutableRawPointer(memory)
      .assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  static func disconnect(_ table: TablePointer?) -> CInt {
    guard let table = unsafe table else { return SQLITE_OK }
    let memory = unsafe own(table)
    unsafe Unmanaged<AnyVirtualTable>.fromOpaque(memory.pointee.table).release()
    unsafe memory.deallocate()
    return SQLITE_OK
  }

  static func plan(_ table: TablePointer?, _ info: UnsafeMutablePointer<sqlite3_index_info>?)
    -> CInt
  {
    guard let table = unsafe table, let info = unsafe info else { return SQLITE_INTERNAL }
    let query = unsafe VirtualTableQuery(info)
    do {
      guard let plan = try unsafe self.table(table).plan(for: query) else {
        return SQLITE_CONSTRAINT
      }
      for (number, use) in plan.uses.enumerated() {
        guard query.constraints.indices.contains(use.constraint.index),
          query.constraints[use.constraint.index] == use.constraint
        else { Misuse.trap(Misuse.constraintNotUsable) }
        unsafe info.pointee.aConstraintUsage[use.constraint.index].argvIndex = CInt(number + 1)
        unsafe info.pointee.aConstraintUsage[use.constraint.index].omit = use.isChecked ? 1 : 0
      }
      unsafe info.pointee.idxNum = CInt(truncatingIfNeeded: plan.number)
      if let text = plan.text {
        unsafe info.pointee.idxStr = unsafe copy(text)
        unsafe info.pointee.needToFreeIdxStr = 1
      }
      unsafe info.pointee.orderByConsumed = plan.isOrdered ? 1 : 0
      unsafe info.pointee.estimatedCost = plan.estimatedCost
      unsafe info.pointee.estimatedRows = plan.estimatedRowCount
      unsafe info.pointee.idxFlags = plan.isUnique ? SQLITE_INDEX_SCAN_UNIQUE : 0
      return SQLITE_OK
    } catch {
      return unsafe fail(error, on: table)
    }
  }

  // MARK: - Cursors

  static func open(_ table: TablePointer?, _ result: UnsafeMutablePointer<CursorPointer?>?) -> CInt
  {
    guard let table = unsafe table else { return SQLITE_INTERNAL }
    do {
      let cursor = try unsafe self.table(table).makeCursor()
      let memory = UnsafeMutablePointer<holdfast_cursor>.allocate(capacity: 1)
      unsafe memory.initialize(to: holdfast_cursor())
      unsafe memory.pointee.cursor = unsafe Unmanaged.passRetained(cursor).toOpaque()
      unsafe result?.pointee = unsafe UnsafeMutableRawPointer(memory)
        .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    } catch {
      return unsafe fail(error, on: table)
    }
  }

  static func close(_ cursor: CursorPointer?) -> CInt {
    guard let cursor = unsafe cursor else { return SQLITE_OK }
    unsafe self.cursor(cursor).release()
    unsafe own(cursor).deallocate()
    return SQLITE_OK
  }

  static func start(
    _ cursor: CursorPointer?, _ number: CInt, _ text: UnsafePointer<CChar>?, _ count: CInt,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) -> CInt {
    guard let cursor = unsafe cursor else { return SQLITE_INTERNAL }
    let choice = VirtualTablePlan.Choice(
      number: Int(number), text: unsafe text.map { unsafe String(cString: $0) })
    do {
      try unsafe self.cursor(cursor).withBorrowed { cursor in
        try cursor.start(
          plan: choice,
          arguments: unsafe VirtualTableArguments(values: values, count: Int(count)))
      }
      return unsafe next(cursor)
    } catch {
      return unsafe fail(error, on: cursor.pointee.pVtab)
    }
  }

  static func next(_ cursor: CursorPointer?) -> CInt {
    guard let cursor = unsafe cursor else { return SQLITE_INTERNAL }
    do {
      let hasRow = try unsafe self.cursor(cursor).withBorrowed { try $0.next() }
      unsafe own(cursor).pointee.is_at_end = hasRow ? 0 : 1
      return SQLITE_OK
    } catch {
      unsafe own(cursor).pointee.is_at_end = 1
      return unsafe fail(error, on: cursor.pointee.pVtab)
    }
  }

  static func write(_ cursor: CursorPointer?, _ context: OpaquePointer?, _ column: CInt) -> CInt {
    guard let cursor = unsafe cursor, let context = unsafe context else { return SQLITE_INTERNAL }
    do {
      try unsafe self.cursor(cursor).withBorrowed { cursor in
        try cursor.write(column: Int(column), to: unsafe VirtualTableCell(context: context))
      }
      return SQLITE_OK
    } catch {
      unsafe error.hand(to: context)
      return error.forSQLite.code
    }
  }
}

extension VirtualTableQuery {
  /// Copies what SQLite passes to a plan, while it asks for one.
  fileprivate init(_ pointer: UnsafeMutablePointer<sqlite3_index_info>) {
    let info = unsafe pointer.pointee
    constraints = unsafe (0..<Int(info.nConstraint)).map { index in
      let constraint = unsafe info.aConstraint[index]
      let collation = unsafe sqlite3_vtab_collation(pointer, CInt(index))
      return Constraint(
        column: constraint.iColumn < 0 ? nil : Int(constraint.iColumn),
        comparison: Comparison(rawValue: constraint.op), isUsable: constraint.usable != 0,
        collation: unsafe collation.map { unsafe String(cString: $0) } ?? "BINARY",
        index: index)
    }
    ordering = unsafe (0..<Int(info.nOrderBy)).map { index in
      let term = unsafe info.aOrderBy[index]
      return Ordering(
        column: term.iColumn < 0 ? nil : Int(term.iColumn), isDescending: term.desc != 0)
    }
    usedColumns = unsafe info.colUsed
  }
}
