package import Foundation

/// An absolute path as the system takes it: bytes, no trailing slash.
///
/// Two paths are equal when their bytes are. So this, and not `String`, is what a dictionary or a set of
/// files is keyed by: Swift finds `é` in one code point equal to `é` in two, which name two files.
package struct FilePath: Sendable {
  package let text: String

  package init(_ text: String) {
    // Scalars, because a slash may be one `Character` with what is before it.
    var scalars = Substring(text).unicodeScalars
    while scalars.count > 1, scalars.last == "/" { scalars.removeLast() }
    self.text = String(scalars)
  }

  package init(of url: URL) throws(FileError) {
    // Foundation decodes the escapes of a URL once; what is no UTF-8 then gives an empty path.
    let path = url.absoluteURL.path(percentEncoded: false)
    guard url.isFileURL, path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw .notAFilePath(url.absoluteString)
    }
    self.init(path)
  }

  /// A path as it is meant now: a relative one begins at the current folder of the process.
  ///
  /// Nothing else is changed, because `..` after a symbolic link is the system's to resolve.
  package static func absolute(_ path: String) throws(Errno) -> String {
    guard path.utf8.first != UInt8(ascii: "/") else { return path }
    let folder = try SystemCalls.currentDirectory()
    return folder == "/" ? "/" + path : folder + "/" + path
  }

  package var url: URL { URL(filePath: text, directoryHint: .notDirectory) }

  /// The path without symbolic links; the file exists.
  package func resolved() throws(FileError) -> FilePath {
    do throws(Errno) {
      return FilePath(try SystemCalls.realPath(text))
    } catch {
      throw .couldNotRead(self, error)
    }
  }

  /// The path that symbolic links at its end lead to, whether or not a file is there: the one beside
  /// which SQLite keeps a database's other files.
  package func target() throws(FileError) -> FilePath {
    var path = self
    do throws(Errno) {
      // As many as SQLite follows.
      for _ in 0..<200 {
        let text: String
        do throws(Errno) {
          text = try SystemCalls.linkText(of: path.text)
        } catch .notFound, .notDirectory, .invalidArgument {
          return path
        }
        path = text.utf8.first == UInt8(ascii: "/") ? FilePath(text) : path.beside(text)
      }
      throw .tooManyLinks
    } catch {
      throw .couldNotRead(self, error)
    }
  }

  /// The length of the file; `nil` when there is none.
  package func byteCount() throws(FileError) -> Int64? {
    do throws(Errno) {
      return try SystemCalls.status(of: text).byteCount
    } catch .notFound {
      return nil
    } catch {
      throw .couldNotRead(self, error)
    }
  }

  /// The names from the root of the file system on.
  package var names: [String] {
    text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// The last name.
  package var name: String { names.last ?? "/" }

  /// The folder that the file is in.
  package var directory: FilePath {
    FilePath("/" + names.dropLast().joined(separator: "/"))
  }

  /// Another file in the same folder.
  package func beside(_ name: String) -> FilePath { directory.appending([name]) }

  package func appending(_ names: [String]) -> FilePath {
    FilePath(([text == "/" ? "" : text] + names).joined(separator: "/"))
  }

  /// The names that lead from `folder` to this path; `nil` when it is not inside.
  package func names(below folder: FilePath) -> [String]? {
    let inner = names
    let outer = folder.names
    let isInside =
      inner.count >= outer.count
      && zip(inner, outer).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    return isInside ? Array(inner.dropFirst(outer.count)) : nil
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
