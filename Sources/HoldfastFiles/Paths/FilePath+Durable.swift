// New files and folders, and the steps after which a loss of power does not undo them.

extension FilePath {
  /// Returns whether something has this name, also a symbolic link that leads nowhere.
  package func exists() throws(FileError) -> Bool {
    do throws(Errno) {
      _ = try SystemCalls.linkStatus(of: text)
      return true
    } catch .notFound, .notDirectory {
      return false
    } catch {
      throw .couldNotRead(self, error)
    }
  }

  /// Writes a new file and makes its content durable; nothing may have this name.
  package func createFile(with bytes: [UInt8]) throws(FileError) {
    do throws(Errno) {
      let file = try SystemCalls.openFile(text, for: .createNew)
      try SystemCalls.writeBytes(file, bytes, count: bytes.count)
      try SystemCalls.sync(file)
      try file.close()
    } catch {
      throw .couldNotReplace(self, error)
    }
  }

  /// Makes a new folder in an existing one; nothing may have this name.
  package func makeDirectory() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.makeDirectory(text)
    } catch {
      throw .couldNotMakeDirectory(self, error)
    }
  }

  /// Makes the names in this folder durable.
  package func syncNames() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.syncDirectory(text)
    } catch {
      throw .couldNotReplace(self, error)
    }
  }

  /// Creates a folder with its missing parents, durably; one that exists stays as it is.
  package func createDirectory() throws(FileError) {
    do throws(Errno) {
      if try SystemCalls.status(of: text).kind == .directory { return }
      throw .alreadyExists
    } catch .notFound where text != "/", .notDirectory where text != "/" {
      // A file in the place of a parent is named by the error.
      try directory.createDirectory()
    } catch {
      throw .couldNotMakeDirectory(self, error)
    }
    do throws(Errno) {
      try SystemCalls.makeDirectory(text)
      try SystemCalls.syncDirectory(directory.text)
    } catch .alreadyExists {
      // Another process or thread was faster.
    } catch {
      throw .couldNotMakeDirectory(self, error)
    }
  }
}
