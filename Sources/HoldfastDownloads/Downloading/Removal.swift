import HoldfastFiles

/// The removal of what the folder has of a download that does not run.
///
/// It is the only way in which an entry of complete content is removed without the file having been
/// recorded: a file that has its name and is not recorded would be found by no later launch.
struct Removal: Sendable {
  let folder: DownloadFolder
  let container: Container
  let files: FileWork
  let record: Downloader.Record

  /// Records the file if it has its name; then removes the part and the entry.
  ///
  /// - Returns: The file that was recorded; `nil` when there was none.
  /// - Throws: `DownloadError` with `.notRecorded`, or with `.file` or `.destinationOccupied` when
  ///   it cannot be known whether there is such a file; then the entry stays.
  func remove(_ key: DownloadKey) async throws -> DownloadedFile? {
    let completion = DownloadFinisher(folder: folder, container: container)
    // Not in the attempt's task, which may be cancelled.
    return try await Task {
      let file = try await files.run { try completion.finishedFile(key) }
      if let file { try await completion.record(file, with: record) }
      try await files.run { try completion.remove(key) }
      return file
    }.value
  }
}
