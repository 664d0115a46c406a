import HoldfastFiles

/// The images that the index of a sprite names.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/sprite/>
struct SpriteIndex {
  /// The names of the images that MapLibre Native takes from the sprite.
  private(set) var images: Set<String> = []

  /// Why it takes no image for other names, as ends of sentences.
  private(set) var faults: [String: String] = [:]

  /// The longest side of an image of a sprite; MapLibre Native leaves out a longer one.
  private static let longestSide = 1024

  /// Reads an index.
  ///
  /// - Parameters:
  ///   - document: The index; one that is no object has no images.
  ///   - size: The size of the image in which all lie; `nil` when it is not known.
  init(_ document: JSONDocument, in size: (width: Int, height: Int)?) {
    for member in document.root.members where member.value.isObject {
      if let fault = Self.fault(of: member.value, document, in: size) {
        faults[member.key] = fault
      } else {
        images.insert(member.key)
      }
    }
  }

  private static func fault(
    of entry: JSONDocument.Value, _ document: JSONDocument, in size: (width: Int, height: Int)?
  ) -> String? {
    var numbers: [Int] = []
    for key in ["x", "y", "width", "height"] {
      guard let value = entry[key] else {
        numbers.append(0)
        continue
      }
      // "24.0" is no integer to it.
      guard let number = Int(String(decoding: document.bytes[value.range], as: UTF8.self)) else {
        return "its '\(key)' is no whole number"
      }
      numbers.append(number)
    }
    let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    guard (1...longestSide).contains(width), (1...longestSide).contains(height) else {
      return "it has \(width) × \(height) pixels, and a side must have 1 to \(longestSide)"
    }
    if let ratio = entry["pixelRatio"].flatMap(document.number), ratio <= 0 || ratio > 10 {
      return "its 'pixelRatio' is not between 0 and 10"
    }
    guard let size else { return nil }
    guard x >= 0, y >= 0, x <= size.width - width, y <= size.height - height else {
      return "its place is not in the image, which has \(size.width) × \(size.height) pixels"
    }
    return nil
  }
}

extension AssetFolder {
  /// Returns the width and the height of an image in PNG; `nil` for what is none.
  func pngSize(of names: [String], _ ending: String) -> (width: Int, height: Int)? {
    guard hasFile(names, ending) else { return nil }
    do throws(JSONDocument.Fault) {
      return TileImage.pngSize(of: try bytes(of: names, ending))
    } catch _ {
      // Another examination says why it cannot be read.
      return nil
    }
  }
}
