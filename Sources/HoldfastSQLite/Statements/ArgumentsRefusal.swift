/// The error of arguments that SQLite refused.
///
/// In an object of its own, because each run asks whether there is one, and an error is many words.
final class ArgumentsRefusal {
  let error: DatabaseError

  init(_ error: DatabaseError) {
    self.error = error
  }
}
