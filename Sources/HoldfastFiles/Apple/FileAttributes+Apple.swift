#if canImport(Darwin)
  public import Foundation

  extension FileAttributes {
    init(of path: FilePath) throws(FileError) {
      do {
        let values = try path.url.resourceValues(forKeys: [.isExcludedFromBackupKey])
        self.init(isExcludedFromBackup: values.isExcludedFromBackup ?? false)
      } catch {
        throw .attributesRefused(path, error)
      }
    }

    func write(to path: FilePath) throws(FileError) {
      do {
        var url = path.url
        var values = URLResourceValues()
        values.isExcludedFromBackup = isExcludedFromBackup
        try url.setResourceValues(values)
      } catch {
        throw .attributesRefused(path, error)
      }
    }

    /// Sets when a file can be read: always, or only while the device is unlocked.
    ///
    /// - Parameters:
    ///   - protection: the protection class; a file that an extension reads while the device is
    ///     locked needs `.completeUntilFirstUserAuthentication`.
    ///   - url: the file or the folder; new files in a folder inherit its class.
    /// - Throws: ``FileError`` with `.notFound`, `.accessDenied`, `.invalidPath` or `.inputOutput`.
    public static func setProtection(
      _ protection: FileProtectionType, on url: URL
    ) throws(FileError) {
      let path = try FilePath(of: url)
      do {
        try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path.text)
      } catch {
        throw .attributesRefused(path, error)
      }
    }
  }
#endif
