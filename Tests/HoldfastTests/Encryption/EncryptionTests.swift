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
          for isPool in [false, true] {
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

    @Test func `A new passphrase replaces the old one, also for the readers of a pool`() throws {
      let passphrase = Passphrase("first")
      var configuration = configuration { db in try db.usePassphrase(passphrase.text) }
      configuration.maximumReaderCount = 2
      let pool = try DatabasePool(path: path, configuration: configuration)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('x')") }
      #expect(try values(pool) == ["x"])
      try pool.barrierWriteWithoutTransaction { db in
        try db.changePassphrase("second")
        passphrase.text = "second"
        pool.invalidateReadOnlyConnections()
      }
      #expect(try values(pool) == ["x"])
      try pool.close()
      passphrase.text = "first"
      let error = #expect(throws: DatabaseError.self) {
        try DatabaseQueue(path: path, configuration: configuration)
      }
      #expect(error?.encryptionFault == .wrongKey)
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

    @Test func `A readable header without a salt is refused before anything is written`() throws {
      for isPool in [false, true] {
        let error = #expect(throws: DatabaseError.self) {
          let configuration = configuration { db in try recommended(db) }
          _ =
            try isPool
            ? DatabasePool(path: path, configuration: configuration) as any DatabaseReader
            : DatabaseQueue(path: path, configuration: configuration)
        }
        #expect(error?.encryptionFault == .missingSalt)
        #expect(error?.advice?.contains("usePlaintextHeader(salt:)") == true)
        #expect((try? bytes().isEmpty) ?? true)
      }
    }

    @Test(arguments: [false, true])
    func `With its salt a pool creates, opens again and reads it`(asSQL: Bool) throws {
      let configuration = configuration { [salt] db in
        try recommended(db)
        if asSQL {
          let digits = salt.map { String($0, radix: 16) }.joined()
          try db.execute(sql: "PRAGMA cipher_salt = \"x'\(digits)'\"")
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
            CREATE TABLE t (a TEXT COLLATE NOCASE, b BLOB DEFAULT x'01', UNIQUE (a));
            CREATE TABLE log (a);
            CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
            CREATE VIEW v AS SELECT a FROM t;
            CREATE VIRTUAL TABLE words USING fts5 (a);
            INSERT INTO t (a) VALUES ('one'), ('two');
            INSERT INTO words VALUES ('three four');
            """)
        try db.setHeaderNumber(.userVersion, to: 7)
        try db.setHeaderNumber(.applicationID, to: -3)
      }
      func content(_ reader: some DatabaseReader) throws -> [String] {
        try reader.read { db in
          try String.fetchAll(
            db, sql: "SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
            + String.fetchAll(db, sql: "SELECT a || hex(b) FROM t UNION ALL SELECT a FROM log")
            + String.fetchAll(db, sql: "SELECT a FROM words WHERE words MATCH 'four'")
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
      for database in [plain, encrypted, copy] { try database.close() }
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

    @Test func `Only SQLCipher 4 and newer is used`() {
      for version in ["4.0.0 community", "4.12.0 community", "10.1"] {
        #expect(CipherVersion.isSuitable(version))
      }
      for version in [nil, "", "3.4.1", "x4"] { #expect(!CipherVersion.isSuitable(version)) }
    }
  }

  /// A passphrase that changes.
  private final class Passphrase: Sendable {
    private let value: Mutex<String>

    init(_ text: String) { value = Mutex(text) }

    var text: String {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }
  }
#endif
