/// The upper bound of a case's cost, and whether it is enforced.
struct Bound {
  enum Subject {
    /// Our reading divided by that of the floor.
    case ratio
    /// Our reading itself, in the case's unit.
    case value
  }

  enum Standing {
    case enforced
    /// A number that proved unreachable; it is kept, and the profile shows why.
    case unreached(reason: String, profile: String)
  }

  let subject: Subject
  let limit: Double
  private(set) var standing = Standing.enforced

  static func ratio(_ limit: Double) -> Bound { Bound(subject: .ratio, limit: limit) }
  static func value(_ limit: Double) -> Bound { Bound(subject: .value, limit: limit) }

  /// Returns the same bound, marked as unreachable.
  ///
  /// - Parameters:
  ///   - reason: The reason why it cannot be reached.
  ///   - profile: The distribution of the cost, or the file that shows it.
  /// - Returns: The bound, which is printed with its reason and not enforced.
  func unreached(_ reason: String, profile: String) -> Bound {
    var bound = self
    bound.standing = .unreached(reason: reason, profile: profile)
    return bound
  }
}
