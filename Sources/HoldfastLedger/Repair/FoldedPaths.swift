import Foundation
import Holdfast
import HoldfastFiles

/// Paths that are compared as the least exact file system compares them.
///
/// A volume of APFS ignores Unicode normalization, and on a Mac mostly letter case too; other file systems keep such
/// names apart. Two paths that are alike here may be two files there, so that this decides only what is left alone.
///
/// - SeeAlso: <https://developer.apple.com/support/downloads/Apple-File-System-Reference.pdf>, `j_drec_hashed_key_t`
struct FoldedPaths {
  private let names: Set<ExactText>

  init(_ paths: some Sequence<RelocatablePath>) {
    names = Set(paths.map { ExactText(Self.folded($0)) })
  }

  func contains(_ path: RelocatablePath) -> Bool {
    !names.isEmpty && names.contains(ExactText(Self.folded(path)))
  }

  /// Returns a path's text, equal for paths that one file may have on some volume.
  static func folded(_ path: RelocatablePath) -> String {
    let text = path.description
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.lowercased() }
    return text.precomposedStringWithCanonicalMapping.lowercased()
      .precomposedStringWithCanonicalMapping
  }
}
