import Foundation
import HoldfastFiles

/// The text of a manifest: the names of its members in JSON, and how they are read and written.
struct PackManifestText: Decodable {
  private struct Format: Decodable {
    var format: Int
  }

  struct File: Decodable {
    struct Schema: Decodable {
      var application_id: Int32
      var user_version: Int32
    }

    var path: String
    var size: Int64
    var sha256: SHA256Digest
    var kind: String
    var storage: String
    var schema: Schema?
    var page_size: Int?
  }

  var name: String
  var version: String
  var edition: String?
  var files: [File]

  init(_ data: Data) throws(PackError) {
    do {
      let decoder = JSONDecoder()
      // Read first, because another format may have other members.
      let format = try decoder.decode(Format.self, from: data).format
      guard format <= PackManifest.format else {
        throw PackError.newerFormat(format, known: PackManifest.format)
      }
      guard format == PackManifest.format else {
        throw PackError.unreadableManifest("there is no format \(format)")
      }
      self = try decoder.decode(PackManifestText.self, from: data)
    } catch let error as PackError {
      throw error
    } catch {
      throw .unreadableManifest(Self.reason(error), underlying: error)
    }
  }

  func packEdition() throws(PackError) -> PackEdition? {
    guard let edition else { return nil }
    return try PackEdition(edition)
  }

  func packFiles() throws(PackError) -> [PackFile] {
    var result: [PackFile] = []
    for file in files {
      guard let kind = PackFile.Kind(rawValue: file.kind) else {
        throw .unreadableManifest("'\(file.path)' has the unknown kind '\(file.kind)'")
      }
      guard let storage = PackFile.Storage(rawValue: file.storage) else {
        throw .unreadableManifest("'\(file.path)' has the unknown storage '\(file.storage)'")
      }
      result.append(
        try PackFile(
          path: PackPath(file.path),
          content: FileDigest(byteCount: file.size, sha256: file.sha256), kind: kind,
          storage: storage,
          schema: file.schema.map {
            PackFile.Schema(applicationID: $0.application_id, userVersion: $0.user_version)
          }, pageSize: file.page_size))
    }
    return result
  }

  static func json(
    name: PackName, version: PackVersion, edition: PackEdition?, files: [PackFile]
  ) -> CanonicalJSON {
    var members: [String: CanonicalJSON] = [
      "format": .number(Int64(PackManifest.format)), "name": .string(name.description),
      "version": .string(version.description), "files": .array(files.map(json)),
    ]
    members["edition"] = edition.map { .string($0.description) }
    return .object(members)
  }

  private static func json(_ file: PackFile) -> CanonicalJSON {
    var members: [String: CanonicalJSON] = [
      "path": .string(file.path.description), "size": .number(file.content.byteCount),
      "sha256": .string(file.content.sha256.description), "kind": .string(file.kind.rawValue),
      "storage": .string(file.storage.rawValue),
    ]
    members["page_size"] = file.pageSize.map { .number(Int64($0)) }
    members["schema"] = file.schema.map {
      .object([
        "application_id": .number(Int64($0.applicationID)),
        "user_version": .number(Int64($0.userVersion)),
      ])
    }
    return .object(members)
  }

  /// Returns what a decoder found wrong, with the place in the text.
  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is no JSON" }
    func place(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
      let keys = context.codingPath + [last].compactMap { $0 }
      return keys.map { $0.intValue.map { "[\($0)]" } ?? "'\($0.stringValue)'" }
        .joined(separator: " of ")
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(place(context, key)) is missing"
    case .valueNotFound(_, let context): return "\(place(context)) is null"
    case .typeMismatch(_, let context):
      let place = place(context)
      return place.isEmpty ? "it is no JSON object" : "\(place) has another type"
    case .dataCorrupted(let context):
      let place = place(context)
      return place.isEmpty ? "it is no JSON" : "\(place) has an illegal value"
    @unknown default: return "it is no JSON"
    }
  }
}
