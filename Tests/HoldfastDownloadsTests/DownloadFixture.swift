import Foundation
import HoldfastDownloads
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// A container for downloads, and the list of what was recorded in it.
final class DownloadFixture: Sendable {
  let directory: TemporaryDirectory
  let container: Container
  let records = Journal<DownloadedFile>()

  init(in volume: URL = FileManager.default.temporaryDirectory) throws {
    directory = try TemporaryDirectory(in: volume)
    container = Container(at: directory.url)
  }

  static var configuration: Downloader.Configuration {
    var configuration = Downloader.Configuration()
    configuration.retryPolicy.firstDelay = .milliseconds(1)
    configuration.retryPolicy.longestDelay = .milliseconds(5)
    configuration.freeSpaceReserve = 0
    return configuration
  }

  func downloader(
    _ configuration: Downloader.Configuration = DownloadFixture.configuration
  ) async throws -> Downloader {
    let records = records
    return try await Downloader(in: container, configuration: configuration) { records.append($0) }
  }

  static func request(
    _ url: URL, id: String = "book", name: String = "book.m4b"
  ) throws -> DownloadRequest {
    DownloadRequest(id: id, from: url, to: try RelocatablePath(.documents, "downloads", name))
  }

  /// Downloads with a downloader of its own and returns the file.
  func download(
    _ request: DownloadRequest,
    _ configuration: Downloader.Configuration = DownloadFixture.configuration
  ) async throws -> DownloadedFile {
    let before = try openFiles
    let downloader = try await downloader(configuration)
    let result: Result<DownloadedFile, any Error>
    do {
      result = .success(try await downloader.start(request).value())
    } catch {
      result = .failure(error)
    }
    await downloader.close()
    // A closed downloader has no file open, so that the volume can be taken away.
    #expect(try openFiles == before)
    return try result.get()
  }

  private var openFiles: Set<String> {
    get throws {
      guard OpenFiles.areKnown else { return [] }
      return Set(try OpenFiles.beginning(with: directory.url.path(percentEncoded: false)))
    }
  }

  /// Returns the code of the error that a download fails with.
  func failure(
    _ request: DownloadRequest,
    _ configuration: Downloader.Configuration = DownloadFixture.configuration
  ) async throws -> DownloadError.Code? {
    do {
      _ = try await download(request, configuration)
      return nil
    } catch let error as DownloadError {
      return error.code
    }
  }

  /// The content of the file at the request's destination; `nil` when there is none.
  func content(_ request: DownloadRequest) throws -> Data? {
    let url = try container.url(for: request.destination)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try Data(contentsOf: url)
  }

  /// The downloader's folder.
  var folder: URL {
    get throws {
      try container.url(for: RelocatablePath(.applicationSupport, "Downloads in progress"))
    }
  }

  /// The sorted names of the parts and entries, without the hidden lock.
  var remains: [String] {
    get throws {
      guard FileManager.default.fileExists(atPath: try folder.path) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0 != ".downloads.lock" }.sorted()
    }
  }

  /// Bytes that differ from each other, and are the same each time.
  static func bytes(_ count: Int, seed: UInt8 = 0) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) &+ seed })
  }

  static func digest(_ data: Data) -> SHA256Digest {
    var hasher = SHA256()
    hasher.update(data)
    return hasher.finalize()
  }
}
