/// A kind of flaw in a feed, which decides what reading and importing do about it.
///
/// All decisions are in ``decision``, each with its reason. The rule behind them: a feed is refused
/// where departures or names would be wrong for much of it, unnoticed, or where the rest of a file
/// cannot be read. A flaw in one of many rows costs at most that row.
///
/// Where MobilityData's validator has the same rule, reports use its name for the problem.
///
/// - SeeAlso: <https://gtfs-validator.mobilitydata.org/rules.html>
enum FeedFlaw: CaseIterable {
  // Files
  case missingFile, missingCalendar, emptyFileOfNames, emptyFile, noRowsOfNames, noRows
  case severalRows, fileNameCase, sameTableName, unknownFile, misnamedFile, feedInDirectory
  // Text
  case substitute, substituteOfOtherFile
  case nulInName, nulByte, notUTF8InName, notUTF8, utf16, utf16OfOtherFile, strayQuote
  case unterminatedQuote, unterminatedQuoteOfRow, rowTooLong, rowTooLongOfOtherFile
  case byteOrderMark, mixedLineEnds, blankLines, padding, lineBreak
  // Cells and columns
  case missingCells, extraCellsOfName, extraCells, extraCellsOfOtherFile, blankExtraCells, blankRow
  case missingColumn, missingExpectedColumn, duplicateColumn, duplicateOtherColumn
  case columnNameCase, unknownColumn, draftOfFlex, zoneAsStop, unnamedColumn, tooManyColumns
  // Values
  case blankKey, blankKeyOfRow, blankValue, blankStopName, badKeyNumber, badCoordinate, badNumber
  case badDecimal, zeroFraction, outOfRange, outOfRangeOfOtherFile, badTextNumber
  case badTextInteger, badTextTime, reversedSpan, emptySpan
  case unknownValueLeftOut, unknownValueKept
  case removedTimeZone
  case badFlag, badServiceDate, badDate, dateForm, unreadableException, unreadableExceptionDate
  case reversedDates, badColor, badAgencyTimeZone, badTimeZone, severalTimeZones, badTime
  case badTimeOfFrequency, timeWithoutSeconds, badSequence, negativeSequence, badHeadway, noHeadway
  case emptyFrequency, reversedFrequency, endOfNight
  // Rows among each other
  case duplicateID, duplicateIDOfOtherFile, repeatedRow, duplicateTrip, duplicateStopSequence
  case duplicateException, duplicateFrequency, unnamedAgency, routeWithoutAgency, unknownParent
  case unknownAgency, unknownKey, unknownKeyOfOtherFile, unknownService, unknownShape
  case unknownLevel, unknownKeyOfCall
  case callsOfDroppedTrips, namelessRoute, sameNames, noParent, parentOfStation, parentType
  case tooManyCalls, decreasingTime, edgeWithoutTime, tripWithoutCalls, tripWithOneCall
  case serviceWithoutDay
  // Places
  case zeroCoordinate, nearPole, blankCoordinate, platformWithoutStation, stationWithoutStop
  case stopWithoutCalls, callsAtNoStop
  // Only in reports; an import does not look for these
  case fastTravel, fastTravelOverFarStops, oneTimeOnly, timepointWithoutTime, decreasingDistance
  case overlappingFrequency, duplicateRouteName, routeWithoutTrip
  case expiredService, expiredFeed, endsInSevenDays, endsInThirtyDays, notYetValidFeed
  case noServiceInNextSevenDays, oneFeedDate
  case transferTooFar, transferAboveTwoKilometers, unusedShape, onePointOfShape
  case decreasingShapeDistance, attributionWithoutRole, pathwayLoop
  case routeColors, stopAccessElsewhere, stopAccessWithoutParent, unreachablePlace
  case stationInPathway, translatedTable, translatedValue, unknownTranslated, blockOverlap
  case timeBesideWindow, missingWindow, reversedWindow, removedDays, distanceBeyondShape
  case farFromShape, stopOutOfOrder
  // Zones of services on demand
  case noJSON, longLocations, noFeatureCollection, noFeature, noArea, missingElement
  case duplicateLocation
  // Shapes in an import
  case badShapePoint, shapePointOutOfRange, badShapeSequence, repeatedShapeSequence
  case tooManyShapePoints
  // Blank values, and what the database has instead
  case nameOfStation, nameOfCode, nameOfIdentifier, coordinateOfStation, noCoordinate
  case emptyRouteName

  /// The consequence of a flaw for reading and importing.
  enum Outcome: String {
    /// The feed is refused: an error.
    case refusesFeed
    /// The row is left out: a warning.
    case dropsRow
    /// The value is left out, and the rest of the row is kept: a warning.
    case dropsValue
    /// The value, row or file is used as it is, or as the warning says.
    case keepsValue
  }

  /// The consequence of a kind of flaw, and the reason for it.
  struct Decision {
    /// The name of the problem in reports.
    var code: String
    var outcome: Outcome
    var reason: String
    /// Whether answers are right nevertheless, so that the problem is information only.
    var isHarmless = false

    init(_ code: String, _ outcome: Outcome, _ reason: String) {
      (self.code, self.outcome, self.reason) = (code, outcome, reason)
    }

    /// Creates the decision to keep what is unusual and harmless.
    init(harmless code: String, _ reason: String) {
      self.init(harmless: code, .keepsValue, reason)
    }

    /// Creates the decision about what is unusual and harmless.
    init(harmless code: String, _ outcome: Outcome, _ reason: String) {
      self.init(code, outcome, reason)
      isHarmless = true
    }
  }

  /// The severity of a problem of this kind.
  var severity: FeedProblem.Severity {
    let decision = decision
    if decision.outcome == .refusesFeed { return .error }
    return decision.isHarmless ? .info : .warning
  }
}
