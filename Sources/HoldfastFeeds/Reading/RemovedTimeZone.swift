/// The names that the time zone database had once, and that newer versions of it do not contain.
///
/// Whether a system still knows one depends on its version, so that the zone is stored under the name that
/// replaced it.
///
/// - SeeAlso: <https://data.iana.org/time-zones/tzdb/NEWS>, of the releases 2013c, 2017c and 2020b.
enum RemovedTimeZone {
  private static let successors = [
    "Asia/Riyadh87": "Asia/Riyadh", "Asia/Riyadh88": "Asia/Riyadh",
    "Asia/Riyadh89": "Asia/Riyadh", "Mideast/Riyadh87": "Asia/Riyadh",
    "Mideast/Riyadh88": "Asia/Riyadh", "Mideast/Riyadh89": "Asia/Riyadh",
    "Canada/East-Saskatchewan": "America/Regina", "US/Pacific-New": "America/Los_Angeles",
    "SystemV/AST4": "America/Puerto_Rico", "SystemV/AST4ADT": "America/Halifax",
    "SystemV/CST6": "America/Regina", "SystemV/CST6CDT": "America/Chicago",
    "SystemV/EST5": "America/Panama", "SystemV/EST5EDT": "America/New_York",
    "SystemV/HST10": "Pacific/Honolulu", "SystemV/MST7": "America/Phoenix",
    "SystemV/MST7MDT": "America/Denver", "SystemV/PST8": "Pacific/Pitcairn",
    "SystemV/PST8PDT": "America/Los_Angeles", "SystemV/YST9": "Pacific/Gambier",
    "SystemV/YST9YDT": "America/Anchorage",
  ]

  /// Returns the name that replaced a removed one; `nil` if the name was not removed.
  static func successor(of name: String) -> String? { successors[name] }
}
