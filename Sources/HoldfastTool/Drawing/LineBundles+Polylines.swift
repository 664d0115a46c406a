// Polylines: moved aside, shortened, simplified and with rounder corners.

extension LineBundles {
  /// Returns a polyline with rounder corners and the same ends.
  static func smoothed(_ path: [MapVector]) -> [MapVector] {
    var path = path
    guard path.count > 2 else { return path }
    for _ in 0..<3 {
      let old = path
      for index in 1..<(old.count - 1) {
        path[index] = old[index] * 0.5 + (old[index - 1] + old[index + 1]) * 0.25
      }
    }
    return path
  }

  /// Returns a polyline without its first pixels.
  static func shortened(_ path: [MapVector], by length: Double) -> [MapVector] {
    var rest = length
    var path = path[...]
    while path.count > 1, let first = path.first {
      let next = path[path.startIndex + 1]
      let distance = first.distance(to: next)
      guard distance <= rest else {
        return [first + (next - first) * (rest / distance)] + path.dropFirst()
      }
      rest -= distance
      path.removeFirst()
    }
    return Array(path)
  }

  /// Returns a polyline without the points that lie on the straight line between others.
  static func simplified(_ path: [MapVector], tolerance: Double) -> [MapVector] {
    guard path.count > 2 else { return path }
    var isKept = [Bool](repeating: false, count: path.count)
    (isKept[0], isKept[path.count - 1]) = (true, true)
    var spans = [(0, path.count - 1)]
    while let (first, last) = spans.popLast() {
      guard last - first > 1 else { continue }
      var (farthest, most) = (first, tolerance)
      for index in first + 1..<last {
        let distance = path[index].distance(toLineFrom: path[first], to: path[last])
        if distance > most { (farthest, most) = (index, distance) }
      }
      guard farthest != first else { continue }
      isKept[farthest] = true
      spans += [(first, farthest), (farthest, last)]
    }
    return path.indices.filter { isKept[$0] }.map { path[$0] }
  }

  /// Returns a polyline that runs beside another one, to the right of its way.
  static func moved(_ path: [MapVector], by offset: Double) -> [MapVector] {
    guard path.count > 1, offset != 0 else { return path }
    return path.indices.map { index in
      let before = index > 0 ? (path[index] - path[index - 1]).unit : nil
      let after = index < path.count - 1 ? (path[index + 1] - path[index]).unit : nil
      let one = (before ?? after ?? MapVector(0, 0)).normal
      let other = (after ?? before ?? MapVector(0, 0)).normal
      let sum = (one + other).unit
      // At a corner the distance to both lines is the same, up to a limit for sharp ones.
      let stretch = 1 / max(0.6, sum.dot(one))
      return path[index] + sum * (offset * stretch)
    }
  }
}
