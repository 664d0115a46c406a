package import Foundation

/// An absolute path as the system takes it: bytes, no trailing slash.
///
/// Two paths are equal when their bytes are equal. Use this type, not `String`, as the key of a
/// dictionary or a set of files: Swift considers `é` in one code point equal to `é` in two, which
/// name two files.
package struct FilePath: Sendable {
  package let text: String

  package init(_ text: String) {
    // Bytes, because a slash may be part of a `Character` with the scalar before it.
    var bytes = text.utf8[...]
    while bytes.last == UInt8(ascii: "/"), bytes.count > 1 { bytes.removeLast() }
    self.text = bytes.endIndex == text.utf8.endIndex ? text : String(Substring(bytes))
  }

  package init(of url: URL) throws(FileError) {
    // Foundation decodes the escapes of a URL once; if the result is not UTF-8, the path is empty.
    let path = url.absoluteURL.path(percentEncoded: false)
    guard url.isFileURL, path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw .notAFilePath(url.absoluteString)
    }
    self.init(path)
  }

  /// Returns an absolute path: a relative one begins at the process's current folder.
  ///
  /// Nothing else is changed, because only the system can resolve `..` after a symbolic link.
  package static func absolute(_ path: String) throws(Errno) -> String {
    guard path.utf8.first != UInt8(ascii: "/") else { return path }
    let folder = try SystemCalls.currentDirectory()
    return folder == "/" ? "/" + path : folder + "/" + path
  }

  package var url: URL { URL(filePath: text, directoryHint: .notDirectory) }

  /// Returns the path with symbolic links resolved; the file must exist.
  package func resolved() throws(FileError) -> FilePath {
    do throws(Errno) {
      return FilePath(try SystemCalls.realPath(text))
    } catch {
      throw .couldNotRead(self, error)
    }
  }

  /// Returns the path that symbolic links at its end lead to, whether or not a file exists there.
  ///
  /// SQLite keeps a database's other files next to that path.
  package func target() throws(FileError) -> FilePath {
    var path = self
    do throws(Errno) {
      // The limit is SQLite's.
      for _ in 0..<200 {
        let text: String
        do throws(Errno) {
          text = try SystemCalls.linkText(of: path.text)
        } catch .notFound, .notDirectory, .invalidArgument {
          return path
        }
        path = text.utf8.first == UInt8(ascii: "/") ? FilePath(text) : path.sibling(text)
      }
      throw .tooManyLinks
    } catch {
      throw .couldNotRead(self, error)
    }
  }

  /// Refuses a symbolic link, which a new file would take the place of instead of its target.
  ///
  /// - Throws: ``FileError`` with `.notRegularFile`; others when the path cannot be examined.
  package func refuseLink() throws(FileError) {
    let kind: FileStatus.Kind
    do throws(Errno) {
      kind = try SystemCalls.linkStatus(of: text).kind
    } catch .notFound {
      return
    } catch {
      throw .couldNotRead(self, error)
    }
    if kind == .symbolicLink { throw .linkInPlace(self) }
  }

  /// Returns the length of the file in bytes; `nil` when it does not exist.
  package func byteCount() throws(FileError) -> Int64? {
    do throws(Errno) {
      return try SystemCalls.status(of: text).byteCount
    } catch .notFound {
      return nil
    } catch {
      throw .couldNotRead(self, error)
    }
  }

  /// Removes the file, if it exists.
  package func removeIfPresent() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.removeIfPresent(text)
    } catch {
      throw .couldNotRemove(self, error)
    }
  }

  /// The names, starting below the root of the file system.
  package var names: [String] {
    text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// The last name.
  package var name: String {
    let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { text.utf8[$0...].dropFirst() } ?? text.utf8[...]
    return name.isEmpty ? "/" : String(Substring(name))
  }

  /// The folder that contains the file.
  package var directory: FilePath {
    FilePath("/" + names.dropLast().joined(separator: "/"))
  }

  /// Returns the path of another file in the same folder.
  package func sibling(_ name: String) -> FilePath { directory.appending([name]) }

  package func appending(_ names: [String]) -> FilePath {
    FilePath(([text == "/" ? "" : text] + names).joined(separator: "/"))
  }

  /// Returns the names that lead from `folder` to this path; `nil` when it is not inside.
  package func names(below folder: FilePath) -> [String]? {
    let inner = names
    let outer = folder.names
    return Self.isInside(inner, outer) ? Array(inner.dropFirst(outer.count)) : nil
  }

  /// Returns whether the names of a path begin with a folder's names.
  package static func isInside(_ names: [String], _ folder: [String]) -> Bool {
    names.count >= folder.count
      && zip(names, folder).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}

extension FilePath: Hashable {
  package static func == (left: FilePath, right: FilePath) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
