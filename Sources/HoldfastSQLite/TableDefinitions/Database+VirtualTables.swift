// Creating virtual tables.

extension Database {
  /// Creates a virtual table with a definition, such as a full-text table.
  ///
  /// ```swift
  /// try db.create(virtualTable: "book_ft", using: FTS5()) { t in
  ///   t.synchronize(withTable: "book")
  ///   t.tokenizer = .unicode61()
  ///   t.column("title")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - options: The options for creating it.
  ///   - module: The module: ``FTS5``, ``FTS4``, ``FTS3`` or one of your own.
  ///   - body: Defines the table; the definition stays empty if it is `nil`.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_ERROR` when SQLite was built without
  ///   the module, with `SQLITE_MISUSE` when it cannot be synchronized with the other table;
  ///   whatever `body` and the module throw. No table is created then.
  /// - SeeAlso: <https://www.sqlite.org/lang_createvtab.html>
  public func create<Module: VirtualTableModule>(
    virtualTable name: String, options: VirtualTableOptions = [], using module: Module,
    _ body: ((Module.TableDefinition) throws -> Void)? = nil
  ) throws {
    if options.contains(.ifNotExists), try tableExists(name, in: options.schema) { return }
    let configuration = VirtualTableConfiguration(options: options)
    let definition = module.makeTableDefinition(configuration: configuration)
    try body?(definition)
    try inSavepoint {
      let arguments = try module.moduleArguments(for: definition, in: self)
      let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
      try execute(sql: "\(options.creation(of: name)) USING \(module.moduleName)\(list)")
      try module.database(self, didCreate: name, using: definition)
      return .commit
    }
  }

  /// Creates a virtual table with a definition; see ``create(virtualTable:options:using:_:)``.
  public func create<Module: VirtualTableModule>(
    virtualTable name: String, ifNotExists: Bool, using module: Module,
    _ body: ((Module.TableDefinition) throws -> Void)? = nil
  ) throws {
    try create(
      virtualTable: name, options: ifNotExists ? .ifNotExists : [], using: module, body)
  }

  /// Creates a virtual table without arguments.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - options: The options for creating it.
  ///   - module: The name of its module.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func create(
    virtualTable name: String, options: VirtualTableOptions = [], using module: String
  ) throws {
    try execute(sql: "\(options.creation(of: name)) USING \(module.quotedDatabaseIdentifier)")
  }

  /// Creates a virtual table without arguments; see ``create(virtualTable:options:using:)``.
  public func create(virtualTable name: String, ifNotExists: Bool, using module: String) throws {
    try create(virtualTable: name, options: ifNotExists ? .ifNotExists : [], using: module)
  }
}
