import CZip
import HoldfastFiles

/// The writer of an archive: equal files give equal bytes with one version of the compression
/// library.
///
/// - SeeAlso: <https://libzip.org/documentation/>
@safe enum ZipWriter {
  /// The progress and the error of libzip's callback while it writes.
  private final class Course {
    let progress: (Double) throws -> Void
    var error: (any Error)?

    init(_ progress: @escaping (Double) throws -> Void) {
      self.progress = progress
    }
  }

  /// Noon on 1 January 1980, the first day of the format, in each time zone.
  private static let time: UInt16 = 12 << 11
  private static let date: UInt16 = 1 << 5 | 1

  /// Writes an archive that does not exist.
  ///
  /// - Parameters:
  ///   - files: The names in the archive, and the paths of the files.
  ///   - path: The archive; next to it libzip writes a file of its own.
  ///   - output: The file that errors name.
  ///   - progress: Called with the fraction done; an error that it throws ends the work.
  /// - Throws: `FileError` with the system's reason; whatever `progress` throws.
  static func write(
    _ files: [(name: String, path: String)], to path: String, named output: FilePath,
    progress: @escaping (Double) throws -> Void
  ) throws {
    var code: Int32 = 0
    guard let archive = unsafe zip_open(path, ZIP_CREATE | ZIP_EXCL, &code) else {
      throw FileError.couldNotWrite(output, .inputOutput)
    }
    for (name, path) in files {
      guard unsafe add(name, path, to: archive) else {
        let error = unsafe error(of: archive, output)
        unsafe zip_discard(archive)
        throw error
      }
    }
    let course = Course(progress)
    let context = unsafe Unmanaged.passUnretained(course).toOpaque()
    unsafe zip_register_progress_callback_with_state(
      archive, 0.01,
      { _, fraction, context in
        guard let context = unsafe context else { return }
        let course = unsafe Unmanaged<Course>.fromOpaque(context).takeUnretainedValue()
        guard course.error == nil else { return }
        do { try course.progress(fraction) } catch { course.error = error }
      }, nil, context)
    unsafe zip_register_cancel_callback_with_state(
      archive,
      { _, context in
        guard let context = unsafe context else { return 0 }
        let course = unsafe Unmanaged<Course>.fromOpaque(context).takeUnretainedValue()
        return course.error == nil ? 0 : 1
      }, nil, context)
    let result = unsafe zip_close(archive)
    withExtendedLifetime(course) {}
    if result != 0 {
      let error = unsafe error(of: archive, output)
      unsafe zip_discard(archive)
      throw course.error ?? error
    }
    // The last call comes when the archive is complete.
    if let error = course.error { throw error }
  }

  private static func add(_ name: String, _ path: String, to archive: OpaquePointer) -> Bool {
    guard let source = unsafe zip_source_file(archive, path, 0, 0) else { return false }
    let index = unsafe zip_file_add(archive, name, source, UInt32(ZIP_FL_ENC_UTF_8))
    guard index >= 0 else {
      unsafe zip_source_free(source)
      return false
    }
    return unsafe zip_file_set_dostime(archive, UInt64(index), time, date, 0) == 0
      && zip_file_set_external_attributes(
        archive, UInt64(index), 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16) == 0
  }

  private static func error(of archive: OpaquePointer, _ output: FilePath) -> FileError {
    let code = unsafe zip_error_code_system(zip_get_error(archive))
    return .couldNotWrite(output, code > 0 ? Errno(code) : .inputOutput)
  }
}
