import Foundation

/// The folders of this process's roots on this system.
enum SystemFolders {
  static func folder(of root: StorageRoot) throws(FileError) -> FilePath {
    switch root {
    case .documents: try user(.documentDirectory, root)
    case .caches: try user(.cachesDirectory, root)
    case .applicationSupport: try user(.applicationSupportDirectory, root)
    case .temporary: try FilePath(of: FileManager.default.temporaryDirectory)
    case .bundle: try FilePath(of: Bundle.main.bundleURL)
    case .appGroup(let identifier): try group(identifier)
    case .library: try library()
    }
  }

  private static func user(
    _ directory: FileManager.SearchPathDirectory, _ root: StorageRoot
  ) throws(FileError) -> FilePath {
    guard let url = FileManager.default.urls(for: directory, in: .userDomainMask).first else {
      throw .unknownFolder(root)
    }
    return try FilePath(of: url)
  }

  private static func library() throws(FileError) -> FilePath {
    #if canImport(Darwin)
      return try user(.libraryDirectory, .library)
    #else
      return try folder(of: .applicationSupport).appending(["Library"])
    #endif
  }

  private static func group(_ identifier: String) throws(FileError) -> FilePath {
    #if canImport(Darwin)
      let url = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: identifier)
      guard let url else { throw .unknownFolder(.appGroup(identifier)) }
      return try FilePath(of: url)
    #else
      return try folder(of: .applicationSupport).appending(["AppGroups", identifier])
    #endif
  }
}
