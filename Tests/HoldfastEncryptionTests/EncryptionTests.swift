#if SQLCipher
  import Foundation
  import HoldfastTestSupport
  import Synchronization
  import Testing

  @testable import Holdfast

  /// Databases that SQLCipher encrypts.
  @Suite(.disabled(if: ConnectionKeys.areUsed, "the tests give keys themselves"))
  struct EncryptionTests {
    private let folder: TemporaryDirectory
    private let rawKey = EncryptionKey.raw(Data(1...32))
    private let salt = Data(101...116)

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.file("secret.db").path(percentEncoded: false) }

    private func configuration(
      _ prepare: @escaping Configuration.Preparation
    ) -> Configuration {
      var configuration = Configuration()
      configuration.prepareDatabase(prepare)
      return configuration
    }

    private func configuration(
      _ key: EncryptionKey, salt: Data? = nil
    ) -> Configuration {
      configuration { db in
        try db.useKey(key)
        if let salt { try db.usePlaintextHeader(salt: salt) }
      }
    }

    private func create(_ configuration: Configuration, at path: String? = nil) throws {
      let queue = try DatabaseQueue(path: path ?? self.path, configuration: configuration)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('a well kept secret')")
      }
      try queue.close()
    }

    private func values(_ reader: some DatabaseReader) throws -> [String] {
      try reader.read { db in try String.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid") }
    }

    private func bytes(at path: String? = nil) throws -> Data {
      try Data(contentsOf: URL(filePath: path ?? self.path))
    }

    // MARK: - Keys

    @Test func `No byte of an encrypted file can be read without its key`() throws {
      for (name, key) in [("p", EncryptionKey.passphrase("päss ' word")), ("r", rawKey)] {
        let path = folder.file(name).path(percentEncoded: false)
        try create(configuration(key), at: path)
        let bytes = try bytes(at: path)
        #expect(!bytes.starts(with: Data("SQLite format 3".utf8)))
        #expect(bytes.range(of: Data("well kept".utf8)) == nil)
        let queue = try DatabaseQueue(path: path, configuration: configuration(key))
        #expect(try values(queue) == ["a well kept secret"])
        try queue.close()
      }
      var shown = "\(rawKey) \(String(reflecting: rawKey))"
      dump(rawKey, to: &shown)
      #expect(!shown.contains("0102") && !shown.contains("120"), "no log contains a key")
    }

    @Test func `A missing, a wrong and a needless key each have their own error`() throws {
      let plain = folder.file("plain.db").path(percentEncoded: false)
      try create(Configuration(), at: plain)
      for header in [nil, salt] {
        try? FileManager.default.removeItem(atPath: path)
        try create(configuration(rawKey, salt: header))
        let faults: [(String, Configuration, DatabaseError.EncryptionFault)] = [
          (path, Configuration(), .missingKey),
          (path, configuration(.passphrase("another"), salt: header), .wrongKey),
          (path, configuration(.raw(Data(2...33)), salt: header), .wrongKey),
          (plain, configuration(rawKey), .notEncrypted),
        ]
        for (path, configuration, fault) in faults {
          for (isPool, isReadBefore) in [(false, false), (true, false), (false, true)] {
            var configuration = configuration
            if isReadBefore {
              // As a preparation may that ignores its error.
              configuration.prepareDatabase { db in _ = try? db.tableExists("t") }
            }
            let error = #expect(throws: DatabaseError.self) {
              _ =
                try isPool
                ? DatabasePool(path: path, configuration: configuration) as any DatabaseReader
                : DatabaseQueue(path: path, configuration: configuration)
            }
            #expect(error?.encryptionFault == fault)
            #expect(error?.resultCode == .SQLITE_NOTADB)
            #expect(error?.advice?.isEmpty == false)
          }
        }
      }
      #expect(throws: DatabaseError.self) {
        try DatabaseQueue(path: path, configuration: configuration { try $0.usePassphrase("") })
      }
      let noDatabase = folder.file("letter").path(percentEncoded: false)
      try Data("Dear Sir".utf8).write(to: URL(filePath: noDatabase))
      let error = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: noDatabase) }
      #expect(error?.encryptionFault == nil, "too short for an encrypted one")
    }

    @Test(.timeLimit(.minutes(1)))
    func `A new passphrase replaces the old one, whoever has the database open`() async throws {
      let passphrase = Passphrase(1)
      var configuration = configuration { db in try db.usePassphrase(passphrase.text) }
      configuration.maximumReaderCount = 2
      configuration.allowsSuspension = true
      let pool = try DatabasePool(path: path, configuration: configuration)
      try await pool.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('x')")
      }
      var counts = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0
      }.values(in: pool).makeAsyncIterator()
      var count = try await counts.next()
      let snapshot = try pool.makeSnapshot()
      try await pool.barrierWriteWithoutTransaction { db in
        try db.changePassphrase(Passphrase.text(2))
        passphrase.number = 2
        pool.invalidateReadOnlyConnections()
      }
      #expect(try values(snapshot) == ["x"])
      try snapshot.close()
      try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('y')") }
      while let known = count, known < 2 { count = try await counts.next() }
      // Others are found by a connection that only watches, which had the old key.
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try await other.write { db in try db.execute(sql: "INSERT INTO t VALUES ('other')") }
      try other.close()
      while let known = count, known < 3 { count = try await counts.next() }
      await #expect(processExitsWith: .success) { [path = path as String] in
        var own = Configuration()
        own.prepareDatabase { db in try db.usePassphrase(Passphrase.text(2)) }
        let queue = try DatabaseQueue(path: path, configuration: own)
        try await queue.writeWithoutTransaction { db in
          try db.changePassphrase(Passphrase.text(3))
        }
        try queue.close()
      }
      // SQLCipher calls a page that it cannot decrypt by either code.
      for access in [values, insertOne] as [(DatabasePool) throws -> [String]] {
        let error = #expect(throws: DatabaseError.self) { try access(pool) }
        #expect([.SQLITE_NOTADB, .SQLITE_NOMEM].contains(error?.resultCode))
      }
      passphrase.number = 3
      await pool.suspend()
      pool.resume()
      #expect(try insertOne(pool) == ["x", "y", "other", "z"])
      #expect(try await pool.read { db in try db.integrityProblems() } == [])
      try pool.close()
      for number: UInt8 in [1, 2] {
        passphrase.number = number
        let error = #expect(throws: DatabaseError.self) {
          try DatabaseQueue(path: path, configuration: configuration)
        }
        #expect(error?.encryptionFault == .wrongKey)
      }
    }

    /// Inserts a row, and returns all.
    private func insertOne(_ pool: DatabasePool) throws -> [String] {
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('z')") }
      return try values(pool)
    }

    @Test func `Without a key a database is created and opened again as a plain one`() throws {
      for count in 1...2 {
        let pool = try DatabasePool(path: path)
        try pool.write { db in
          try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES ('plain')")
          let error = #expect(throws: DatabaseError.self) { try db.cipherSalt() }
          #expect(error?.encryptionFault == .missingKey)
        }
        #expect(try values(pool).count == count)
        try pool.close()
        #expect(try bytes().starts(with: Data("SQLite format 3\0".utf8)))
        #expect(try bytes().range(of: Data("plain".utf8)) != nil)
      }
    }

    @Test func `A key that cannot be changed stays, and is given only while a database opens`()
      throws
    {
      try create(configuration(rawKey, salt: salt))
      var own = configuration(rawKey, salt: salt)
      own.busyMode = .immediateError
      let queue = try DatabaseQueue(path: path, configuration: own)
      let other = try DatabaseQueue(path: path, configuration: own)
      func refusal(_ body: () throws -> Void) -> ResultCode? {
        #expect(throws: DatabaseError.self) { try body() }?.resultCode
      }
      func change(_ db: Database) throws { try db.changeKey(.passphrase("second")) }
      try other.write { _ in
        #expect(refusal { try queue.writeWithoutTransaction(change) } == .SQLITE_BUSY)
      }
      #expect(refusal { try queue.write(change) } == .SQLITE_MISUSE)
      #expect(refusal { try queue.read(change) } == .SQLITE_READONLY)
      #expect(refusal { try queue.write { db in try db.useKey(rawKey) } } == .SQLITE_MISUSE)
      try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES ('second')") }
      #expect(try values(other) == ["a well kept secret", "second"])
      try other.close()
      try queue.writeWithoutTransaction(change)
      try queue.close()
      let again = try DatabaseQueue(
        path: path, configuration: configuration(.passphrase("second"), salt: salt))
      #expect(try values(again) == ["a well kept secret", "second"])
      try again.close()
      let early = configuration { [salt, rawKey] db in
        try db.usePlaintextHeader(salt: salt)
        try db.useKey(rawKey)
      }
      let missing = #expect(throws: DatabaseError.self) {
        try DatabaseQueue(path: folder.file("e.db").path, configuration: early)
      }
      #expect(missing?.encryptionFault == .missingKey)
    }

    @Test func `An error of the app's own preparation is not taken for a wrong key`() throws {
      for header in [nil, salt] {
        try? FileManager.default.removeItem(atPath: path)
        try create(configuration(rawKey, salt: header))
        let own = configuration { [rawKey] db in
          try db.useKey(rawKey)
          if let header { try db.usePlaintextHeader(salt: header) }
          try db.execute(sql: "SELECT * FROM nothing")
        }
        let error = #expect(throws: DatabaseError.self) {
          try DatabaseQueue(path: path, configuration: own)
        }
        #expect(error?.encryptionFault == nil && error?.resultCode == .SQLITE_ERROR)
      }
    }

    @Test func `A compact copy has the key of the database`() throws {
      try create(configuration(rawKey))
      let queue = try DatabaseQueue(path: path, configuration: configuration(rawKey))
      let copy = folder.file("copy.db").path(percentEncoded: false)
      try queue.vacuum(into: copy)
      let opened = try DatabaseQueue(path: copy, configuration: configuration(rawKey))
      #expect(try values(opened) == ["a well kept secret"])
      try opened.close()
      try queue.close()
    }

    // MARK: - A header that stays readable

    /// The preparation that the originating document recommends, which loses the salt.
    private func recommended(_ db: Database) throws {
      try db.usePassphrase("secret")
      try db.execute(sql: "PRAGMA cipher_plaintext_header_size = 32")
    }

    /// To ask for a salt is not to give one, and a key after it begins anew.
    @Test(arguments: [
      "", "PRAGMA cipher_salt;", "PRAGMA MAIN . cipher_salt",
      """
      PRAGMA cipher_salt = "x'a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7'";
      PRAGMA key = 'secret'; PRAGMA cipher_plaintext_header_size = 32
      """,
    ])
    func `A readable header without a salt is refused, and no file remains`(sql: String) throws {
      let (empty, existing) = (folder.file("empty.db").path, folder.file("existing.db").path)
      try Data().write(to: URL(filePath: empty))
      let pool = try DatabasePool(path: existing, configuration: configuration(rawKey, salt: salt))
      try pool.close()
      let names = try folder.names
      let configuration = configuration { db in
        try recommended(db)
        try db.execute(sql: sql)
      }
      for path in [path, empty, existing] {
        let before = try? bytes(at: path)
        for open: () throws -> any DatabaseReader in [
          { try DatabaseQueue(path: path, configuration: configuration) },
          { try DatabasePool(path: path, configuration: configuration) },
        ] {
          let error = #expect(throws: DatabaseError.self) { _ = try open() }
          #expect(error?.encryptionFault == .missingSalt && error?.path == path)
          #expect(error?.advice?.contains("usePlaintextHeader(salt:)") == true)
          #expect((try? bytes(at: path)) == before)
          #expect(try folder.names == names)
        }
      }
    }

    @Test(arguments: [nil, "PRAGMA cipher_salt = ", "pragma main.CIPHER_SALT = "])
    func `With its salt a pool creates, opens again and reads it`(pragma: String?) throws {
      let configuration = configuration { [salt] db in
        try recommended(db)
        if let pragma {
          let digits = salt.map { String($0, radix: 16) }.joined()
          try db.execute(sql: pragma + "\"x'\(digits)'\"")
        } else {
          try db.usePlaintextHeader(salt: salt)
        }
      }
      for round in 1...2 {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { db in
          try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES ('kept')")
          #expect(try db.cipherSalt() == salt)
        }
        #expect(try values(pool).count == round)
        try pool.close()
      }
      let bytes = try bytes()
      #expect(bytes.starts(with: Data("SQLite format 3\0".utf8)))
      #expect(bytes[18] == 2, "what the system looks for")
      #expect(bytes.range(of: Data("kept".utf8)) == nil)
      let header = try DatabaseHeader(ofFileAt: path)
      #expect(header.encryption == .afterPlaintextHeader && header.hasWriteAheadLog)
    }

    // MARK: - Doors

    @Test func `Files of an app are opened with their key, and without creating others`() throws {
      let url = URL(filePath: path)
      try create(configuration(rawKey))
      let queue = try DatabaseQueue(
        readOnlyFileAt: url, isNeverModified: true, configuration: configuration(rawKey))
      #expect(try values(queue) == ["a well kept secret"])
      try queue.close()
      func expectRefusal(_ code: SharingError.Code, _ configuration: Configuration) {
        let error = #expect(throws: SharingError.self) {
          try DatabasePool(
            readOnlyFileAt: url, isNeverModified: false, configuration: configuration)
        }
        #expect(error?.code == code)
      }
      expectRefusal(.needsWriter, configuration(rawKey))
      try FileManager.default.removeItem(at: url)
      try create(configuration(rawKey, salt: salt))
      let pool = try DatabasePool(
        readOnlyFileAt: url, isNeverModified: false,
        configuration: configuration(rawKey, salt: salt))
      #expect(try values(pool) == ["a well kept secret"])
      try pool.close()
      let writer = try DatabasePool(path: path, configuration: configuration(rawKey, salt: salt))
      try writer.close()
      expectRefusal(.needsWriter, configuration(rawKey, salt: salt))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["secret.db"])
    }

    @Test func `A shared database is encrypted, moved and read by another opener`() async throws {
      for header in [nil, salt] {
        let configuration = configuration(rawKey, salt: header)
        let source = folder.file("app-\(header == nil).db")
        let shared = folder.file("group-\(header == nil).db")
        try create(configuration, at: source.path(percentEncoded: false))
        try SharedDatabase.move(from: source, to: shared, configuration: configuration)
        let pool = try await DatabasePool.shared(at: shared, configuration: configuration)
        let reader = try DatabasePool.sharedReadOnly(at: shared, configuration: configuration)
        try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('second')") }
        #expect(try values(try #require(reader)) == ["a well kept secret", "second"])
        try reader?.close()
        try pool.close()
      }
    }

    // MARK: - Copies with another key

    @Test func `A plain database becomes an encrypted one, and that a plain one`() throws {
      let plain = try DatabaseQueue(path: folder.file("plain.db").path(percentEncoded: false))
      try plain.write { db in
        try db.execute(
          sql: """
            CREATE TABLE child (t INTEGER REFERENCES parent (id) ON DELETE CASCADE);
            CREATE TABLE parent (
              id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT COLLATE NOCASE CHECK (a <> ''),
              b BLOB DEFAULT x'01', kept AS (upper(a)) STORED, computed AS (lower(a)), UNIQUE (a));
            CREATE INDEX part ON parent (lower(a)) WHERE id > 1;
            CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
            CREATE TABLE strict (a INTEGER, b ANY) STRICT;
            CREATE TABLE log (a);
            CREATE TRIGGER tr AFTER INSERT ON parent BEGIN INSERT INTO log VALUES (new.a); END;
            CREATE VIEW v AS SELECT a FROM parent;
            CREATE TRIGGER tv INSTEAD OF INSERT ON v
              BEGIN INSERT INTO parent (a) VALUES (new.a); END;
            CREATE VIRTUAL TABLE words USING fts5 (a);
            CREATE VIRTUAL TABLE names USING fts5 (a, content='parent', content_rowid='id');
            INSERT INTO parent (a) VALUES ('One'), ('Two'), ('Three');
            DELETE FROM parent WHERE a <> 'Two';
            INSERT INTO child VALUES (2), (NULL);
            INSERT INTO keyed VALUES ('k', x'00ff');
            INSERT INTO strict VALUES (1, 1.5), (2, 'x');
            INSERT INTO words (rowid, a) VALUES (9, 'three four');
            INSERT INTO names (names) VALUES ('rebuild');
            """)
        try db.setHeaderNumber(.userVersion, to: 7)
        try db.setHeaderNumber(.applicationID, to: -3)
      }
      func content(_ reader: some DatabaseReader) throws -> [String] {
        try reader.read { db in
          let tables = ["parent", "child", "keyed", "strict", "log", "words", "sqlite_sequence"]
          let rows = try tables.flatMap { try Row.fetchAll(db, sql: "SELECT * FROM \($0)") }
          return try rows.map(\.description)
            + String.fetchAll(
              db,
              sql: """
                SELECT type || name || coalesce(sql, '') FROM sqlite_schema UNION ALL
                SELECT 'words' || rowid FROM words ('four') UNION ALL
                SELECT 'names' || rowid FROM names ('two') ORDER BY 1
                """)
            + [db.headerNumber(.userVersion), db.headerNumber(.applicationID)].map(String.init)
        }
      }
      let before = try content(plain)
      try plain.exportContent(to: path, key: rawKey, salt: salt)
      let encrypted = try DatabaseQueue(
        path: path, configuration: configuration(rawKey, salt: salt))
      #expect(try content(encrypted) == before)
      let error = #expect(throws: DatabaseError.self) {
        try plain.exportContent(to: path, key: rawKey, salt: salt)
      }
      #expect(error?.path == path)
      #expect(try content(encrypted) == before, "nothing was written into it")
      let back = folder.file("back.db").path(percentEncoded: false)
      try encrypted.exportContent(to: back, key: nil)
      let copy = try DatabaseQueue(path: back)
      #expect(try content(copy) == before)
      for database in [plain, encrypted, copy] {
        let last = try database.write { db in
          try db.execute(sql: "INSERT INTO v VALUES ('Last')")
          return try String.fetchOne(db, sql: "SELECT id || kept FROM parent ORDER BY id DESC")
        }
        #expect(last == "4LAST")
        let error = #expect(throws: DatabaseError.self) {
          try database.write { db in try db.execute(sql: "INSERT INTO child VALUES (99)") }
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(try database.read { db in try db.integrityProblems() } == [])
        try database.close()
      }
    }

    // MARK: - Suspensions

    @Test(.timeLimit(.minutes(1)))
    func `Observations and accesses continue after a suspension, with the key`() async throws {
      var configuration = configuration(rawKey, salt: salt)
      configuration.allowsSuspension = true
      configuration.waitsForResume = true
      let pool = try DatabasePool(path: path, configuration: configuration)
      try await pool.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('x')")
      }
      var counts = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0
      }.values(in: pool).makeAsyncIterator()
      #expect(try await counts.next() == 1)
      await pool.suspend()
      pool.resume()
      try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('y')") }
      // After a resume the value is fetched again, because others may have written meanwhile.
      var count = try await counts.next()
      while count == 1 { count = try await counts.next() }
      #expect(count == 2)
      #expect(try values(pool) == ["x", "y"])
      try pool.close()
    }

    @Test func `Only SQLCipher 4.5.1 and newer is used`() {
      for version in ["4.5.1 community", "4.12.0 community", "5", "10.1"] {
        #expect(CipherVersion.refusal(of: version, path: path) == nil)
      }
      #expect(CipherVersion.refusal(ofSQLite: 3_037_002, "3.37.2", path: path) == nil)
      for (number, name) in [(3_015_002, "3.15.2"), (3_036_000, "3.36.0")] {
        let old = CipherVersion.refusal(ofSQLite: number, name, path: path)
        #expect(
          old?.message?.contains("SQLCipher on SQLite \(name), and SQLCipher 4.5.1 or newer")
            == true)
      }
      for (version, name) in [
        (nil, "SQLite without encryption"), ("", "SQLCipher "), ("3.4.1", "SQLCipher 3.4.1"),
        ("4.5.0 community", "SQLCipher 4.5.0 community"), ("4", "SQLCipher 4"),
        ("x4", "SQLCipher x4"),
      ] {
        let error = CipherVersion.refusal(of: version, path: path)
        #expect(error?.encryptionFault == .unsuitableLibrary && error?.path == path)
        #expect(
          error?.message
            == "The process is linked with \(name), and SQLCipher 4.5.1 or newer is needed")
        #expect(error?.advice == "Link SQLCipher 4.5.1 or newer, and no other SQLite before it.")
      }
    }
  }

  /// A passphrase that changes; a raw key, which takes no time to derive.
  private final class Passphrase: Sendable {
    private let value: Mutex<UInt8>

    init(_ number: UInt8) { value = Mutex(number) }

    var number: UInt8 {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }

    var text: String { Self.text(number) }

    static func text(_ number: UInt8) -> String {
      "x'\(String(repeating: "0\(number)", count: 32))'"
    }
  }
#endif
