#if SQLCipher
  internal import CSQLCipher

  // SQLite creates a file when it opens it, before a connection can be prepared and refused.

  extension Database {
    /// Creates the file of a database that does not exist, as SQLite would.
    ///
    /// - Parameter location: The location of a database that may be created.
    /// - Returns: Whether this call created it.
    static func createFile(at location: DatabaseLocation) -> Bool {
      guard case .file(let path) = location, path.utf8.first == UInt8(ascii: "/"),
        !path.utf8.contains(0), let storage = unsafe sqlite3_vfs_find(nil),
        let open = unsafe storage.pointee.xOpen
      else { return false }
      let file = UnsafeMutableRawPointer.allocate(
        byteCount: Int(unsafe storage.pointee.szOsFile), alignment: 16)
      defer { unsafe file.deallocate() }
      unsafe file.initializeMemory(
        as: UInt8.self, repeating: 0, count: Int(storage.pointee.szOsFile))
      let handle = unsafe file.assumingMemoryBound(to: sqlite3_file.self)
      guard let name = unsafe sqlite3_create_filename(path, "", "", 0, nil) else { return false }
      defer { unsafe sqlite3_free_filename(name) }
      let flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_MAIN_DB
      // If a file is there, it may be opened for reading instead, as these say.
      var actual: CInt = 0
      let code = unsafe open(storage, name, handle, flags, &actual)
      if let methods = unsafe handle.pointee.pMethods { _ = unsafe methods.pointee.xClose(handle) }
      return code == SQLITE_OK && actual & SQLITE_OPEN_CREATE != 0
    }

    /// Removes the file that ``createFile(at:)`` created, if it is unused and empty.
    ///
    /// A connection that was opened meanwhile finds that its file was moved before it writes.
    func removeCreatedFile() {
      do {
        try execute(sql: "BEGIN EXCLUSIVE")
        guard let path else { return }
        try handle.inside {
          var file: UnsafeMutablePointer<sqlite3_file>?
          unsafe sqlite3_file_control(handle.pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file)
          var (size, hasMoved): (Int64, CInt) = (1, 1)
          unsafe sqlite3_file_control(handle.pointer, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
          guard let file = unsafe file, let methods = unsafe file.pointee.pMethods,
            unsafe methods.pointee.xFileSize(file, &size) == SQLITE_OK, size == 0, hasMoved == 0,
            let storage = unsafe sqlite3_vfs_find(nil), let delete = unsafe storage.pointee.xDelete
          else { return }
          _ = unsafe delete(storage, path, 0)
        }
      } catch _ {
        // Another connection has it, and the error of the opening is the one to report.
      }
      // The connection is closed, which ends the transaction.
    }
  }
#endif
