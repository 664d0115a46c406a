#if !canImport(Darwin)
  import Foundation
  import Glibc

  // What the seeds use of Apple's class, which Linux lacks: one who coordinates waits for the
  // others, in whichever process, by a lock on the folder of the coordinated file.
  final class NSFileCoordinator {
    struct ReadingOptions {
      static let withoutChanges = ReadingOptions()
    }

    struct WritingOptions {
      static let forMerging = WritingOptions()
    }

    init(filePresenter: Never?) {}

    func coordinate(
      writingItemAt url: URL, options: WritingOptions, error: inout NSError?,
      byAccessor accessor: (URL) -> Void
    ) {
      access(url, LOCK_EX, &error, accessor)
    }

    func coordinate(
      readingItemAt url: URL, options: ReadingOptions, error: inout NSError?,
      byAccessor accessor: (URL) -> Void
    ) {
      access(url, LOCK_SH, &error, accessor)
    }

    private func access(
      _ url: URL, _ kind: CInt, _ error: inout NSError?, _ accessor: (URL) -> Void
    ) {
      do {
        let file = try FileHandle(forReadingFrom: url.deletingLastPathComponent())
        guard flock(file.fileDescriptor, kind) == 0 else {
          error = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
          return
        }
        accessor(url)
        try file.close()
      } catch let failure {
        error = failure as NSError
      }
    }
  }
#endif
