// The Swift of GettingStartedWithDownloads.md, compiled: GettingStartedTests finds each block of it
// here, and runs every function.

import Foundation
import HoldfastDownloads
import HoldfastFiles

func openDownloader(
  in container: Container, recording record: @escaping Downloader.Record
) async throws -> Downloader {
  let downloader = try await Downloader(in: container, record: record)
  // What the last process received is kept, but not the fields of its requests.
  for request in downloader.recovered.unfinished { try downloader.start(request) }
  return downloader
}

func downloadChapter(
  from url: URL, byteCount: Int64, with downloader: Downloader
) async throws -> DownloadedFile {
  let destination = try RelocatablePath(.documents, "downloads", "chapter-3.m4b")
  var request = DownloadRequest(id: "chapter-3", from: url, to: destination)
  request.expectedByteCount = byteCount
  return try await downloader.start(request).value()
}

func shares(of download: Download) async -> [Double] {
  var shares: [Double] = []
  for await progress in download.progress {
    if let fraction = progress.fraction { shares.append(fraction) }
  }
  return shares
}

func sentences(of error: DownloadError) -> String {
  switch error.code {
  case .noSpace: "The device is full. " + (error.advice ?? "")
  case .status where error.status == 404: "The book is no longer offered."
  default: error.message
  }
}
