/// A type that hides its contents from `dump`, debuggers and failing tests.
///
/// Reflection ignores threads: it would find rows and statements that another thread is using, or
/// whose connection was closed from outside, and call SQLite on them.
package protocol OpaqueToReflection: AnyObject, CustomReflectable {
  /// The properties that may be shown, because they never change.
  var reflected: KeyValuePairs<String, Any> { get }
}

extension OpaqueToReflection {
  /// No children.
  package var reflected: KeyValuePairs<String, Any> { [:] }

  /// A mirror of ``reflected`` only, and of no superclass.
  public var customMirror: Mirror {
    Mirror(
      self, children: reflected, displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}

extension ConnectionHandle: OpaqueToReflection {}
extension Row: OpaqueToReflection {}
extension StatementCursor: OpaqueToReflection {}

extension Database: OpaqueToReflection {
  package var reflected: KeyValuePairs<String, Any> { ["path": path as Any] }
}

extension Statement: OpaqueToReflection {
  package var reflected: KeyValuePairs<String, Any> { ["sql": sql] }
}
