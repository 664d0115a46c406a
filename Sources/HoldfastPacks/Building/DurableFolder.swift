import HoldfastFiles

/// The steps that make new files and folders durable.
enum DurableFolder {
  /// Writes a new file.
  static func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .createNew)
      try SystemCalls.writeBytes(file, bytes, count: bytes.count)
      try SystemCalls.sync(file)
      try file.close()
    } catch {
      throw .couldNotReplace(path, error)
    }
  }

  static func make(_ path: FilePath) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.makeDirectory(path.text)
    } catch {
      throw .couldNotMakeDirectory(path, error)
    }
  }

  /// Makes a folder's list of names durable.
  static func sync(_ path: FilePath) throws(FileError) {
    do throws(Errno) {
      try SystemCalls.sync(SystemCalls.openFile(path.text, for: .read))
    } catch {
      throw .couldNotReplace(path, error)
    }
  }
}
