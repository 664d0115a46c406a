/// When a dump of tables names them.
public enum DumpTableHeaderOptions: Sendable {
  /// The names are written if there are several tables.
  case automatic
  /// The names are always written.
  case always
}
