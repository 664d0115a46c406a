import HoldfastTransit

/// Where the parts of a picture lie: the titles, the map with its names, the legend and the sources.
struct PictureLayout {
  let width: Int
  let height: Int
  /// The left upper corner of the map.
  let map: MapVector
  let legend: MapLegend
  let legendPlace: MapVector
  let texts: PictureTexts
  /// The base of the sources.
  let footerY: Double

  /// The width below which titles and sources would be cut.
  private static let least = 420.0
  private static let gap = 30.0

  /// Lays out a picture: the legend is to the right of a tall map, and below a wide one.
  ///
  /// - Parameters:
  ///   - frame: The map.
  ///   - labels: The rectangle of the names, in the map's pixels.
  ///   - entries: The entries of the legend.
  ///   - texts: The titles and the sources.
  ///   - margin: The space around all.
  ///   - footer: The height of the sources.
  init(
    _ frame: MapFrame, _ labels: MapRaster.Box?, _ entries: [MapLine.Entry], texts: PictureTexts,
    margin: Double, footer: Double
  ) {
    let (mapWidth, mapHeight) = (Double(frame.width), Double(frame.height))
    let left = max(0, -(labels?.x.lowerBound ?? 0)).rounded(.up)
    let right = max(0, (labels?.x.upperBound ?? 0) - mapWidth).rounded(.up)
    let top = max(0, -(labels?.y.lowerBound ?? 0)).rounded(.up)
    let bottom = max(0, (labels?.y.upperBound ?? 0) - mapHeight).rounded(.up)
    let (fullWidth, fullHeight) = (left + mapWidth + right, top + mapHeight + bottom)
    let isBeside = fullHeight > fullWidth * 1.1
    let legend = MapLegend(
      entries,
      in: isBeside ? .height(fullHeight) : .width(max(fullWidth, Self.least)))
    let inner =
      isBeside
      ? fullWidth + (legend.width > 0 ? Self.gap + legend.width : 0)
      : max(fullWidth, legend.width)
    let content = max(inner, Self.least)
    self.texts = texts.fitted(to: content)
    let header = self.texts.height
    // A narrow map without a legend beside it lies in the middle.
    let start = margin + (content - inner) / 2 + (isBeside ? 0 : (inner - fullWidth) / 2)
    map = MapVector((start + left).rounded(), header + top)
    self.legend = legend
    let below = header + fullHeight
    legendPlace =
      isBeside
      ? MapVector(start + fullWidth + Self.gap, header)
      : MapVector(margin, below + Self.gap / 2)
    let end =
      isBeside
      ? max(below, header + legend.height)
      : below + (legend.height > 0 ? Self.gap / 2 + legend.height : 0)
    width = Int((content + 2 * margin).rounded(.up))
    height = Int((end + margin / 2 + footer).rounded(.up))
    footerY = Double(height) - 18
  }
}
