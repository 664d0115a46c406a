/// A priority queue of places that were reached and not left yet, the nearest one first.
struct PlaceQueue {
  private var places: [(place: Int32, seconds: Double)] = []

  mutating func insert(_ place: Int32, at seconds: Double) {
    var index = places.count
    places.append((place, seconds))
    while index > 0, isBefore(index, (index - 1) / 2) {
      places.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func removeNearest() -> (place: Int32, seconds: Double)? {
    guard !places.isEmpty else { return nil }
    places.swapAt(0, places.count - 1)
    let nearest = places.removeLast()
    var index = 0
    while true {
      var least = index
      for child in 2 * index + 1...2 * index + 2
      where child < places.count && isBefore(child, least) { least = child }
      guard least != index else { return nearest }
      places.swapAt(index, least)
      index = least
    }
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    (places[one].seconds, places[one].place) < (places[other].seconds, places[other].place)
  }
}
