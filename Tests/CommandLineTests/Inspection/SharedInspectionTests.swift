import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastTool

/// What several requests share: work that takes long, and room for copies.
@Suite(.timeLimit(.minutes(2))) struct SharedInspectionTests {
  @Test func whatIsAskedForMeanwhileIsDoneOnce() throws {
    let work = SharedWork<String, Int>()
    let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let count = Mutex(0)
    let answers = Mutex<[Int]>([])
    let group = DispatchGroup()
    let ask = { @Sendable in
      let answer = try? work.value(of: "a") {
        hasBegun.signal()
        mayEnd.wait()
        return count.withLock { count in
          count += 1
          return count
        }
      }
      answers.withLock { $0.append(answer ?? 0) }
    }
    Thread {
      group.enter(); ask(); group.leave()
    }.start()
    hasBegun.wait()
    for _ in 0..<3 {
      group.enter();
      Thread {
        ask(); group.leave()
      }.start()
    }
    // Another question has an answer of its own meanwhile.
    #expect(try work.value(of: "b") { 7 } == 7)
    mayEnd.signal()
    // One that asks when it is done already asks again.
    mayEnd.signal(); mayEnd.signal(); mayEnd.signal()
    group.wait()
    #expect(answers.withLock { $0.count } == 4)
    #expect(answers.withLock { $0 }.contains(1))
    #expect(throws: CancellationError.self) {
      try work.value(of: "a") { throw CancellationError() }
    }
  }

  @Test func whatIsTooMuchIsRefused() throws {
    let work = SharedWork<Int, Int>(atMost: 1)
    let answer = try work.value(of: 1) {
      #expect { try work.value(of: 2) { 2 } } throws: { error in
        (error as? InspectionError)?.status == 503
      }
      return 1
    }
    #expect(answer == 1)
    #expect(try work.value(of: 2) { 2 } == 2)
  }

  private func database(
    _ url: URL, _ folder: PrivateFolder, free: Int64, number: Int = 1
  ) throws -> (InspectedDatabase, CopyShelf) {
    let shelf = try CopyShelf(in: folder, console: Transcript().console) { _ throws(Errno) in free }
    return (try database(url, shelf, number: number), shelf)
  }

  private func database(_ url: URL, _ shelf: CopyShelf, number: Int) throws -> InspectedDatabase {
    let path = try FilePath(of: url)
    let item = InspectedItem(
      id: "d-\(number)", kind: .database, path: path, name: path.name, byteCount: 1)
    return InspectedDatabase(item, in: shelf, VerbProcess())
  }

  private func make(_ url: URL) throws {
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
    try queue.close()
  }

  @Test func aCopyLeavesRoomOnTheVolume() throws {
    let (directory, temporary) = (try TemporaryDirectory(), try PrivateFolder(outside: nil))
    defer { temporary.remove() }
    let url = directory.file("a.sqlite")
    try make(url)
    let (full, _) = try database(url, temporary, free: CopyShelf.reserve)
    #expect { try full.origin() } throws: { error in
      (error as? ToolError)?.message.contains("was not copied") == true
    }
    let (roomy, _) = try database(url, temporary, free: CopyShelf.reserve + 1 << 20)
    #expect(try roomy.origin().reading == .copied)
    roomy.close()
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func whatHasNoRoomForItsCopyIsSaidAndLeavesNothing() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("a.sqlite")
    try make(url)
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 256)
    let inspector = try InspectorProcess(url, temporaryIn: volume.url)
    let id = try inspector.id(of: "database")
    for address in ["api/database/\(id)", "api/database/\(id)/rows?table=t"] {
      let refused = try inspector.client.send(address).object
      #expect(
        refused["message"] as? String
          == "'a.sqlite' was not copied to the temporary folder: it needs 1 MB, and 269 MB must stay "
          + "free there; 1 MB are free.")
      #expect(
        refused["advice"] as? String == "Make room, or set TMPDIR to a folder on another volume.")
    }
    let folder = inspector.temporary.url
    let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(copies.count == 1)
    let files = folder.appending(path: copies[0]).appending(path: "files")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path) == [])
    inspector.interrupt()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  /// Other programs may fill the volume after it was looked at.
  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func aCopyThatFillsTheVolumeIsRemoved() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("a.sqlite")
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(1000000))")
    }
    try queue.close()
    let folder = try PrivateFolder(outside: nil)
    defer { folder.remove() }
    let volume = try SmallVolume(at: folder.path.url, kilobytes: 256)
    try withExtendedLifetime(volume) {
      let (full, _) = try database(url, folder, free: .max)
      #expect { try full.origin() } throws: { error in
        ErrorReport(error).lines.joined(separator: " ").contains("No space left on device")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.text) == [])
    }
  }

  @Test func ofManyCopiesTheOldestAreRemoved() throws {
    let (directory, temporary) = (try TemporaryDirectory(), try PrivateFolder(outside: nil))
    defer { temporary.remove() }
    let shelf = try CopyShelf(in: temporary, console: Transcript().console)
    var databases: [InspectedDatabase] = []
    for number in 0..<20 {
      let url = directory.file("\(number).sqlite")
      try make(url)
      databases.append(try database(url, shelf, number: number))
    }
    for database in databases {
      #expect(try database.read(for: .pages) { try $0.tableExists("t") })
    }
    let folders = try FileManager.default.contentsOfDirectory(atPath: temporary.path.text)
    #expect(folders.count == 16)
    // One whose copy was removed has another one.
    #expect(try databases[0].read(for: .pages) { try $0.tableExists("t") })
    for database in databases { database.close() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path.text).isEmpty)
  }

  @Test func onlyACopyThatTookLongIsKept() {
    let now = ContinuousClock.now
    func isKept(_ time: Duration, after age: Duration) -> Bool {
      var origin = DatabaseOrigin(
        reading: .copied, files: DatabaseFiles(main: FilePath("/a")), needsKey: false)
      origin.copying = (now - age, time)
      return CopyShelf.isKept(origin, at: now)
    }
    #expect(!isKept(.milliseconds(150), after: .zero))
    #expect(isKept(.seconds(2), after: .seconds(7)))
    #expect(!isKept(.seconds(2), after: .seconds(9)))
  }

  @Test func thePageThatABrowserOpensIsOnlyItsUsers() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("a.sqlite")
    try make(url)
    let inspection = try Inspection(of: url, console: Transcript().console)
    let address = "http://127.0.0.1:8123/0123/"
    let page = try inspection.redirection(to: address)
    let mode =
      try FileManager.default.attributesOfItem(atPath: page.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try String(contentsOf: page, encoding: .utf8).contains("url=\(address)\""))
    #expect(!page.absoluteString.contains("0123"))
    inspection.close()
    #expect(!FileManager.default.fileExists(atPath: page.path))
  }

  @Test(
    arguments: [
      ("books", "attachment; filename=\"books.csv\""),
      ("a\"; x=\"b\r\n", "attachment; filename=\"a___x__b__.csv\""),
      ("Fähre", "attachment; filename=\"F_hre.csv\"; filename*=UTF-8''F%C3%A4hre.csv"),
      ("../\u{202E}a", "attachment; filename=\"____a.csv\""),
      ("", "attachment; filename=\"table.csv\""),
    ])
  func aDownloadHasANameThatIsOneFile(_ table: String, _ header: String) {
    #expect(DatabaseAnswers.disposition(table, "csv") == header)
  }
}
