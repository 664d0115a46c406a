extension Sequence<Int64> {
  /// The numbers as an array in JSON, which a statement takes as one argument, for `json_each`.
  var jsonArray: String {
    var text = "["
    for number in self {
      if text.utf8.count > 1 { text += "," }
      text += String(number)
    }
    return text + "]"
  }
}
