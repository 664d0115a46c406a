/// An error for a campaign that could not be run.
enum PackCampaignError: Error {
  /// A process, or the preparation of its folder, failed for this reason.
  case failed(String)

  /// Processes cannot be traced here.
  case notTraced
}
