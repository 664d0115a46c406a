extension Sequence<Int64> {
  /// The numbers as an array in JSON, which a statement takes as one argument, for `json_each`.
  var jsonArray: String { "[\(map(String.init).joined(separator: ","))]" }
}
