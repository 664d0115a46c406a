extension RandomAccessCollection {
  /// Returns the index of the first element that belongs to the second part of a collection, whose elements all come
  /// after those of the first part.
  func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, self.count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isInSecondPart(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
