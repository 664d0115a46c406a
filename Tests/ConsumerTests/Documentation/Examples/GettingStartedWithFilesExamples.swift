// The Swift of GettingStartedWithFiles.md, compiled: GettingStartedTests finds each block of it here,
// and runs every function.

import Foundation
import HoldfastFiles

func storedPath(ofBook name: String, in container: Container) throws -> String {
  let path = try RelocatablePath(.documents, "downloads", name)
  try container.createDirectory(at: .init(.documents, "downloads"))
  return path.description  // "@documents/downloads/…": store this
}

func url(ofStoredPath text: String, in container: Container) throws -> URL {
  try container.url(for: RelocatablePath(text: text))
}

func relocated(_ stored: String) throws -> String {
  try RelocatablePath(legacy: stored, bareRoot: .caches).description
}

func relativeText(of file: URL, in container: Container) -> String {
  container.toAppRelativePath(file.absoluteString)  // "downloads/50%41 off.m4b"
}

func absoluteText(of stored: String, in container: Container) throws -> String {
  try container.resolveAppPath(stored)  // "file:///…/downloads/50%2541%20off.m4b"
}

func install(_ download: URL, at destination: URL, expecting digest: FileDigest) throws {
  try AtomicReplace(at: destination).write { staging in
    try FileManager.default.copyItem(at: download, to: staging)
  } verify: { staging in
    guard try FileDigest(of: staging) == digest else { throw CocoaError(.fileReadCorruptFile) }
  }
}

func writeCache(_ data: Data, at url: URL) throws {
  let attributes = FileAttributes(isExcludedFromBackup: true)
  try AtomicReplace(at: url, attributes: attributes).write { staging in
    try data.write(to: staging)
  }
}
