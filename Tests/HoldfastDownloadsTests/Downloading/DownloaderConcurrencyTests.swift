import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Tasks that use one downloader at the same time.
@Suite(.timeLimit(.minutes(5))) struct DownloaderConcurrencyTests {
  private typealias Reply = HostileServer.Reply

  private static let ids = (1...10).map { "book \($0)" }

  /// The content of a path of the server, the same each time.
  private static func content(_ path: String) -> Data {
    let number = path.utf8.reduce(0) { $0 &+ Int($1) }
    return DownloadFixture.bytes(700 + number % 300, seed: UInt8(truncatingIfNeeded: number))
  }

  private static func reply(_ request: HostileServer.Request) -> Reply {
    let content = content(request.path)
    let first = request.first ?? 0
    let end = min((request.last ?? content.count - 1) + 1, content.count)
    return Reply(
      206, ["Content-Range": "bytes \(first)-\(end - 1)/\(content.count)", "ETag": "\"1\""],
      content[first..<end])
  }

  /// A server that breaks every seventh connection.
  private static func server(
    countedBy counts: [LiveConnections] = [],
    _ arrival: @escaping @Sendable (HostileServer.Request) -> Void = { _ in }
  ) throws -> HostileServer {
    try HostileServer(countedBy: counts) { request, number in
      arrival(request)
      var reply = reply(request)
      if number.isMultiple(of: 7) { reply.bytes = reply.bytes.dropLast(20) }
      return reply
    }
  }

  private static var configuration: Downloader.Configuration {
    var configuration = DownloadFixture.configuration
    // Three requests for each file.
    configuration.rangeByteCount = 400
    configuration.retryPolicy.attemptLimit = 10_000
    configuration.limit = 3
    configuration.hostLimit = 2
    return configuration
  }

  private static func request(
    _ id: String, from server: HostileServer, isForced: Bool = false
  ) throws -> DownloadRequest {
    let name = id.replacing(" ", with: "-")
    var request = try DownloadFixture.request(server.url(name), id: id, name: name)
    request.isForced = isForced
    return request
  }

  /// Waits for the end of a download and returns the code of its error.
  private static func end(_ download: Download) async throws -> DownloadError.Code? {
    do {
      _ = try await download.value()
      return nil
    } catch let error as DownloadError {
      return error.code
    }
  }

  /// Expects that each part has its entry and each entry its part.
  private static func expectPairs(
    in fixture: DownloadFixture, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let remains = try fixture.remains
    let stems = Set(remains.map { $0.split(separator: ".")[0] })
    #expect(remains.count == stems.count * 2, "\(remains)", sourceLocation: location)
  }

  // MARK: - Control

  @Test func theLimitsOfTheQueueAreReachedAndNeverExceeded() async throws {
    let (all, one, other) = (LiveConnections(), LiveConnections(), LiveConnections())
    let excesses = Journal<String>()
    let gate = Gate()
    let servers = try [one, other].map { own in
      try Self.server(countedBy: [all, own]) { request in
        if !all.falls(to: 3) || !own.falls(to: 2) { excesses.append(request.path) }
        gate.wait()
      }
    }
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader(Self.configuration)
    var downloads: [Download] = []
    for (index, id) in Self.ids.enumerated() {
      downloads.append(try downloader.start(Self.request(id, from: servers[index < 5 ? 0 : 1])))
    }
    let last = try downloader.start(Self.request("the last", from: servers[1]))
    last.pause()
    // Events are handled in their order, and no reply was sent: what may begin has begun.
    await until { last.state == .paused }
    #expect(
      downloads.map { $0.state == .transferring }
        == [true, true, false, false, false, true, false, false, false, false])
    await until { all.count >= 3 && one.count >= 2 }
    gate.open()
    last.resume()
    downloads.append(last)
    // What is paused and continued leaves the queue and enters it again.
    await withTaskGroup(of: Void.self) { group in
      for download in downloads {
        group.addTask {
          for await progress in download.progress where progress.byteCount > 0 { break }
          for _ in 1...20 {
            download.pause()
            await Task.yield()
            download.resume()
            await Task.yield()
          }
        }
      }
    }
    for download in downloads { #expect(try await Self.end(download) == nil) }
    await downloader.close()
    #expect(excesses.entries.isEmpty)
    for download in downloads {
      #expect(
        try fixture.content(download.request) == Self.content(download.request.url.path))
    }
    #expect(try fixture.remains.isEmpty)
  }

  @Test func manyTasksControlAndWatchTheSameDownloads() async throws {
    let all = LiveConnections()
    let excesses = Journal<String>()
    let server = try Self.server(countedBy: [all]) { request in
      if !all.falls(to: 2) { excesses.append(request.path) }
    }
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader(Self.configuration)
    let watches = Journal<Task<DownloadProgress?, Never>>()
    let seed = SeededRandom().seed
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 1...8 {
        group.addTask {
          var random = SeededRandom(unprinted: seed &+ UInt64(worker))
          for _ in 1...60 {
            let id = Self.ids[Int.random(in: 0..<Self.ids.count, using: &random)]
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<7:
              let download = try downloader.start(
                Self.request(
                  id, from: server, isForced: Int.random(in: 0..<8, using: &random) == 0))
              #expect(download.id == id)
            case 7..<9: downloader[id]?.pause()
            case 9..<13: downloader[id]?.resume()
            case 13: downloader[id]?.cancel()
            case 14: try await downloader.discard(id: id)
            case 15, 16:
              guard let download = downloader[id] else { break }
              watches.append(
                Task { await download.progress.reduce(nil as DownloadProgress?) { $1 } })
            case 17:
              // A consumer that leaves early.
              guard let download = downloader[id] else { break }
              for await _ in download.progress { break }
            case 18:
              guard let download = downloader[id] else { break }
              let waiting = Task { _ = try await download.value() }
              waiting.cancel()
              _ = await waiting.result
            default: for download in downloader.downloads { download.resume() }
            }
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    let rest = downloader.downloads
    for download in rest { download.resume() }
    for download in rest {
      let code = try await Self.end(download)
      #expect(code == nil || code == .cancelled)
    }
    #expect(downloader.downloads.isEmpty)
    for watch in watches.entries { #expect(await watch.value?.state.isFinal == true) }
    #expect(!watches.entries.isEmpty)
    // Whatever became of them, each can be downloaded now.
    for id in Self.ids {
      let file = try await downloader.start(Self.request(id, from: server)).value()
      #expect(file.byteCount == Int64(Self.content("/" + id.replacing(" ", with: "-")).count))
    }
    await downloader.close()
    #expect(excesses.entries.isEmpty)
    #expect(try fixture.remains.isEmpty)
    for id in Self.ids {
      let request = try Self.request(id, from: server)
      let content = Self.content(request.url.path)
      #expect(try fixture.content(request) == content)
      let last = fixture.records.entries.last { $0.id == id && !$0.isExisting }
      #expect(last?.sha256 == DownloadFixture.digest(content))
    }
  }

  // MARK: - Cancellation and completion

  /// When a download is cancelled: at its request, with its last byte, when it is complete, while
  /// it is recorded.
  private enum Moment: Int, CaseIterable {
    case request, lastByte, finishing, recording

    /// The moment for a download, by the number that ends its id.
    init?(of id: String) {
      guard let number = id.split(separator: " ").last.flatMap({ Int($0) }) else { return nil }
      self.init(rawValue: number % Self.allCases.count)
    }
  }

  @Test func aCancellationAndACompletionMeetAtAnyMoment() async throws {
    let fixture = try DownloadFixture()
    let started = Journal<Downloader>()
    let records = fixture.records
    let server = try HostileServer { request, _ in
      let id = String(request.path.dropFirst()).replacing("-", with: " ")
      if Moment(of: id) == .request { started.entries.first?[id]?.cancel() }
      return Self.reply(request)
    }
    var configuration = Self.configuration
    configuration.limit = 8
    configuration.hostLimit = 8
    let downloader = try await Downloader(
      in: fixture.container, configuration: configuration
    ) { file in
      if Moment(of: file.id) == .recording { started.entries.first?[file.id]?.cancel() }
      records.append(file)
    }
    started.append(downloader)
    let ids = (0..<80).map { "book \($0)" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in ids {
        let request = try Self.request(id, from: server)
        let count = Int64(Self.content(request.url.path).count)
        let download = try downloader.start(request)
        group.addTask {
          for await progress in download.progress {
            if Moment(of: id) == .lastByte, progress.byteCount == count { download.cancel() }
            if Moment(of: id) == .finishing, progress.state == .finishing { download.cancel() }
          }
        }
        group.addTask {
          let code = try await Self.end(download)
          let recorded = records.entries.count { $0.id == id }
          let content = try fixture.content(request)
          if code == nil {
            #expect(download.state == .finished)
            #expect(recorded == 1)
            #expect(content == Self.content(request.url.path))
          } else {
            #expect(code == .cancelled)
            #expect(download.state == .cancelled)
            #expect(recorded == 0)
            #expect(content == nil)
          }
          // What is complete is not cancelled any more.
          if Moment(of: id) == .recording { #expect(code == nil) }
        }
      }
      try await group.waitForAll()
    }
    #expect(downloader.downloads.isEmpty)
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  // MARK: - One destination

  @Test func downloadsToOneDestinationFollowEachOther() async throws {
    let server = try Self.server()
    let fixture = try DownloadFixture()
    let downloader = try await fixture.downloader(Self.configuration)
    let destination = try RelocatablePath(.documents, "downloads", "one.m4b")
    let seed = SeededRandom().seed
    let codes = Journal<DownloadError.Code>()
    let workers = 6
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 1...workers {
        group.addTask {
          var random = SeededRandom(unprinted: seed &+ UInt64(worker))
          var round = 0
          // Of the first worker nothing is cancelled, and it goes on until there is a file: all downloads of the
          // others may be cancelled, or may have ended before it finds the destination free.
          while round < 12 || worker == 1 && fixture.records.entries.isEmpty {
            round += 1
            var request = try Self.request("book \(worker)", from: server)
            request.destination = destination
            request.expectedSHA256 = DownloadFixture.digest(Self.content(request.url.path))
            request.isForced = Bool.random(using: &random)
            do {
              let download = try downloader.start(request)
              #expect(downloader.downloads.count <= 1)
              if worker > 1, Int.random(in: 0..<6, using: &random) == 0 { download.cancel() }
              _ = try await download.value()
            } catch let error as DownloadError {
              codes.append(error.code)
            }
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    let expected: Set<DownloadError.Code> = [.destinationInUse, .destinationOccupied, .cancelled]
    #expect(codes.entries.allSatisfy { expected.contains($0) }, "\(Set(codes.entries))")
    #expect(downloader.downloads.isEmpty)
    // The file is that of the last record, whichever download it was.
    var last = try Self.request("book 1", from: server)
    last.destination = destination
    let content = try #require(try fixture.content(last))
    #expect(fixture.records.entries.last?.sha256 == DownloadFixture.digest(content))
    #expect(
      (1...workers).contains { Self.content("/book-\($0)") == content })
    for worker in 1...workers { try await downloader.discard(id: "book \(worker)") }
    await downloader.close()
    #expect(try fixture.content(last) == content)
    #expect(try fixture.remains.isEmpty)
  }

  // MARK: - Closing and recovery

  @Test func aDownloaderThatIsClosedWhileItIsUsedLosesNothing() async throws {
    let server = try Self.server()
    let fixture = try DownloadFixture()
    let seed = SeededRandom().seed
    for generation in 1...6 {
      let downloader = try await fixture.downloader(Self.configuration)
      expectNothingLost(downloader.recovered)
      let used = Gate()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 1...4 {
          group.addTask {
            var random = SeededRandom(unprinted: seed &+ UInt64(generation * 10 + worker))
            for step in 1...30 {
              let id = Self.ids[Int.random(in: 0..<Self.ids.count, using: &random)]
              do {
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<4: try downloader.start(Self.request(id, from: server))
                case 4: downloader[id]?.pause()
                case 5: downloader[id]?.resume()
                case 6: downloader[id]?.cancel()
                default: try await downloader.discard(id: id)
                }
              } catch let error as DownloadError {
                #expect(error.code == .closed)
              }
              if worker == 1, step == 3 * generation { used.open() }
              await Task.yield()
            }
          }
        }
        for _ in 1...2 {
          group.addTask {
            try await onOwnThread { used.wait() }
            await downloader.close()
            // Nothing runs any more, although others still call it.
            #expect(downloader.downloads.isEmpty)
            try Self.expectPairs(in: fixture)
          }
        }
        try await group.waitForAll()
      }
      for id in Self.ids {
        let request = try Self.request(id, from: server)
        let isRecorded = fixture.records.entries.contains { $0.id == id }
        #expect((try fixture.content(request) != nil) == isRecorded, "\(id)")
      }
    }
    let downloader = try await fixture.downloader(Self.configuration)
    expectNothingLost(downloader.recovered)
    let downloads = try Self.ids.map { try downloader.start(Self.request($0, from: server)) }
    for download in downloads {
      _ = try await download.value()
      #expect(
        try fixture.content(download.request) == Self.content(download.request.url.path))
    }
    await downloader.close()
    #expect(try fixture.remains.isEmpty)
  }

  private func expectNothingLost(_ report: RecoveryReport) {
    #expect(report.lost.isEmpty)
    #expect(report.occupied.isEmpty)
    #expect(report.postponed.isEmpty)
    #expect(report.unreadable.isEmpty)
    #expect(report.removed.isEmpty)
  }
}
