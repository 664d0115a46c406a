/// The condition under which a dump names its tables.
public enum DumpTableHeaderOptions: Sendable {
  /// The names are written if there are several tables.
  case automatic
  /// The names are always written.
  case always
}
