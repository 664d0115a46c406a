import Foundation
import HoldfastTestSupport

/// A document of another project, whose code its readers paste into their apps.
///
/// The documents are not part of this package. Tests that need one are skipped where it is absent.
struct Seed {
  /// A block of code is not as the repairs expect it.
  struct Misfit: Error, CustomStringConvertible {
    let description: String
  }

  let blocks: [String]

  /// The document whose file name begins with a number.
  private static func url(_ number: String) -> URL? {
    let folder = PackageFolder.shared.appending(path: "seeds")
    // Without the folder the tests are skipped.
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names?.first { $0.hasPrefix(number) }.map { folder.appending(path: $0) }
  }

  static func isThere(_ number: String) -> Bool { url(number) != nil }

  init(_ number: String, language: String = "swift") throws {
    guard let url = Self.url(number) else { throw Misfit(description: "no document \(number)") }
    blocks = MarkdownBlock.all(in: try String(contentsOf: url, encoding: .utf8))
      .filter { $0.language == language }.map { $0.lines.joined(separator: "\n") }
  }

  /// Returns a block of Swift in which texts are replaced that cannot be compiled.
  ///
  /// - Parameters:
  ///   - index: The number of the block, from 0.
  ///   - repairs: What is replaced by what.
  /// - Returns: The block with the replacements.
  /// - Throws: ``Misfit`` when there is no such block, or when it does not contain each text once.
  func block(_ index: Int, _ repairs: (text: String, replacement: String)...) throws -> String {
    guard blocks.indices.contains(index) else { throw Misfit(description: "no block \(index)") }
    return try repairs.reduce(blocks[index]) { code, repair in
      let count = code.ranges(of: repair.text).count
      guard count == 1 else {
        throw Misfit(description: "block \(index) contains '\(repair.text)' \(count) times")
      }
      return code.replacing(repair.text, with: repair.replacement)
    }
  }
}
