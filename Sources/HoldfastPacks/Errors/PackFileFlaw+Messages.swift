// The sentences of the differences between a file and its manifest.

extension PackFileFlaw: CustomStringConvertible {
  /// A sentence that describes the difference.
  public var description: String { "'\(path)' \(predicate)." }

  private var predicate: String {
    switch kind {
    case .missing: "is missing"
    case .notRegular: "is not a plain file in a plain folder"
    case .size(let size): "has \(size) bytes, which is not the length that the manifest says"
    case .digest(let digest): "has other content: its SHA-256 is \(digest)"
    case .notADatabase: "is not a SQLite database"
    case .writeAheadLog:
      "is in write-ahead-log mode, so it cannot be read without other files next to it"
    case .pageSize(let size): "has pages of \(size) bytes, which is not what the manifest says"
    case .statedSize(let size): "is cut off: its header states \(size) bytes"
    case .schema(let schema):
      "has application_id \(schema.applicationID) and user_version \(schema.userVersion), which "
        + "is not what the manifest says"
    case .log(let name): "has a log next to it, '\(name)', which SQLite would apply"
    }
  }
}
