/// What shows nothing of its inside to `dump`, to a debugger or to a test that fails.
///
/// Reflection asks nobody which thread it is on: it would find rows and statements that another
/// thread is using, or whose connection was ended from outside, and call SQLite on them.
package protocol OpaqueToReflection: AnyObject, CustomReflectable {
  /// What may be shown, because it never changes.
  var reflected: KeyValuePairs<String, Any> { get }
}

extension OpaqueToReflection {
  /// No children.
  package var reflected: KeyValuePairs<String, Any> { [:] }

  /// What may be shown, and nothing else.
  public var customMirror: Mirror { Mirror(self, children: reflected, displayStyle: .class) }
}

extension ConnectionHandle: OpaqueToReflection {}
extension Row: OpaqueToReflection {}
extension RowCursor: OpaqueToReflection {}

extension Database: OpaqueToReflection {
  package var reflected: KeyValuePairs<String, Any> { ["path": path as Any] }
}

extension Statement: OpaqueToReflection {
  package var reflected: KeyValuePairs<String, Any> { ["sql": sql] }
}
